"""Measures mocknet beside its peers in one run, in alternating rounds, and prints one table.

Compared is the CPU time of the server per completed request: rates on shared cores vary by twice, this does not.
"""

import argparse
import ctypes
import os
import statistics
import sys
import tempfile
import time

CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/World/EndToEndTests/clients")
sys.path.insert(0, CLIENTS)
sys.dont_write_bytecode = True

import adamant  # noqa: E402
from loads import h2load, post_all, wrk  # noqa: E402
from servers import Mocknet, Nghttpd, Nginx, accepts, free_port  # noqa: E402
from table import Table  # noqa: E402

CONNECTIONS = [64, 127, 128, 129, 256, 512]
# As many as fit the part of the pool that takes posts; then blocks are forged.
BURST = 900
BLOCK = 25


def per_request(server, load):
    """Seconds of the server's CPU for each request of a load."""
    before = server.cpu()
    count = load()
    return (server.cpu() - before) / count


def alternate(rounds, ours, peer):
    """Medians of both sides, measured in turns."""
    results = [(ours(), peer()) for _ in range(rounds)]
    return statistics.median(r[0] for r in results), statistics.median(r[1] for r in results)


class Bench:
    def __init__(self, options, folder):
        self.binary, self.rounds, self.folder = options.binary, options.rounds, folder
        self.transactions = options.transactions
        self.table = Table()

    def world(self, *options):
        return Mocknet(self.binary, self.folder, "--forging", "manual", *options)

    def start(self):
        """From starting the process to its first answer, and memory before anything else."""
        times = []
        for _ in range(max(self.rounds, 5)):
            base = free_port_base()
            begin = time.monotonic()
            server = StartedMocknet(self.binary, base)
            with server:
                while not answers(base + 66):
                    if server.process.poll() is not None:
                        raise RuntimeError("mocknet ended instead of starting")
                times.append((time.monotonic() - begin) * 1000)
        self.table.at_most("start to the first answer", statistics.median(times), "ms", 50)
        with self.world() as server:
            time.sleep(1)
            self.table.at_most("resident memory, idle", server.resident(), "MiB", 25)

    def node(self):
        """GETs of a node beside nginx serving the same bytes."""
        with self.world() as server:
            fill(server, 200)
            height = server.control("GET", "/v1/world")["height"]
            bob = account_of(server, "bob")
            paths = {
                "status": ("GET /api/node/status", "/api/node/status", 0.8),
                "page": ("GET /api/chats/get, page of 100", f"/api/chats/get?isIn={bob}&orderBy=timestamp:desc", 0.75),
                "empty": ("GET /api/chats/get, nothing new", f"/api/chats/get?orderBy=timestamp:desc&fromHeight={height}", 0.75),
            }
            files = {name: server.get(path) for name, (_, path, _) in paths.items()}
            assert files["page"].count(b'"id":') == 100 and b'"transactions":[]' in files["empty"]
            with Nginx(self.folder, files) as nginx:
                for name, (title, path, goal) in paths.items():
                    ours, peer = alternate(
                        self.rounds,
                        lambda: per_request(server, lambda: wrk(server.node + path)[0]),
                        lambda: per_request(nginx, lambda: wrk(f"{nginx.url}/{name}")[0]))
                    self.table.ratio(title, f"nginx, {len(files[name])} bytes", peer, ours, goal)
                    if "?" in path:
                        alone = statistics.median(
                            per_request(server, lambda: wrk(server.node + path, distinct=True)[0])
                            for _ in range(self.rounds))
                        self.table.ratio("  … asked for by nobody else", f"nginx, {len(files[name])} bytes", peer, alone, None)
            costs, rates = {count: [] for count in CONNECTIONS}, {count: [] for count in CONNECTIONS}
            for _ in range(self.rounds):
                for count in CONNECTIONS:
                    before = server.cpu()
                    requests, rate = wrk(server.node + "/api/node/status", count)
                    costs[count].append((server.cpu() - before) / requests)
                    rates[count].append(rate)
            few = CONNECTIONS[0]
            for count in CONNECTIONS[1:]:
                self.table.share(f"requests per second with {count} connections", f"{few} connections",
                                 statistics.median(rates[few]), statistics.median(rates[count]), 0.5)
                self.table.ratio("  … CPU for each", f"{few} connections",
                                 statistics.median(costs[few]), statistics.median(costs[count]), None)

    def posts(self):
        """Signed posts beside the bare verification; memory and the cost of a page as the chain grows."""
        with self.world() as server:
            path = f"/api/chats/get?isIn={account_of(server, 'bob')}&orderBy=timestamp:desc"
            count = fill(server, 1000)
            small = min(per_request(server, lambda: wrk(server.node + path)[0]) for _ in range(self.rounds))
            ours, with_blocks, raw = [], [], []
            for _ in range(self.rounds):
                raw.append(verification_seconds())
                posted, forged = Meter(server), Meter(server)
                count += fill(server, 20 * BURST, posted, forged)
                ours.append(posted.seconds / posted.count)
                with_blocks.append((posted.seconds + forged.seconds) / posted.count)
            bare = statistics.median(raw)
            self.table.ratio("POST of a signed chat transaction", "Ed25519 verification", bare, statistics.median(ours), 0.5)
            self.table.ratio("  … with its share of the blocks", "Ed25519 verification", bare, statistics.median(with_blocks), None)
            count += fill(server, max(0, 100_000 - count))
            self.table.at_most("resident memory, 100,000 transactions", server.resident(), "MiB", None)
            if self.transactions > count:
                count += fill(server, self.transactions - count)
            large = min(per_request(server, lambda: wrk(server.node + path)[0]) for _ in range(self.rounds))
            self.table.at_most(f"page of 100 at {count:,} against 1,000 transactions", large / small, "times", 2)
            self.table.at_most(f"resident memory, {count:,} transactions", server.resident(), "MiB", None)

    def pushes(self):
        """Pushes, validated and recorded, beside nghttpd answering an empty file."""
        payload = os.path.join(self.folder, "push.json")
        with open(payload, "w", encoding="ascii") as file:
            file.write('{"aps":{"alert":{"loc-key":"NewMessage"},"mutable-content":1},'
                       '"push-recipient":"U9764661521592110710","txn-id":"9141507109838748685"}')
        headers = {"apns-topic": "im.adamant.adamant-messenger", "apns-push-type": "alert", "apns-priority": "10",
                   "authorization": "bearer " + provider_token()}
        paths = [f"/3/device/{number:064x}" for number in range(1000)]
        for title, tokens, requests, connections, streams, goal in [
            ("push, 4 connections of 100 streams", 1, 20_000, 4, 100, 0.65),
            ("the same, to 1,000 devices in turn", 1000, 20_000, 4, 100, 0.65),
            ("push, a new TLS connection for each", 1, 400, 400, 1, 1.0),
        ]:
            paths = [f"/3/device/{number:064x}" for number in range(tokens)]
            # Each begins with no record, since pushes are dearer until the ring is full.
            with self.world() as server, Nghttpd(self.folder, paths) as nghttpd:
                ours, peer = alternate(
                    self.rounds,
                    lambda: per_request(server, lambda: h2load(
                        [server.world["apns"]["production"] + path for path in paths],
                        payload, headers, requests, connections, streams)),
                    lambda: per_request(nghttpd, lambda: h2load(
                        [nghttpd.url + path for path in paths], payload, headers, requests, connections, streams)))
                self.table.ratio(title, "nghttpd, empty file", peer, ours, goal)


