"""What a node's sockets do with handshakes and frames that no good client sends, and with many clients.

Usage: socket_frames.py CONTROL-URL PID. The world forges by hand; PID is its process, whose memory is looked at.
"""
import json
import os
import random
import socket
import struct
import sys
import urllib.error
import urllib.request

import websocket

from socket_client import SECONDS, World, wait_until

QUERY = "EIO=4&transport=websocket"
UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}
MAXIMUM = 1_000_000


def address(world):
    return "127.0.0.1", int(world.node["socketUrl"].rsplit(":", 1)[1])


def request(world, query, method="GET", body=b"", path="/socket.io/", **headers):
    """Status, fields and body of one exchange."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    target = f"{world.node['socketUrl']}{path}?{query}"
    call = urllib.request.Request(target, data=body or None, method=method, headers=headers)
    try:
        with urllib.request.urlopen(call, timeout=SECONDS) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def raw(world, head, rest=b""):
    """What comes back for bytes, up to the end of the connection or a moment of silence."""
    connection = socket.create_connection(address(world), SECONDS)
    connection.sendall(head + rest)
    connection.settimeout(1)
    data = b""
    try:
        while part := connection.recv(65536):
            data += part
    except (TimeoutError, ConnectionError):
        pass
    connection.close()
    return data


def handshake(query=QUERY, method="GET", **changes):
    fields = {"Host": "localhost", **UPGRADE, **{name.replace("_", "-"): value for name, value in changes.items()}}
    lines = [f"{method} /socket.io/?{query} HTTP/1.1"] + [f"{k}: {v}" for k, v in fields.items() if v is not None]
    return "\r\n".join(lines + ["", ""]).encode()


def open_websocket(world, query=QUERY):
    url = world.node["socketUrl"].replace("http:", "ws:") + "/socket.io/?" + query
    return websocket.create_connection(url, timeout=SECONDS)


def listening(world, address):
    connection = open_websocket(world)
    assert connection.recv().startswith('0{"sid":"')
    connection.send("40")
    assert connection.recv().startswith('40{"sid":"')
    connection.send(json.dumps(["address", address]).join(["42", ""]))
    return connection


def errors(world):
    """Engine.IO's own words, and the fields that pages of other origins need."""
    cases = [
        ("", 0, "Transport unknown"), ("transport=smoke", 0, "Transport unknown"),
        ("transport=polling&transport=polling", 0, "Transport unknown"),
        ("EIO=4&transport=polling&sid=nobody", 1, "Session ID unknown"),
        ("EIO=4&transport=websocket", 3, "Bad request"),
    ]
    for query, code, message in cases:
        status, fields, body = request(world, query, Origin="https://example.com")
        assert (status, json.loads(body)) == (400, {"code": code, "message": message}), (query, status, body)
        assert fields["Content-Type"] == "application/json", fields["Content-Type"]
        assert fields["Access-Control-Allow-Origin"] == "*"
    status, _, body = request(world, "EIO=4&transport=polling", method="POST", body=b"40")
    assert (status, json.loads(body)) == (400, {"code": 2, "message": "Bad handshake method"})
    status, fields, body = request(world, "EIO=4&transport=polling")
    assert status == 200 and fields["Content-Type"] == "text/plain; charset=UTF-8" and body[:8] == b'0{"sid":'
    opened = json.loads(body[1:])
    assert list(opened) == ["sid", "upgrades", "pingInterval", "pingTimeout", "maxPayload"], opened
    assert (opened["upgrades"], opened["maxPayload"]) == (["websocket"], MAXIMUM) and len(opened["sid"]) == 20
    session = f"EIO=4&transport=polling&sid={opened['sid']}"
    status, fields, body = request(world, session, method="POST", body=b"40", Content_Type="text/plain")
    assert (status, body, fields["Content-Type"]) == (200, b"ok", "text/html")
    assert request(world, session)[2].startswith(b'40{"sid":"')
    assert request(world, session, method="PUT")[0] == 500
    assert request(world, session.replace("polling", "websocket"))[0] == 400
    big = b"4" * (MAXIMUM + 1)
    assert request(world, session, method="POST", body=big, Content_Type="text/plain")[0] == 413
    assert request(world, session, method="POST", body=b"1", Content_Type="text/plain")[2] == b"ok"
    assert request(world, session)[0] == 400
    asked = {"Access_Control_Request_Headers": "x-a", "Access_Control_Request_Method": "POST"}
    status, fields, _ = request(world, "EIO=4&transport=polling", method="OPTIONS", **asked)
    assert status == 204 and fields["Access-Control-Allow-Headers"] == "x-a"
    assert fields["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE"
    assert request(world, "", path="/anything")[0] == 404
    assert request(world, "", path="/socket.io")[0] == 404


def handshakes(world):
    """WebSockets that are not opened."""
    refused = [
        (dict(Sec_WebSocket_Key=None), b"Missing or invalid Sec-WebSocket-Key header"),
        (dict(Sec_WebSocket_Key="short=="), b"Missing or invalid Sec-WebSocket-Key header"),
        (dict(Sec_WebSocket_Version="12"), b"Missing or invalid Sec-WebSocket-Version header"),
        (dict(Sec_WebSocket_Version=None), b"Missing or invalid Sec-WebSocket-Version header"),
        (dict(Upgrade="h2c"), b"Invalid Upgrade header"),
        (dict(query="transport=smoke"), b"Transport unknown"),
        (dict(query=QUERY + "&sid=nobody"), b"Session ID unknown"),
        (dict(query="EIO=4&transport=polling"), b"Bad request"),
        (dict(method="POST", Content_Length="0"), b"Bad handshake method"),
    ]
    for changes, words in refused:
        answer = raw(world, handshake(**changes))
        assert answer.startswith(b"HTTP/1.1 400 ") and answer.endswith(words), (changes, answer)
    answer = raw(world, handshake())
    assert b"HTTP/1.1 101 " in answer and b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer, answer
    assert raw(world, handshake()[:-2])[:1] == b"", "an unfinished handshake"
    # A frame right behind the handshake is read; so is a broken one.
    assert b"40{" in raw(world, handshake(), frame(1, b"40"))
    assert raw(world, handshake(), b"\x81\x0240").endswith(b"\x88\x02\x03\xea")


def frame(opcode, payload, last=True, mask=b"\1\2\3\4", length=None):
    size = len(payload) if length is None else length
    head = bytes([(0x80 if last else 0) | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


def closed_with(connection):
    """The code of the close frame that comes."""
    while True:
        opcode, data = connection.recv_data(control_frame=True)
        if opcode == websocket.ABNF.OPCODE_CLOSE:
            return struct.unpack(">H", data[:2])[0] if len(data) >= 2 else None


def frames(world):
    """A bad frame ends its own connection, and no other's."""
    good = listening(world, world.accounts["bob"])
    bad = [
        (b"\x81\x0240", 1002), (b"\xc1\x80\0\0\0\0", 1002), (b"\x83\x80\0\0\0\0", 1002),
        (frame(9, b"", last=False), 1002), (frame(0, b"x"), 1002), (frame(1, b"\xff\xfe"), 1007),
        (frame(8, b"\x03\xed"), 1002), (frame(2, b"x", length=MAXIMUM + 1), 1009),
        (frame(2, b"x", length=2**62), 1009),
        (frame(1, b"4" * 600_000, last=False) + frame(0, b"4" * 600_000), 1009),
    ]
    for data, code in bad:
        connection = open_websocket(world)
        connection.recv()
        connection.sock.sendall(data)
        assert closed_with(connection) == code, (data[:20], code)
        connection.close()
    packets = ["", "x", "2", "4", "4x", "42[]", "42[", '42["connect"]', "40x", "44", "5", "6", "99", "b!", "451-[]"]
    for packet in packets:
        connection = open_websocket(world)
        connection.recv()
        connection.send(packet)
        connection.close()
    largest = open_websocket(world)
    largest.recv()
    largest.send("40")
    largest.recv()
    largest.send('42["types",[' + "8," * 499_980 + "8]]")
    fragments = open_websocket(world)
    fragments.recv()
    fragments.sock.sendall(frame(1, b"4", last=False) + frame(9, b"?") + frame(0, b"0"))
    assert fragments.recv_data(control_frame=True) == (websocket.ABNF.OPCODE_PONG, b"?")
    assert fragments.recv().startswith("40")
    noise(world)
    posted = world.send()
    world.forge()
    assert json.loads(good.recv()[2:])[1]["id"] == posted
    assert json.loads(largest.recv()[2:])[1]["id"] == posted
    for connection in (good, largest, fragments):
        connection.close()
    wait_until("all sessions end", lambda: world.clients() == 0)


def noise(world):
    generator = random.Random(88)
    for _ in range(100):
        connection = socket.create_connection(address(world), SECONDS)
        connection.sendall(handshake() + generator.randbytes(generator.randrange(200)))
        connection.close()
    bodies = [generator.randbytes(generator.randrange(100)) for _ in range(50)] + [b"", b"\x1e" * 50, b"4" * 50]
    for revision in ("3", "4"):
        for body in bodies:
            opened = request(world, f"EIO={revision}&transport=polling")[2].decode()
            sid = json.loads(opened[opened.index("{"):])["sid"]
            for kind in ("text/plain", "application/octet-stream"):
                query = f"EIO={revision}&transport=polling&sid={sid}"
                status = request(world, query, method="POST", body=body, Content_Type=kind)[0]
                assert status in (200, 400), status
            request(world, query, method="POST", body=b"1" if revision == "4" else b"1:1", Content_Type="text/plain")


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def many(world, pid):
    """500 sockets cost little memory and no threads, and all hear of a transaction."""
    warm = [listening(world, world.accounts["carol"]) for _ in range(20)]
    threads, before = len(os.listdir(f"/proc/{pid}/task")), memory(pid)
    connections = [listening(world, world.accounts["bob"]) for _ in range(500)]
    wait_until("all are in", lambda: world.clients() == 520)
    each = (memory(pid) - before) / 500
    assert len(os.listdir(f"/proc/{pid}/task")) == threads
    print(f"{each:.1f} KiB each")
    assert each < 40, each
    posted = world.send()
    world.forge()
    for connection in connections:
        assert json.loads(connection.recv()[2:])[1]["id"] == posted
    for connection in connections + warm:
        connection.shutdown()
    wait_until("all sessions end", lambda: world.clients() == 0)


def main():
    world = World(sys.argv[1])
    errors(world)
    handshakes(world)
    frames(world)
    many(world, int(sys.argv[2]))
    print("as expected")


main()
