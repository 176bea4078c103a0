"""Hostile input for the HTTP ports: nodes and control. Every maker takes a seeded generator and returns bytes."""

import json
from adamant import Account, body, chat, transfer, timestamp

NODE_PATHS = [
    "/api/node/status", "/api/blocks/getHeight", "/api/accounts", "/api/accounts/getBalance",
    "/api/accounts/getPublicKey", "/api/transactions", "/api/transactions/get", "/api/chats/get", "/api/chats/get/",
    "/api/states/get", "/api/nothing", "/api/chats/nothing", "/", "/peer/list",
]
NODE_POSTS = ["/api/chats/process", "/api/transactions/process", "/api/states/store", "/api/transactions",
              "/api/accounts/new"]
CONTROL_PATHS = [
    "/v1/health", "/v1/world", "/v1/accounts", "/v1/transactions", "/v1/chain", "/v1/clock", "/v1/nodes", "/v1/faults",
    "/v1/held", "/v1/pushes", "/v1/apns", "/v1/apns/tokens", "/v1/ans", "/v1/devices", "/v1/registry", "/v1/events",
    "/v1/nothing", "/",
]
CONTROL_POSTS = ["/v1/accounts", "/v1/transactions", "/v1/faults", "/v1/devices", "/v1/clock/advance",
                 "/v1/chain/forge", "/v1/devices/d1/sign-in", "/v1/held/h1/release", "/v1/ans/poll"]
NUMBERS = ["-1", "0", "1e400", "99999999999999999999999", "9223372036854775807", "9223372036854775808",
           "-9223372036854775808", "1.5", "NaN", "", "0x10", "１"]
TEXTS = ["", " ", "\x00", "A" * 5000, "../../etc/passwd", "%00", "%zz%", "' or 1=1 --", "<script>", "U" + "9" * 40,
         "\U0001f600" * 50, "null", "\ud800"]
VALUES = [None, True, False, -1, 0, 1.5, 1e308, 2**63, 2**64, -(2**63), 10**40, [], {}, [[]], {"a": {}}] + TEXTS

SENDER, STRANGER = Account(seed=b"\x01" * 32), Account(seed=b"\x02" * 32)


def blob(rng, most):
    return rng.randbytes(rng.randint(1, most))


def request(method, path, content=b"", headers=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    if content or method in ("POST", "PUT", "PATCH"):
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogatepass") + content


def for_proxy(rng):
    """Requests for tunnels, most of them broken, some with what belongs behind the answer."""
    host = rng.choice(["api.push.apple.com:443", "API.push.apple.com:2197", "127.0.0.1:22", ":", "api.push.apple.com", "[::1]:443",
                       "api.push.apple.com:99999", "api.push.apple.com:-1", "", rng.choice(TEXTS)])
    head = request(rng.choice(["CONNECT", "CONNECT", "CONNECT", "GET", "", "connect"]), host,
                   headers=["X: " + "a" * rng.choice([0, 10, 9000])] * rng.randint(0, 3))
    action = rng.random()
    if action < 0.2:
        return head[:rng.randint(1, len(head))]
    if action < 0.4:
        return head + blob(rng, 2000)
    return blob(rng, 20_000) if action < 0.5 else head


def encoded(value):
    return json.dumps(value).encode()


def signed_transaction(rng):
    at = timestamp()
    if rng.random() < 0.5:
        return transfer(SENDER, STRANGER.address, rng.randint(1, 10**8), at)[1]
    return chat(SENDER, STRANGER.address, rng.randbytes(40), rng.randbytes(24), at, rng.randint(0, 3))[1]


def spoil(rng, value, depth=0):
    """A JSON value with one member somewhere replaced, removed or added."""
    if isinstance(value, dict) and value and (depth == 0 or rng.random() < 0.7):
        name = rng.choice(list(value))
        copy = dict(value)
        action = rng.random()
        if action < 0.2:
            del copy[name]
        elif action < 0.3:
            copy[rng.choice(TEXTS)] = rng.choice(VALUES)
        else:
            copy[name] = spoil(rng, value[name], depth + 1)
        return copy
    return rng.choice(VALUES)


def mutated(rng, data):
    data = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(data)) if data else 0
        action = rng.random()
        if action < 0.5 and data:
            data[at] = rng.randrange(256)
        elif action < 0.7:
            data[at:at] = blob(rng, 20)
        else:
            del data[at:at + rng.randint(1, 20)]
    return bytes(data)


def broken_framing(rng, path):
    start = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    tail = rng.choice([
        "Content-Length: -1\r\n\r\n{}", "Content-Length: 99999999999999999999\r\n\r\n{}", "Content-Length: x\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "Content-Length: 100\r\n\r\n{}",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}", "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
        ": no name\r\n\r\n", "Name\r\n\r\n", "A: b\r\n folded\r\n\r\n", "\r\n", "X: " + "y" * rng.randint(1, 100_000) + "\r\n\r\n",
        "".join(f"H{i}: v\r\n" for i in range(rng.randint(1, 3000))) + "\r\n",
    ])
    return (start + tail).encode()


