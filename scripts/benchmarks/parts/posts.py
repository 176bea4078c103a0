"""Signed posts beside the bare verification; memory and the cost of a page as the chain grows."""

import contextlib
import ctypes
import multiprocessing
import os
import statistics
import time

from chain import BURST, Chain, account_of, adamant
from loads import wrk
from setting import Meter, per_request

CONNECTIONS = [1, 64]


def measure(setting):
    with setting.world() as server:
        path = f"/api/chats/get?isIn={account_of(server, 'bob')}&orderBy=timestamp:desc"
        chain = Chain(server)
        chain.grow_to(1000)
        small = min(per_request(server, lambda: wrk(server.node + path)[0]) for _ in range(setting.rounds))
        compare(setting, server, chain)
        chain.grow_to(100_000)
        setting.table.at_most("resident memory, 100,000 transactions", server.resident(), "MiB", None)
        chain.grow_to(setting.transactions)
        large = min(per_request(server, lambda: wrk(server.node + path)[0]) for _ in range(setting.rounds))
        setting.table.at_most(f"page of 100 at {chain.length:,} against 1,000 transactions", large / small, "times", 2)
        setting.table.at_most(f"resident memory, {chain.length:,} transactions", server.resident(), "MiB", None)


def compare(setting, server, chain):
    """The cost of a post through some, one and many connections beside a verification."""
    raw, ours, with_blocks = [], [], []
    through = {count: [] for count in CONNECTIONS}
    for _ in range(setting.rounds):
        with company(chain.source):
            raw.append(verification_seconds())
        posted, forged = Meter(server), Meter(server)
        chain.grow(10 * BURST, posted, forged)
        ours.append(posted.each)
        with_blocks.append((posted.seconds + forged.seconds) / posted.count)
        for count, costs in through.items():
            posted = Meter(server)
            chain.grow(5 * BURST, posted, connections=count)
            costs.append(posted.each)
    bare = statistics.median(raw)
    table, peer = setting.table, "Ed25519 verification"
    table.ratio("POST of a signed chat transaction", peer, bare, statistics.median(ours), 0.5)
    table.ratio("  … with its share of the blocks", peer, bare, statistics.median(with_blocks), None)
    for count, costs in through.items():
        connections = "1 connection" if count == 1 else f"{count} connections"
        table.ratio(f"  … through {connections} in place of 16", peer, bare, statistics.median(costs), None)


@contextlib.contextmanager
def company(source):
    """Keeps another core busy with what the client does while it posts: two cores at work are slower than one."""
    def work():
        while True:
            list(source.bodies(BURST))

    client = multiprocessing.get_context("fork").Process(target=work, daemon=True)
    client.start()
    try:
        yield
    finally:
        client.kill()
        client.join()


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
