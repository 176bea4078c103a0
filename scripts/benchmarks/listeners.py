"""Many Socket.IO clients in one process, over WebSocket, that count the events they hear."""

import os
import selectors
import socket
import ssl
import time

SECONDS = 60
TEXT = 0x81


class ListeningFailed(Exception):
    pass


class _Listener:
    """One client: what it has not understood yet, and how many events it has heard."""

    def __init__(self, host, port, context):
        self.socket = socket.create_connection((host, port), SECONDS)
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname=host)
        self.received, self.heard = b"", 0
        self.socket.sendall(
            f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            .encode())
        while b"\r\n\r\n" not in self.received:
            self._receive()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        if b" 101 " not in head:
            raise ListeningFailed(head)
        self._expect(b"0{")
        self.send(b"40")
        self._expect(b"40{")
        self.send(b'42["assetChatTypes",[1]]')

    def _expect(self, start):
        while not (messages := self._messages()):
            self._receive()
        if not messages[0].startswith(start):
            raise ListeningFailed(messages[0])

    def _receive(self):
        part = self.socket.recv(1 << 20)
        if not part:
            raise ListeningFailed("the server has ended a connection")
        self.received += part
        # What TLS has taken from the socket already is not told by the selector.
        while isinstance(self.socket, ssl.SSLSocket) and (waiting := self.socket.pending()):
            self.received += self.socket.recv(waiting)

    def send(self, text):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(text))
        self.socket.sendall(bytes([TEXT, 0x80 | len(text)]) + mask + masked)

    def read(self):
        """Takes what has come; answers pings."""
        self._receive()
        for message in self._messages():
            if message.startswith(b'42["newTrans"'):
                self.heard += 1
            elif message == b"2":
                self.send(b"3")

    def _messages(self):
        """The messages that are complete."""
        messages, data, start = [], self.received, 0
        while len(data) >= start + 2:
            length, body = data[start + 1], start + 2
            if length >= 126:
                size = 2 if length == 126 else 8
                body += size
                if len(data) < body:
                    break
                length = int.from_bytes(data[body - size:body], "big")
            if len(data) < body + length:
                break
            messages.append(data[body:body + length])
            start = body + length
        self.received = data[start:]
        return messages


class Listeners:
    """So many clients that subscribe to all messages, by TLS where the URL says so."""

    def __init__(self, url, count, authority):
        scheme, address = url.split("://")
        host, port = address.split(":")
        context = ssl.create_default_context(cafile=authority) if scheme == "https" else None
        self.selector, self.all, self.expected = selectors.DefaultSelector(), [], 0
        for _ in range(count):
            one = _Listener(host, int(port), context)
            self.all.append(one)
            self.selector.register(one.socket, selectors.EVENT_READ, one)
        # A subscription is not answered.
        time.sleep(1)

    def wait(self, events):
        """Reads until every client has heard so many more."""
        self.expected += events
        end = time.monotonic() + SECONDS
        while any(one.heard < self.expected for one in self.all):
            if time.monotonic() > end:
                raise ListeningFailed(f"not all have heard of {self.expected} events")
            for key, _ in self.selector.select(1):
                key.data.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.selector.close()
        for one in self.all:
            one.socket.close()
