"""Pushes, validated and recorded, beside servers that only answer; a long record of them; idle connections."""

import base64
import contextlib
import json
import os
import statistics
import threading
import time

from idling import IdleConnections
from loads import h2load
from servers import Nghttpd, NodeAnswering
from setting import per_request

DEVICES = 1000
# Of a round. Our own world is a new one in each, so that all of its record is in memory; there are so many that the
# handshakes, which have a row of their own, count for little.
PUSHES = 60_000
CONNECTIONS = 1000


def measure(setting):
    payload = os.path.join(setting.folder, "push.json")
    with open(payload, "w", encoding="ascii") as file:
        file.write('{"aps":{"alert":{"loc-key":"NewMessage"},"mutable-content":1},'
                   '"push-recipient":"U9764661521592110710","txn-id":"9141507109838748685"}')
    headers = {"apns-topic": "im.adamant.adamant-messenger", "apns-push-type": "alert", "apns-priority": "10",
               "authorization": "bearer " + provider_token()}
    for title, tokens, requests, connections, streams, goal, node_goal in [
        ("push, 4 connections of 100 streams", 1, PUSHES, 4, 100, 0.65, 5.0),
        ("push, 64 connections of 10 streams", 1, PUSHES, 64, 10, 0.65, 5.0),
        ("push, 4 of 100, to 1,000 devices in turn", DEVICES, PUSHES, 4, 100, 0.65, None),
        ("push, a new TLS connection for each", 1, 400, 400, 1, 1.0, None),
    ]:
        paths = device_paths(tokens)

        def load(server, url):
            return per_request(server, lambda: h2load(
                [url + path for path in paths], payload, headers, requests, connections, streams))

        def ours_alone():
            with setting.world() as ours:
                return load(ours, ours.world["apns"]["production"])

        with contextlib.ExitStack() as peers:
            with setting.world() as one:
                nghttpd = peers.enter_context(Nghttpd(setting.folder, paths, one.identity))
                node = peers.enter_context(NodeAnswering(one.identity))
            cost, beside, by_node = setting.alternate(
                ours_alone, lambda: load(nghttpd, nghttpd.url), lambda: load(node, node.url))
            setting.table.ratio(title, "nghttpd, empty file", beside, cost, goal)
            setting.table.ratio("  …", "Node, only answering", by_node, cost, node_goal)
    measure_record(setting, payload, headers)
    measure_idle(setting)


def device_paths(count):
    return [f"/3/device/{number:064x}" for number in range(count)]


def measure_record(setting, payload, headers):
    """A long record: what it costs, takes and answers."""
    first = setting.pushes // 5
    with setting.world() as server:
        def push(paths, count):
            h2load([server.world["apns"]["production"] + path for path in paths], payload, headers, count, min(4, count), 100)

        paths = device_paths(DEVICES)
        push(paths, first)
        at_first = settled(server)
        before = server.cpu()
        for _ in range(4):
            push(paths, first)
        at_end = settled(server)
        cost = (server.cpu() - before) / (4 * first)
        with Nghttpd(setting.folder, paths, server.identity) as nghttpd:
            beside = per_request(nghttpd, lambda: h2load(
                [nghttpd.url + path for path in paths], payload, headers, 50_000, 4, 100))
        total = f"{5 * first:,}"
        setting.table.ratio(f"push from {first:,} to {total} recorded, writing included", "nghttpd, empty file",
                            beside, cost, None)
        setting.table.at_most(f"resident memory, {first:,} recorded pushes", at_first, "MiB", None)
        setting.table.at_most(f"resident memory, {total} recorded pushes", at_end, "MiB", round(at_first * 1.1))
        evicted = server.control("GET", "/v1/pushes?limit=1")["evicted"]
        setting.table.at_most("records that had to give way", evicted, "records", 0)
        for title, query in [
            ("page of 100 by token and status", f"token={0:064x}&status=200"),
            ("page of the middle", f"after={5 * first // 2}"),
            ("page by token and status that no push has", f"token={0:064x}&status=410"),
            ("page by a transaction that no push has", "transactionId=1"),
        ]:
            setting.table.at_most(f"{title}, at {total}", milliseconds(server, query), "ms", 50)
        setting.table.at_most(f"wait for a push, at {total}, with sending it", wait_milliseconds(server, push), "ms", 50)


def settled(server):
    """Resident memory once nothing is written any more."""
    used = -1.0
    while server.cpu() - used > 0.02:
        used = server.cpu()
        time.sleep(0.5)
    return server.resident()


def milliseconds(server, query):
    def once():
        begin = time.monotonic()
        server.control("GET", "/v1/pushes?" + query)
        return (time.monotonic() - begin) * 1000

    return statistics.median(once() for _ in range(9))


def wait_milliseconds(server, push):
    """From sending a push to a token that nobody pushed to yet until a call that waits for it has its answer."""
    def once(number):
        times = []

        def wait():
            token = f"{number:064x}"
            found = server.control("GET", f"/v1/pushes?token={token}&status=200&wait=20")["pushes"]
            times.append(time.monotonic())
            assert len(found) == 1

        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.3)
        begin = time.monotonic()
        push([f"/3/device/{number:064x}"], 1)
        waiting.join()
        return (times[0] - begin) * 1000

    return statistics.median(once(10_000_000 + number) for number in range(5))


def measure_idle(setting):
    """Connections that do nothing after their handshake."""
    with setting.world() as server:
        # Those that come first pay for what all share.
        with IdleConnections(server.world["apns"]["production"], 50):
            pass
        memory, threads = server.resident(), server.threads()
        with IdleConnections(server.world["apns"]["production"], CONNECTIONS):
            time.sleep(1)
            each = (server.resident() - memory) * 1024 / CONNECTIONS
            more, before = server.threads() - threads, server.cpu()
            time.sleep(5)
            used = (server.cpu() - before) * 1000 / 5
        setting.table.at_most(f"memory of an idle connection, of {CONNECTIONS:,}", each, "KiB", 100)
        setting.table.at_most("threads that they take", more, "threads", 0)
        setting.table.at_most("CPU that all of them take in a second", used, "ms", None)


def provider_token():
    """A provider token in form; with the default credentials its signature's key cannot be known."""
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    header, claims = {"alg": "ES256", "kid": "MOCKKEY001"}, {"iss": "MOCKTEAM01", "iat": int(time.time())}
    return ".".join([part(json.dumps(header).encode()), part(json.dumps(claims).encode()), part(os.urandom(64))])
