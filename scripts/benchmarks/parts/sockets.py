"""What 500 Socket.IO clients cost that all hear of every message."""

import statistics

from chain import BLOCK, BURST, Chain
from listeners import Listeners
from setting import Meter

LISTENERS = 500
BLOCKS = 8


def measure(setting):
    measure_by(setting, "socketUrl", "")
    measure_by(setting, "tlsUrl", ", TLS")


def measure_by(setting, address, suffix):
    """The costs of clients at one of a node's addresses."""
    with setting.world("--node-tls") as server:
        chain = Chain(server)
        # What the first messages take is not the sockets'.
        chain.grow(2 * BURST)
        memory = server.resident()
        node = server.world["nodes"][0]
        with Listeners(node[address], LISTENERS, server.world["caFile"]) as listeners:
            connected = server.resident()
            costs = [cost(chain, listeners, setting.rounds * [BLOCK]) for _ in range(BLOCKS)]
            heard = server.resident()
            chain.grow(BURST)
            listeners.wait(BURST)
            flooded = server.resident()
        alone = [cost(chain, None, setting.rounds * [BLOCK]) for _ in range(BLOCKS)]
    events = setting.rounds * BLOCK
    table = setting.table
    goal = None if suffix else 40
    for title, resident, goal in [
        (f"resident memory of a socket, subscribed{suffix}", connected, goal),
        (f"  … after {BLOCKS * events:,} events, {BLOCK} at a time", heard, goal),
        (f"  … after {BURST:,} more at once", flooded, None),
    ]:
        table.at_most(title, (resident - memory) * 1024 / LISTENERS, "KiB", goal)
    each = (statistics.median(costs) - statistics.median(alone)) / (events * LISTENERS)
    table.at_most(f"CPU of an event delivered to a socket{suffix}", each * 1e6, "us", None)


def cost(chain, listeners, bursts):
    """CPU seconds until messages are posted, forged and heard of by all, some at a time."""
    meter = Meter(chain.server)
    for count in bursts:
        meter.measure(lambda: chain.grow(count), count)
        if listeners:
            meter.measure(lambda: listeners.wait(count), 0)
    return meter.seconds
