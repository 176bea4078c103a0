"""What sockets hear of a node that lags, and of forks.

Usage: socket_moves.py CONTROL-URL. The world forges by hand and has two nodes, alpha and beta, of version 0.10.
"""
import sys

from socket_client import Listener, World

WEBSOCKET = ["websocket"]
NOTHING_FOR_LONG = {"seconds": 200}


class Follower:
    """A client of a node that hears of bob, of blocks and of bob's balance."""

    def __init__(self, world, name):
        self.world = world
        self.node = world.call("GET", f"/v1/nodes/{name}")
        self.listener = Listener(self.node["socketUrl"], WEBSOCKET)
        self.listener.subscribe(address=world.accounts["bob"], blocks=True, balances="balance")
        assert world.settle(self.listener, node=name)
        self.seen = 0

    def hears(self, *expected):
        """Checks that exactly these events come next: a transaction's id, a block's height, a balance."""
        values = {"newTrans": "id", "newBlock": "height", "balances/change": "balance"}
        heard = self.listener.wait(self.seen + len(expected))[self.seen:]
        assert [value[values[name]] for name, value in heard] == list(expected), (heard, expected)
        self.seen += len(expected)
        return [value for _, value in heard]


def balance(world):
    return int(world.call("GET", "/v1/accounts/bob")["balance"])


def lagging(world):
    """Blocks, and what is in them, when the node knows them; the pool at once."""
    beta = Follower(world, "beta")
    height = world.forge()["height"]
    beta.hears(height)
    height += 2
    world.forge()
    world.forge()
    beta.hears(height - 1, height)
    world.call("PATCH", "/v1/nodes/beta", {"lagBlocks": 2})
    had = balance(world)
    paid = world.transfer(5)
    world.forge()
    world.forge()
    # It fell behind by two blocks and knows again the one that it knew before.
    beta.hears(paid, height - 1, height)
    block = world.forge()
    told = beta.hears(height + 1, str(had + 5))[0]
    assert told["numberOfTransactions"] == 1 and told["totalAmount"] == 5, told
    assert block["height"] == height + 3 and world.sockets("height", "beta") == height + 1
    # What alpha does not relay in time comes to beta with its block.
    world.call("PATCH", "/v1/nodes/alpha", {"relayMilliseconds": 3_600_000})
    foreign = world.transfer(7)
    for _ in range(3):
        world.forge()
    beta.hears(height + 2, height + 3, foreign, height + 4, str(had + 12))
    world.forge()
    world.call("PATCH", "/v1/nodes/alpha", {"relayMilliseconds": 0})
    world.call("PATCH", "/v1/nodes/beta", {"lagBlocks": 0})
    beta.hears(height + 5, height + 6, height + 7)
    beta.listener.close()


def fork(world, **body):
    return world.call("POST", "/v1/chain/reorg", body)


def forks(world):
    """Blocks that take the place of others are told; a transaction in them once in a minute or two."""
    alpha = Follower(world, "alpha")
    had = balance(world)
    paid = world.transfer(11)
    height = world.forge()["height"]
    alpha.hears(paid, height, str(had + 11))
    # It returns in the first of two new blocks: not a word of it, nor of a balance that stays what it is.
    outcome = fork(world, depth=1, keep=[paid])
    told = alpha.hears(height, height + 1)
    assert [block["id"] for block in told] == [block["id"] for block in outcome["forged"]], (told, outcome)
    # It waits for a later block: back in the pool without a word, told by its balance alone.
    fork(world, depth=2, delay=[paid])
    alpha.hears(height, height + 1, height + 2, str(had))
    world.forge()
    alpha.hears(height + 3, str(had + 11))
    # More than two minutes later it is news, once: where a block brings it, and where it becomes unconfirmed.
    world.call("POST", "/v1/clock/advance", NOTHING_FOR_LONG)
    fork(world, depth=1, keep=[paid])
    alpha.hears(paid, height + 3, height + 4)
    world.call("POST", "/v1/clock/advance", NOTHING_FOR_LONG)
    fork(world, depth=2, delay=[paid])
    alpha.hears(height + 3, height + 4, height + 5, str(had))
    world.forge()
    alpha.hears(paid, height + 6, str(had + 11))
    # Dropped for good: the balance falls, and nothing else comes of it.
    fork(world, depth=1, drop=[paid])
    alpha.hears(height + 6, height + 7, str(had))
    world.forge()
    alpha.hears(height + 8)
    alpha.listener.close()


def main():
    world = World(sys.argv[1])
    for part in (lagging, forks):
        part(world)
        print(part.__name__, "as expected", flush=True)


main()
