"""The clients that make the load, each bounded in time or count."""

import os
import re
import selectors
import socket
import subprocess
import tempfile
import time


class LoadFailed(Exception):
    pass


def wrk(url, connections=64, seconds=1.5, distinct=False):
    """GETs the URL for a while, with another parameter each time if distinct; returns (requests, requests per second)."""
    arguments = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{max(1, round(seconds))}s"]
    if distinct:
        arguments += ["-s", os.path.join(os.path.dirname(os.path.abspath(__file__)), "distinct.lua")]
    text = subprocess.run(
        [*arguments, url], check=True, capture_output=True, text=True, timeout=seconds + 30).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise LoadFailed(f"wrk {url}: {text}")
    return int(re.search(r"(\d+) requests in", text)[1]), float(re.search(r"Requests/sec: +([\d.]+)", text)[1])


def h2load(urls, payload_file, headers, requests, connections, streams):
    """POSTs the payload to the URLs in turn; every answer must be 2xx. Returns the number of requests."""
    arguments = ["h2load", "-n", str(requests), "-c", str(connections), "-m", str(streams), "-d", payload_file]
    for name, value in headers.items():
        arguments += ["-H", f"{name}: {value}"]
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        file.write("".join(url + "\n" for url in urls))
        file.flush()
        text = subprocess.run([*arguments, "-i", file.name], check=True, capture_output=True, text=True, timeout=120).stdout
    if f"{requests} succeeded" not in text or f"{requests} 2xx" not in text:
        raise LoadFailed(f"h2load {urls[0]}: {text}")
    return requests


class _Poster:
    """One keep-alive connection that posts one body after the other."""

    def __init__(self, address, path):
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        host = f"{address[0]}:{address[1]}"
        self.start = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: ".encode()

    def send(self, body):
        self.socket.sendall(b"%s%d\r\n\r\n%s" % (self.start, len(body), body))


def post_all(url, path, bodies, connections=16):
    """Posts each body once over some keep-alive connections; every answer must be success.

    The client never sleeps: a virtual machine makes the server pay up to 30 us for waking it, at each answer.
    """
    host, port = url.split("//")[1].split(":")
    waiting = iter(bodies)
    with selectors.DefaultSelector() as selector:
        open_ones = 0
        for _ in range(connections):
            body = next(waiting, None)
            if body is None:
                break
            poster = _Poster((host, int(port)), path)
            poster.send(body)
            selector.register(poster.socket, selectors.EVENT_READ, poster)
            open_ones += 1
        latest = time.monotonic()
        while open_ones:
            ready = selector.select(0)
            if ready:
                latest = time.monotonic()
            elif time.monotonic() - latest > 30:
                raise LoadFailed("no post was answered for 30 s")
            for key, _ in ready:
                answer = key.fileobj.recv(65_536)
                if b'"success":true' not in answer:
                    raise LoadFailed(f"a post was answered {answer[-300:]!r}")
                body = next(waiting, None)
                if body is None:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    open_ones -= 1
                else:
                    key.data.send(body)