def hostile_json(rng):
    return rng.choice([
        b"[" * rng.randint(1, 100_000), b'{"a":' * rng.randint(1, 20_000), b'{"transaction":' * 2000 + b"1" + b"}" * 2000,
        b"{", b'{"a"', b'"\\ud800"', b'"\xff\xfe"', b"1" * 5000, b"-", b"1e99999999", b"\x00", b"\xef\xbb\xbf{}", b"tru",
        b'{"transaction":{"amount":1e400}}', b'{"a":1,"a":2}', b"{}" * 50, b"", b'"' + b"\\u0000" * 1000 + b'"',
    ])


def query(rng, path):
    names = ["limit", "offset", "fromHeight", "toHeight", "orderBy", "type", "isIn", "and:fromHeight", "or:type", "id",
             "inId", "senderId", "address", "publicKey", "returnAsset", "after", "atLeast", "token", "status", "and:and:x"]
    pairs = [f"{rng.choice(names)}={rng.choice(NUMBERS + TEXTS)}" for _ in range(rng.randint(1, 6))]
    text = path + "?" + "&".join(pairs)
    return "".join(c if 32 < ord(c) < 127 else f"%{ord(c) % 256:02X}" for c in text)


def for_node(rng):
    kind = rng.randrange(10)
    get, post = rng.choice(NODE_PATHS), rng.choice(NODE_POSTS)
    valid = request("POST", post, body(signed_transaction(rng)))
    if kind == 0:
        return blob(rng, 3000)
    if kind == 1:
        return mutated(rng, valid)
    if kind == 2:
        return valid[:rng.randrange(len(valid))]
    if kind == 3:
        return broken_framing(rng, post)
    if kind == 4:
        return request("POST", post, hostile_json(rng))
    if kind == 5:
        return request(rng.choice(["GET", "HEAD", "OPTIONS"]), query(rng, get))
    if kind == 6:
        return request(rng.choice(["PUT", "DELETE", "TRACE", "CONNECT", "BREW", "get", "P" * 300]), get)
    if kind == 7:
        return request("GET", get + "/" + "%2e%2e/" * rng.randint(1, 50) + "x" * rng.choice([1, 100, 9000, 70_000]))
    return request("POST", post, encoded(spoil(rng, {"transaction": spoil(rng, signed_transaction(rng))})))


def for_control(rng):
    kind = rng.randrange(9)
    get, post = rng.choice(CONTROL_PATHS), rng.choice(CONTROL_POSTS)
    # The unknown member makes sure that nothing of this is carried out.
    refused = {"nonsense": 1, rng.choice(["name", "balance", "amount", "seconds", "blocks", "match", "effect", "from"]):
               rng.choice(VALUES)}
    valid = request("POST", post, encoded(refused))
    if kind == 0:
        return blob(rng, 3000)
    if kind == 1:
        return mutated(rng, request("GET", get))
    if kind == 2:
        return valid[:rng.randrange(len(valid))]
    if kind == 3:
        return broken_framing(rng, post)
    if kind == 4:
        return request("POST", post, hostile_json(rng))
    if kind == 5:
        return request(rng.choice(["GET", "HEAD", "OPTIONS"]), query(rng, get))
    if kind == 6:
        return request(rng.choice(["TRACE", "CONNECT", "BREW", "get", "P" * 300]), get)
    if kind == 7:
        return request("GET", get + "/" + rng.choice(["%2e%2e/", "%00", "x" * 70_000, "%ff", "a/" * 500]))
    return valid


# What has a documented answer: (port, request, statuses, a part of the body).
DOCUMENTED = [
    ("node", request("POST", "/api/chats/process", b"{"), {500}, b'"error":"API error: '),
    ("node", request("POST", "/api/chats/process", b" " * 2_100_000), {500}, b"request entity too large"),
    ("node", request("POST", "/api/chats/process", b"{}"), {200}, b"Expected type object but found type undefined"),
    ("node", request("POST", "/api/chats/get", b"{}"), {500}, b"API endpoint not found"),
    ("node", request("GET", "/api/nothing"), {404}, b"Cannot GET /api/nothing"),
    ("node", request("GET", "/nothing"), {404}, b"API endpoint not found"),
    ("control", request("POST", "/v1/accounts", b"{"), {400}, b'"error"'),
    ("control", request("POST", "/v1/accounts", b'{"nonsense":1}'), {422}, b"nonsense"),
    ("control", request("POST", "/v1/accounts", b'{"balance":"-1"}'), {422}, b"balance"),
    ("control", request("POST", "/v1/accounts", b'{"balance":"' + b"9" * 40 + b'"}'), {422}, b"balance"),
    ("control", request("POST", "/v1/clock/advance", b'{"seconds":9223372036854775807}'), {422}, b"seconds"),
    ("control", request("POST", "/v1/chain/forge", b'{"blocks":1000000000000}'), {422}, b"blocks"),
    ("control", request("PATCH", "/v1/chain", b'{"intervalMilliseconds":0}'), {422}, b"intervalMilliseconds"),
    ("control", request("PATCH", "/v1/nodes/alpha", b'{"failureRate":2}'), {422}, b"failureRate"),
    ("control", request("GET", "/v1/pushes?limit=99999999999999999999"), {400}, b"limit"),
    ("control", request("GET", "/v1/nothing"), {404}, b'"error"'),
]
