"""A world for the browser to look at: started on ports of its own, filled with what a dashboard shows, and restarted there."""

import json
import socket
import threading
import subprocess
import time
import urllib.error
import urllib.request

import adamant

HOSTILE = "<img src=x onerror=window.owned=1><script>window.owned=1</script>\u202e\"'`${owned}"


class Relay:
    """Passes connections on to a port until it is cut."""

    def __init__(self, port):
        self.port, self.open = port, set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.is_cut = False
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                client.close()
                continue
            with self.lock:
                if self.is_cut:
                    client.close()
                    server.close()
                    continue
                self.open |= {client, server}
            for ends in [(client, server), (server, client)]:
                threading.Thread(target=self.pass_on, args=ends, daemon=True).start()

    def pass_on(self, source, target):
        try:
            while piece := source.recv(65536):
                target.sendall(piece)
        except OSError:
            pass
        with self.lock:
            for end in (source, target):
                self.open.discard(end)
                end.close()

    def cut(self):
        with self.lock:
            self.is_cut = True
            for end in self.open:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def restore(self):
        self.is_cut = False


class ServedWorld:
    def __init__(self, mocknet, folder, more=(), token=None, is_filled=True):
        folder.mkdir(parents=True, exist_ok=True)
        self.mocknet, self.folder, self.is_filled = mocknet, folder, is_filled
        self.more = list(more)
        self.token = token
        self.process = None

    def __enter__(self):
        for _ in range(20):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.base = probe.getsockname()[1]
            if self.base < 65_000 and self.start():
                break
        else:
            raise RuntimeError("no free ports")
        if self.is_filled:
            self.fill()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        ready = self.folder / "ready.json"
        ready.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [self.mocknet, "up", "--nodes", "2", "--seed", "7", "--port-base", str(self.base), "--block-interval", "400ms", "--ans", "as-deployed",
             "--ans-poll", "200ms", "--ready-file", str(ready), *self.more],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        while not ready.exists():
            if self.process.poll() is not None:
                return False
            time.sleep(0.02)
        self.description = json.loads(ready.read_text())
        self.control = self.description["control"]
        return True

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)

    def call(self, method, path, body=None, seconds=30):
        request = urllib.request.Request(
            f"{self.control}/v1/{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}"} if self.token else {},
        )
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body=None):
        return self.call("POST", path, body or {})

    def send(self, sender, recipient, text):
        return self.post("transactions", {"from": sender, "to": recipient, "message": text})["transactionId"]

    def wait(self, what, holds, seconds=10):
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"waited in vain for: {what}"
            time.sleep(0.03)

    def push(self, token, payload, topic="im.adamant.adamant-messenger"):
        """One push by curl, as a provider sends it."""
        subprocess.run(
            ["curl", "-sS", "--http2", "--cacert", self.description["caFile"], "-H", f"apns-topic: {topic}", "-H", "apns-push-type: alert", "--data-binary", json.dumps(payload),
             f"{self.description['apns']['production']}/3/device/{token}"], check=True, stdout=subprocess.DEVNULL,
        )

    def transfer_by_node(self):
        """A transfer from one account to another through a node, where fault rules see it."""
        names = {account["name"]: account for account in self.description["accounts"]}
        sender = adamant.Account(names["frank"]["passphrase"])
        _, transfer = adamant.transfer(sender, names["grace"]["address"], 100, adamant.timestamp())
        request = urllib.request.Request(
            self.description["nodes"][0]["url"] + "/api/transactions/process", data=adamant.body(transfer),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert json.load(answer)["success"]

    def fill(self):
        """Devices, messages that arrive, one that is lost, one that is refused, and texts that mean harm."""
        self.post("devices", {"name": "phone", "owner": "bob"})
        self.post("devices", {"name": HOSTILE[:60], "owner": "erin"})
        self.post("accounts", {"name": HOSTILE[:40], "balance": "100000000000"})
        self.wait("the registrations", lambda: len(self.get("registry")["rows"]) == 2)
        self.wait("the service knows them", lambda: len(self.get("ans")["rows"]) == 2)
        self.shown = self.send("alice", "bob", "Hello Bob")
        self.send("alice", "bob", HOSTILE)
        self.wait("the banners", lambda: len(self.get("devices/phone")["banners"]) == 2)
        token = self.get("devices/phone")["token"]
        self.call("PATCH", "apns", {"credentials": "off"})
        self.push(token, {"aps": {"alert": {"title": HOSTILE, "body": HOSTILE}}, "owned": HOSTILE})
        gone = "ab" * 32
        self.call("PUT", f"apns/tokens/{gone}", {"state": "unregistered"})
        self.push(gone, {"aps": {"alert": "nobody"}})
        self.refused = self.get("pushes?status=410")["pushes"][0]["id"]
        self.call("PATCH", "apns", {"credentials": "any-key"})
        self.post("devices/phone/offline")
        self.lost = self.send("carol", "bob", "Are you there?")
        self.wait("the loss", lambda: self.get(f"traces/{self.lost}")["outcome"] == "lost")
        self.post("devices/phone/online")

    def live_through_a_morning(self):
        """What pictures are taken of: messages that arrive, some that do not, and faults behind them."""
        for name, owner, behaviour in [("Bob's iPhone", "bob", "as-deployed"), ("Carol's iPad", "carol", "ordered"), ("Alice's iPhone", "alice", "as-deployed")]:
            self.post("devices", {"name": name, "owner": owner, "behaviour": behaviour})
        weather = self.post("devices", {"name": "weather station", "topic": "com.example.alerts"})
        self.wait("the registrations", lambda: len(self.get("ans")["rows"]) == 3)
        lines = [
            ("alice", "bob", "Are we still on for lunch?"), ("bob", "alice", "Yes, at one. The usual place?"), ("alice", "carol", "Bob and I have lunch at one, come along"),
            ("carol", "alice", "Gladly"), ("dave", "bob", "The build is green again"), ("alice", "bob", "Carol comes too"), ("erin", "carol", "Did you get the invoice?"),
        ]
        for turn in range(6):
            for sender, recipient, text in lines:
                self.send(sender, recipient, text)
                time.sleep(0.15)
            if turn == 1:
                self.post("faults", {"name": "busy now and then", "target": "apns", "probability": 0.25, "limit": 6,
                                     "effect": {"kind": "reject", "status": 429, "reason": "TooManyRequests"}})
                self.post("faults", {"name": "slow in the morning", "target": "node", "match": {"node": "beta", "method": "GET"}, "probability": 0.3,
                                     "effect": {"kind": "delay", "milliseconds": 120}})
        self.post("transactions", {"from": "frank", "to": "carol", "amount": "250000000", "kind": "transfer"})
        self.call("PATCH", "nodes/beta", {"lagBlocks": 3, "latency": {"milliseconds": 250}})
        self.call("PATCH", "apns", {"credentials": "off"})
        for text in ["Wind from the south, 40 km/h", "All clear"]:
            self.push(weather["token"], {"aps": {"alert": {"title": "Weather", "body": text}}}, "com.example.alerts")
        gone = "5b" * 32
        self.call("PUT", f"apns/tokens/{gone}", {"state": "unregistered"})
        # The rule that is busy now and then may strike this one.
        while not self.get("pushes?status=410")["pushes"]:
            self.push(gone, {"aps": {"alert": {"loc-key": "NotificationsService.NewMessage.BodySingle"}, "mutable-content": 1}, "push-recipient": "U1", "txn-id": "1"})
        self.call("PATCH", "apns", {"credentials": "any-key"})
        self.refused = self.get("pushes?status=410")["pushes"][0]["id"]
        bob = next(device["id"] for device in self.get("devices")["devices"] if device["name"].startswith("Bob"))
        self.post(f"devices/{bob}/offline")
        self.lost = self.send("carol", "bob", "Where are you?")
        self.wait("the loss", lambda: self.get(f"traces/{self.lost}")["outcome"] == "lost")
        self.post(f"devices/{bob}/online")
