"""Hostile input for the APNs ports, before and after the TLS handshake."""

import base64
import json
import ssl
import struct

from hpack import Encoder

from hostile_http import NUMBERS, TEXTS, blob, hostile_json, mutated

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS = 1, 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def client_hello():
    """The first bytes of a real handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    tls = context.wrap_bio(incoming, outgoing, server_hostname="api.push.apple.com")
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


HELLO = client_hello()


def before_handshake(rng):
    kind = rng.randrange(7)
    if kind == 0:
        return blob(rng, 3000)
    if kind == 1:
        return mutated(rng, HELLO)
    if kind == 2:
        return HELLO[:rng.randrange(len(HELLO))]
    if kind == 3:
        return b"GET / HTTP/1.1\r\nHost: api.push.apple.com\r\n\r\n"
    if kind == 4:
        return PREFACE + frame(SETTINGS, 0, 0)
    if kind == 5:
        return bytes([22, 3, rng.randrange(5)]) + struct.pack(">H", rng.choice([0, 1, 16384, 65535])) + blob(rng, 200)
    return HELLO + blob(rng, 500)


def jwt(rng):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    header = {"alg": rng.choice(["ES256", "none", "HS256", 1, None]), "kid": rng.choice(["MOCKKEY001", "", 7, None] + TEXTS)}
    claims = {"iss": rng.choice(["MOCKTEAM01", "", 1, None] + TEXTS), "iat": rng.choice([0, -1, 2**63, 1e300, "x", None, []])}
    parts = [part(header), part(claims), base64.urlsafe_b64encode(rng.randbytes(rng.choice([0, 63, 64, 500]))).decode()]
    return ".".join(parts[:rng.randint(1, 3)] + ["x"] * rng.randint(0, 1))


def hostile_request(rng, stream):
    encoder = Encoder()
    path = rng.choice(["/3/device/" + "11" * 32, "/3/device/", "/", "*", "/3/device/" + "z" * 5000, "/3/device/%00", "//", ""])
    headers = [(":method", rng.choice(["POST", "GET", "PUT", ""])), (":scheme", "https"), (":authority", "x"), (":path", path)]
    if rng.random() < 0.3:
        headers.pop(rng.randrange(len(headers)))
    if rng.random() < 0.2:
        headers.append(rng.choice(headers))
    names = ["apns-id", "apns-expiration", "apns-priority", "apns-collapse-id", "apns-push-type", "apns-topic",
             "content-length", "te", "connection", "Upper", "x" * 300, ""]
    for _ in range(rng.randint(0, 6)):
        headers.append((rng.choice(names), rng.choice(NUMBERS + TEXTS)))
    headers.append(("authorization", "bearer " + jwt(rng)))
    headers = [(name, value.encode("utf-8", "surrogatepass")) for name, value in headers]
    block = encoder.encode(headers)
    content = rng.choice([hostile_json(rng)[:16_000], blob(rng, 16_000), b""])
    start = frame(HEADERS, END_HEADERS, stream, block[:16_384])
    return start + frame(DATA, END_STREAM, stream, content) if rng.random() < 0.9 else start


def good_request(stream, token):
    headers = [(":method", "POST"), (":scheme", "https"), (":authority", "api.push.apple.com"),
               (":path", "/3/device/" + "11" * 32), ("apns-topic", "im.adamant.adamant-messenger"),
               ("apns-push-type", "alert"), ("authorization", "bearer " + token)]
    return frame(HEADERS, END_HEADERS, stream, Encoder().encode(headers)) + \
        frame(DATA, END_STREAM, stream, b'{"aps":{"alert":"x"}}')


def flood(rng):
    many = rng.randint(50, 1500)
    return rng.choice([
        lambda: frame(PING, 0, 0, b"12345678") * many,
        lambda: frame(SETTINGS, 0, 0) * many,
        lambda: b"".join(frame(HEADERS, END_HEADERS, 1 + 2 * i, b"\x82") + frame(RST_STREAM, 0, 1 + 2 * i, b"\0\0\0\x08")
                         for i in range(many)),
        lambda: frame(HEADERS, 0, 1, b"\x82") + frame(CONTINUATION, 0, 1, b"\x00\x01a\x01b") * many,
        lambda: frame(WINDOW_UPDATE, 0, 0, b"\x7f\xff\xff\xff") * 3,
        lambda: frame(DATA, END_STREAM, 1, b"") * many,
        lambda: frame(PRIORITY, 0, 1, b"\0\0\0\x01\x10") * many,
    ])()


def after_handshake(rng):
    kind = rng.randrange(8)
    start = PREFACE + frame(SETTINGS, 0, 0)
    if kind == 0:
        return blob(rng, 3000)
    if kind == 1:
        frames = [frame(rng.randrange(12), rng.randrange(256), rng.choice([0, 1, 2, 3, 2**31 - 1]), blob(rng, 400))
                  for _ in range(rng.randint(1, 5))]
        return start + b"".join(frames)
    if kind == 2:
        return start + frame(HEADERS, END_HEADERS | END_STREAM, 1, blob(rng, 500))
    if kind == 3:
        return start + struct.pack(">I", rng.choice([16_385, 100_000, 2**24 - 1]))[1:] + bytes([rng.randrange(10), 0, 0, 0, 0, 1])
    if kind == 4:
        return start + flood(rng)
    if kind == 5:
        valid = start + good_request(1, jwt(rng))
        return mutated(rng, valid) if rng.random() < 0.5 else valid[:rng.randrange(len(valid))]
    if kind == 6:
        return b"POST /3/device/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
    return start + b"".join(hostile_request(rng, 1 + 2 * i) for i in range(rng.randint(1, 4)))
