"""HTTP/2 connections over TLS that do nothing after their handshake."""

import resource
import socket
import ssl

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
EMPTY_SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
SETTINGS_ACKNOWLEDGED = bytes([0, 0, 0, 4, 1, 0, 0, 0, 0])


class IdleConnections:
    """So many connections, each with its settings exchanged."""

    def __init__(self, url, count):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count + 200)), hard))
        host, port = url.split("//")[1].split(":")
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        self.all = []
        for _ in range(count):
            connection = context.wrap_socket(socket.create_connection((host, int(port)), 20))
            connection.sendall(PREFACE + EMPTY_SETTINGS)
            # Its settings, and that it has seen ours.
            received = b""
            while SETTINGS_ACKNOWLEDGED not in received:
                part = connection.recv(4096)
                if not part:
                    raise RuntimeError("the server has ended a connection")
                received += part
            connection.sendall(SETTINGS_ACKNOWLEDGED)
            self.all.append(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.all:
            connection.close()