class StartedMocknet(Mocknet):
    """A world of which only the node's port is known."""

    def __init__(self, binary, base):  # pylint: disable=super-init-not-called
        super(Mocknet, self).__init__([binary, "up", "--port-base", str(base), "--seed", "7"])


class Meter:
    """Adds up a server's CPU over several stretches."""

    def __init__(self, server):
        self.server, self.seconds, self.count = server, 0.0, 0

    def measure(self, work, count):
        before = self.server.cpu()
        work()
        self.seconds += self.server.cpu() - before
        self.count += count


def free_port_base():
    """A base whose ports look free."""
    while True:
        base = free_port()
        if base < 65_000 and not any(accepts(base + offset) for offset in (0, 20, 21, 66, 68)):
            return base


def answers(port):
    try:
        return b'"success":true' in Mocknet._call(f"http://127.0.0.1:{port}", "GET", "/api/node/status")
    except OSError:
        return False


def account_of(server, name):
    return next(one["address"] for one in server.world["accounts"] if one["name"] == name)


class Signer:
    """Makes signed chat transactions in turn from all funded accounts of a world, most of them to bob."""

    def __init__(self, world):
        self.accounts = [adamant.Account(one["passphrase"]) for one in world["accounts"] if int(one["balance"]) > 0]
        self.recipient = next(one["address"] for one in world["accounts"] if one["name"] == "bob")
        self.number = 0

    def bodies(self, count):
        at = adamant.timestamp()
        for _ in range(count):
            self.number += 1
            sender = self.accounts[self.number % len(self.accounts)]
            nonce = self.number.to_bytes(24, "big")
            yield adamant.body(adamant.chat(sender, self.recipient, os.urandom(48), nonce, at)[1])


def fill(server, count, posted=None, forged=None):
    """Posts so many signed transactions and has them forged."""
    if not hasattr(server, "signer"):
        server.signer = Signer(server.world)
    posted, forged = posted or Meter(server), forged or Meter(server)
    left = count
    while left:
        burst = list(server.signer.bodies(min(left, BURST)))
        posted.measure(lambda: post_all(server.node, "/api/chats/process", burst), len(burst))
        blocks = -(-len(burst) // BLOCK)
        forged.measure(lambda: server.control("POST", "/v1/chain/forge", {"blocks": blocks}), blocks)
        left -= len(burst)
    return count


def verification_seconds(count=5000):
    """CPU seconds of one Ed25519 verification of 32 bytes by libsodium, each of another signature, as a node has to."""
    library = adamant.libsodium()
    public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
    library.crypto_sign_keypair(public, secret)
    length, signed = ctypes.c_ulonglong(32), []
    for _ in range(count):
        message, signature = os.urandom(32), ctypes.create_string_buffer(64)
        library.crypto_sign_detached(signature, None, message, length, secret)
        signed.append((message, signature))
    begin = time.process_time()
    for message, signature in signed:
        assert library.crypto_sign_verify_detached(signature, message, length, public) == 0
    return (time.process_time() - begin) / count


def provider_token():
    """A provider token in form; with the default credentials its signature's key cannot be known."""
    import base64
    import json

    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    header, claims = {"alg": "ES256", "kid": "MOCKKEY001"}, {"iss": "MOCKTEAM01", "iat": int(time.time())}
    return ".".join([part(json.dumps(header).encode()), part(json.dumps(claims).encode()), part(os.urandom(64))])


def main():
    names = ["start", "node", "posts", "pushes"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds of each measurement (5)")
    parser.add_argument("--transactions", type=int, default=1_000_000, help="length of the long chain (1000000)")
    parser.add_argument("--only", default=",".join(names), help="some of " + ",".join(names))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mocknet-bench-") as folder:
        bench = Bench(options, folder)
        for name in options.only.split(","):
            if name not in names:
                parser.error(f"unknown measurement '{name}'")
            print(f"measuring: {name}", file=sys.stderr)
            getattr(bench, name)()
    bench.table.print()


main()
