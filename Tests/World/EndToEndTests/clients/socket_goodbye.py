"""Ends a world, by a signal, while sockets are open.

Usage: socket_goodbye.py CONTROL-URL PID.
"""
import os
import signal
import struct
import sys
import urllib.request

import websocket

from socket_client import SECONDS, World


def main():
    world = World(sys.argv[1])
    url = world.node["socketUrl"] + "/socket.io/?EIO=4&transport="
    connections = [
        websocket.create_connection(url.replace("http:", "ws:") + "websocket", timeout=SECONDS) for _ in range(100)
    ]
    for _ in range(20):
        urllib.request.urlopen(url + "polling", timeout=SECONDS).read()
    os.kill(int(sys.argv[2]), signal.SIGTERM)
    for connection in connections:
        connection.recv()
        opcode, data = connection.recv_data(control_frame=True)
        assert opcode == websocket.ABNF.OPCODE_CLOSE and struct.unpack(">H", data) == (1001,), (opcode, data)
    print("goodbye")


main()
