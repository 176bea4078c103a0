"""Throws malformed, truncated, oversized and random input at every port of a world, then checks that it still serves.

Usage: hostile_input.py WORLD-FILE [COUNT] [SEED]      prints one line; exit status 1 with the input that went wrong
"""

import json
import random
import socket
import ssl
import sys
import threading
from collections import Counter
from urllib.parse import urlsplit

import httpx
from hpack import Decoder

import hostile_apns
import hostile_http
from provider import TOPIC, provider_token

THREADS = 12
SECONDS = 10  # for one input: a closed connection or an answer, never a hang
HTTP_STATUSES = {100, 200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 417, 422, 431, 500, 501, 505}
APNS_STATUSES = {200, 400, 403, 404, 405, 410, 413, 429, 500, 503}


class Wrong(Exception):
    pass


def connect(address):
    connection = socket.create_connection(address, SECONDS)
    connection.settimeout(SECONDS)
    return connection


def finish(connection, data):
    """Sends all, ends the sending side, and reads until the other closes."""
    received = b""
    try:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        while chunk := connection.recv(65_536):
            received += chunk
    except TimeoutError:
        raise Wrong(f"neither answered nor closed within {SECONDS} s; got {received[:80]!r}") from None
    except OSError:
        pass
    return received


def http(address, data):
    with connect(address) as connection:
        answer = finish(connection, data)
    if answer:
        start = answer.split(b"\r\n", 1)[0].split(b" ")
        if not start[0].startswith(b"HTTP/1.") or int(start[1]) not in HTTP_STATUSES:
            raise Wrong(f"answered {answer[:80]!r}")
    return answer


def plain(target, data):
    with connect(target) as connection:
        finish(connection, data)


def tls_context(ca_file):
    context = ssl.create_default_context(cafile=ca_file)
    context.set_alpn_protocols(["h2"])
    return context


def check_frames(data):
    decoder = Decoder()
    while data:
        if len(data) < 9:
            return  # the end of the connection cut it
        length, kind, flags = int.from_bytes(data[:3], "big"), data[3], data[4]
        if length > 16_384 or kind > 9:
            raise Wrong(f"answered a frame of {length} bytes and type {kind}")
        payload, data = data[9:9 + length], data[9 + length:]
        if kind == hostile_apns.HEADERS and flags & hostile_apns.END_HEADERS and len(payload) == length:
            # An apns-id comes back byte for byte, whatever it was.
            status = int(dict(decoder.decode(payload, raw=True))[b":status"])
            if status not in APNS_STATUSES:
                raise Wrong(f"answered status {status}")


def tls(address, data, context):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing, server_hostname="api.push.apple.com")
    with connect(address) as connection:
        while True:
            try:
                session.do_handshake()
                break
            except ssl.SSLWantReadError:
                connection.sendall(outgoing.read())
                chunk = connection.recv(65_536)
                if not chunk:
                    raise Wrong("closed during the handshake")
                incoming.write(chunk)
        for start in range(0, len(data), 16_384):
            session.write(data[start:start + 16_384])
        incoming.write(finish(connection, outgoing.read()))
    answer = b""
    try:
        while chunk := session.read(65_536):
            answer += chunk
    except ssl.SSLError:
        pass
    if not answer.startswith(b"HTTP/1.1 "):
        check_frames(answer)


def address(url):
    parts = urlsplit(url)
    return parts.hostname, parts.port


def plan(world, count, rng):
    """The inputs in their order: (port, function, address, data)."""
    node, control = address(world["nodes"][0]["url"]), address(world["control"])
    apns = [address(world["apns"][name]) for name in ("production", "sandbox")]
    context = tls_context(world["caFile"])
    for number in range(count):
        kind = number % 10
        if kind < 4:
            yield "node", http, (node, hostile_http.for_node(rng))
        elif kind < 5 or kind < 6 and not world["proxy"]:
            yield "control", http, (control, hostile_http.for_control(rng))
        elif kind < 6:
            yield "proxy", plain, (address(world["proxy"]), hostile_http.for_proxy(rng))
        elif kind < 8:
            yield "APNs before TLS", plain, (apns[number // 10 % 2], hostile_apns.before_handshake(rng))
        else:
            yield "APNs", tls, (apns[number // 10 % 2], hostile_apns.after_handshake(rng), context)


def throw(inputs):
    """Runs the inputs on some threads; returns the counts by port and the first that went wrong."""
    lock, counts, wrong = threading.Lock(), Counter(), []

    def work():
        while not wrong:
            with lock:
                item = next(inputs, None)
            if item is None:
                return
            port, function, arguments = item
            try:
                function(*arguments)
            except Exception as error:  # whatever it is, the input is wanted
                wrong.append(f"{port}: {error!r} after {arguments[1][:400]!r}")
            with lock:
                counts[port] += 1

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counts, wrong


def check_documented(world):
    ports = {"node": address(world["nodes"][0]["url"]), "control": address(world["control"])}
    for port, data, statuses, part in hostile_http.DOCUMENTED:
        answer = http(ports[port], data)
        status = int(answer.split(b" ", 2)[1]) if answer else None
        if status not in statuses or part not in answer:
            raise Wrong(f"{port}: {data[:120]!r} was answered {answer[-300:]!r}")


def check_serving(world):
    """A normal request on every port."""
    for node in world["nodes"]:
        assert httpx.get(node["url"] + "/api/node/status").json()["success"] is True
    assert httpx.get(world["control"] + "/v1/health").status_code == 200
    trust = ssl.create_default_context(cafile=world["caFile"])
    headers = {"authorization": f"bearer {provider_token()}", "apns-topic": TOPIC, "apns-push-type": "alert"}
    pushes = [(url, None) for url in world["apns"].values()] + [("https://api.push.apple.com", world["proxy"])]
    for url, proxy in pushes:
        with httpx.Client(http2=True, http1=False, verify=trust, proxy=proxy) as client:
            answer = client.post(f"{url}/3/device/{'44' * 32}", json={"aps": {"alert": "x"}}, headers=headers)
            assert answer.status_code == 200, answer.text


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        world = json.load(file)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    check_documented(world)
    counts, wrong = throw(plan(world, count, random.Random(seed)))
    if wrong:
        sys.exit(f"seed {seed}: {wrong[0]}")
    httpx.post(world["control"] + "/v1/reset").raise_for_status()
    check_serving(world)
    print(json.dumps({"inputs": sum(counts.values()), "seed": seed, **counts}))


main()
