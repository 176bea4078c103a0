"""Kills a world under load with SIGKILL, reopens it, and checks that nothing it acknowledged is lost.

Usage: killed_under_load.py BINARY FOLDER [ROUNDS] [SEED]      prints one JSON line
"""

import atexit
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

from adamant import CHAT_FEE, TRANSFER_FEE, Account, body, chat, timestamp, transfer

THREADS = 6
START_SECONDS = 20


class World:
    """A running `mocknet up` over the data folder."""

    def __init__(self, binary, folder, *options):
        ready = os.path.join(folder, "ready.json")
        if os.path.exists(ready):
            os.remove(ready)
        arguments = ["up", "--port-base", "0", "--seed", "7", "--data", os.path.join(folder, "data"),
                     "--ready-file", ready, *options]
        self.log = open(os.path.join(folder, "log"), "ab")
        self.process = subprocess.Popen([binary, *arguments], stdout=self.log, stderr=self.log)
        # A failed check must not leave the world behind; killing it twice does no harm.
        atexit.register(self.process.kill)
        end = time.monotonic() + START_SECONDS
        while not os.path.exists(ready):
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(f"the world does not start, see {folder}/log")
            time.sleep(0.005)
        with open(ready, encoding="utf-8") as file:
            self.addresses = json.load(file)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.log.close()

    def node(self):
        return connection(self.addresses["nodes"][0]["url"])

    def control(self):
        return connection(self.addresses["control"])


def connection(url):
    parts = urlsplit(url)
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)


def call(client, method, path, content=None):
    client.request(method, path, content, {"Content-Type": "application/json"})
    answer = client.getresponse()
    return json.loads(answer.read())


def load(world, accounts, rng, seconds):
    """Posts from several threads and kills the world in the middle; returns the acknowledged ids and the height seen."""
    acknowledged, height, stop = [], [0], threading.Event()

    def post(random_source):
        client = world.node()
        while not stop.is_set():
            sender, recipient = random_source.sample(accounts, 2)
            if random_source.random() < 0.1:
                signed = transfer(sender, recipient.address, random_source.randint(1, 10**6), timestamp())
            else:
                signed = chat(sender, recipient.address, random_source.randbytes(40), random_source.randbytes(24), timestamp())
            try:
                answer = call(client, "POST", "/api/transactions/process", body(signed[1]))
                if answer.get("success"):
                    assert answer["transactionId"] == signed[0], (answer, signed)
                    acknowledged.append(signed[0])
            except (OSError, http.client.HTTPException, ValueError):
                return

    def watch():
        client = world.node()
        while not stop.is_set():
            try:
                height[0] = call(client, "GET", "/api/blocks/getHeight")["height"]
            except (OSError, http.client.HTTPException, ValueError):
                return

    threads = [threading.Thread(target=post, args=(random.Random(rng.random()),)) for _ in range(THREADS)]
    threads.append(threading.Thread(target=watch))
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    world.kill()
    stop.set()
    for thread in threads:
        thread.join()
    return acknowledged, height[0]


def forge_all(world):
    """Forges until the pool of the only node is empty, and returns the confirmed transactions after the genesis."""
    node, control = world.node(), world.control()
    while True:
        before = call(node, "GET", "/api/transactions?limit=1")["count"]
        call(control, "POST", "/v1/chain/forge", json.dumps({"blocks": 50}))
        if call(node, "GET", "/api/transactions?limit=1")["count"] == before:
            break
    found, offset = [], 0
    while page := call(node, "GET", f"/api/transactions?limit=1000&offset={offset}&orderBy=height:asc")["transactions"]:
        found += page
        offset += len(page)
    return [one for one in found if one["height"] > 1]


def check_balances(world, opening, confirmed):
    """Every account holds what it had, less what it sent, plus what it was sent."""
    expected = dict(opening)
    for one in confirmed:
        fee = TRANSFER_FEE if one["type"] == 0 else CHAT_FEE
        assert one["fee"] == fee, one
        expected[one["senderId"]] -= one["amount"] + fee
        expected[one["recipientId"]] += one["amount"]
    node = world.node()
    for address, balance in expected.items():
        answer = call(node, "GET", f"/api/accounts/getBalance?address={address}")
        assert answer["balance"] == answer["unconfirmedBalance"] == str(balance), (address, answer, balance)


def main():
    binary, folder = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 7
    rng, acknowledged, opening, accounts = random.Random(seed), [], None, None
    print(f"seed {seed}", file=sys.stderr)
    for number in range(rounds):
        forging = ["instant"] if number % 2 else ["interval", "--block-interval", "50ms"]
        world = World(binary, folder, "--forging", *forging)
        if opening is None:
            funded = [one for one in world.addresses["accounts"] if int(one["balance"]) > 10**10]
            opening = {one["address"]: int(one["balance"]) for one in funded}
            accounts = [Account(one["passphrase"]) for one in funded]
            assert {one.address for one in accounts} == set(opening)
        new, height = load(world, accounts, rng, rng.uniform(0.3, 1.0))
        assert new, "nothing was acknowledged before the kill"
        acknowledged += new

        reopened = World(binary, folder, "--forging", "manual")
        first = call(reopened.node(), "GET", "/api/blocks/getHeight")["height"]
        assert first >= height, f"round {number}: height {height} was answered, {first} came back"
        reopened.kill()
        reopened = World(binary, folder, "--forging", "manual")
        second = call(reopened.node(), "GET", "/api/blocks/getHeight")["height"]
        assert second == first, f"round {number}: reopened at {first}, then at {second}"
        confirmed = forge_all(reopened)
        lost = set(acknowledged) - {one["id"] for one in confirmed}
        assert not lost, f"round {number}: {len(lost)} of {len(acknowledged)} acknowledged are lost, one is {lost.pop()}"
        check_balances(reopened, opening, confirmed)
        reopened.kill()
    print(json.dumps({"rounds": rounds, "acknowledged": len(acknowledged), "seed": seed}))


main()
