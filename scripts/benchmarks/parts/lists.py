"""Lists of a node on a short and a long chain, beside nginx serving the same bytes, and what a transaction takes in memory."""

from chain import Chain, Conversations, account_of
from parts.node import compare, cost_alone

SHORT = 1000
GOAL = 0.75


def measure(setting):
    with setting.world() as server:
        chain = Chain(server, Conversations)
        chain.grow_to(SHORT)
        before = {title: cost(setting, server, path) for title, path in paths(server).items()}
        memory = server.resident()
        chain.grow_to(setting.transactions)
        grown = (server.resident() - memory) * 1024 / (chain.length - SHORT)
        setting.table.at_most(f"resident memory of a transaction, {chain.length:,}", grown, "KiB", 1.2)
        named = {str(place): (title, path, GOAL) for place, (title, path) in enumerate(paths(server).items())}
        for title, path, _ in named.values():
            setting.table.at_most(f"{title} at {chain.length:,} against {SHORT:,} transactions",
                                  cost(setting, server, path) / before[title], "times", 2)
        compare(setting, server, named, {name: server.get(path) for name, (_, path, _) in named.items()})


def cost(setting, server, path):
    """The least of some rounds, of requests that nobody else has made."""
    return min(cost_alone(server, path) for _ in range(setting.rounds))


def paths(server):
    """The lists by their titles; all of them are full pages."""
    alice, bob = account_of(server, "alice"), account_of(server, "bob")
    middle = server.control("GET", "/v1/world")["height"] // 2
    lists = {
        "chat rooms, 25": f"/api/chatrooms/{bob}?orderBy=timestamp:desc",
        "messages of a room, 100": f"/api/chatrooms/{alice}/{bob}?orderBy=timestamp:desc",
        "transactions, senderId": f"/api/transactions?senderId={alice}",
        "transactions, type and fromHeight": f"/api/transactions?type=0&and:fromHeight={middle}",
        "transactions, recipientId in order of time":
            f"/api/transactions?recipientId={bob}&orderBy=timestamp:desc&returnAsset=1",
    }
    for title, path in lists.items():
        count = 25 if "rooms" in title else 100
        assert server.get(path).count(b'"signature":' if count == 100 else b'"lastTransaction":') == count, path
    return lists
