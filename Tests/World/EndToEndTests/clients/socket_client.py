"""What the scripts about sockets share: the control API, and a client that keeps what it hears."""
import json
import os
import threading
import time
import urllib.request

import socketio

ConnectionFailure = socketio.exceptions.ConnectionError
LOST = ("disconnect", None)
SECONDS = 15


class World:
    """A world by its control API."""

    def __init__(self, control):
        self.control = control
        self.description = self.call("GET", "/v1/world")
        self.node = self.description["nodes"][0]
        # Where the libraries of both transports look for authorities.
        for name in ("REQUESTS_CA_BUNDLE", "WEBSOCKET_CLIENT_CA_BUNDLE"):
            os.environ[name] = self.description["caFile"]
        self.accounts = {account["name"]: account["address"] for account in self.description["accounts"]}

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.control + path, method=method, data=data)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def send(self, sender="alice", recipient="bob", **more):
        body = {"from": sender, "to": recipient, "message": f"hello {time.time()}", **more}
        return self.call("POST", "/v1/transactions", body)["transactionId"]

    def transfer(self, amount, sender="alice", recipient="bob"):
        body = {"from": sender, "to": recipient, "amount": str(amount), "kind": "transfer"}
        return self.call("POST", "/v1/transactions", body)["transactionId"]

    def forge(self):
        return self.call("POST", "/v1/chain/forge", {})

    def fault(self, effect, **rule):
        return self.call("POST", "/v1/faults", {"effect": effect, **rule})["id"]

    def status(self):
        with urllib.request.urlopen(self.node["url"] + "/api/node/status", timeout=SECONDS) as answer:
            return json.loads(answer.read())

    def sockets(self, member, node="alpha"):
        return self.call("GET", f"/v1/nodes/{node}")[member]

    def clients(self):
        return self.sockets("socketClients")

    def settle(self, *listeners, node="alpha"):
        """Waits until the node has taken what these emitted, who are all that are connected; false if one is not."""
        emitted = sum(listener.emitted for listener in listeners)
        isLost = lambda: any(LOST in listener.heard for listener in listeners)
        isTaken = lambda: self.sockets("socketEvents", node) == emitted
        wait_until("all is subscribed", lambda: isLost() or isTaken())
        return not isLost()


class Listener:
    """A client of Socket.IO that keeps the events it gets."""

    EVENTS = ["newTrans", "newBlock", "balances/change"]

    def __init__(self, url, transports):
        self.heard = []
        self.emitted = 0
        self.changed = threading.Condition()
        self.client = socketio.Client(reconnection=False)
        # It would give each event to a thread of its own, and two that come together could change places.
        trigger = self.client.eio._trigger_event
        self.client.eio._trigger_event = lambda *event, **options: trigger(*event, **{**options, "run_async": False})
        for name in self.EVENTS:
            self.client.on(name, lambda value, name=name: self.note(name, value))
        self.client.on("disconnect", lambda *_: self.note(*LOST))
        self.client.connect(url, transports=transports)

    def note(self, name, value):
        with self.changed:
            self.heard.append((name, value))
            self.changed.notify_all()

    def subscribe(self, **values):
        for name, value in values.items():
            self.client.emit(name, value)
            self.emitted += 1

    def wait(self, count):
        """What was heard, once it is so much."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.heard) >= count, SECONDS), self.heard
            return list(self.heard)

    def close(self):
        """Leaves, and waits for the client's threads.

        The older version closes its socket below a thread that still writes to it: what it writes would go into
        the next connection of this process, which gets the same descriptor.
        """
        threads = [self.client.eio.read_loop_task, self.client.eio.write_loop_task]
        self.client.disconnect()
        for thread in threads:
            if thread:
                thread.join(SECONDS)


def wait_until(what, condition):
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
