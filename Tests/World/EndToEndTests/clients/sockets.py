"""What python-socketio, of whichever version runs this, gets from a node's sockets.

Usage: sockets.py CONTROL-URL. The world forges by hand, and its nodes speak TLS too.
"""
import sys

from socket_client import LOST, ConnectionFailure, Listener, World, wait_until

POLLING, WEBSOCKET = ["polling"], ["websocket"]
BOTH = ["polling", "websocket"]

POOL_MEMBERS = {
    "type", "amount", "senderPublicKey", "senderId", "recipientId", "timestamp", "signature", "asset", "id", "fee",
    "relays", "receivedAt", "block_timestamp", "recipientPublicKey",
}


def transports(world):
    """Both transports and the upgrade, at the sockets' port and at those of HTTP and HTTPS."""
    for url in (world.node["socketUrl"], world.node["url"], world.node["tlsUrl"]):
        for choice in (POLLING, WEBSOCKET, BOTH):
            # Reading and writing one TLS socket on two threads now and then ends it in this Python, whatever
            # server it talks to.
            attempts = 5 if url.startswith("https:") else 1
            assert any(hears(world, url, choice) for _ in range(attempts)), (url, choice)


def hears(world, url, choice):
    """One client hears of what it subscribed to, as it should; false when it lost its connection."""
    alice, bob = world.accounts["alice"], world.accounts["bob"]
    try:
        listener = Listener(url, choice)
    except ConnectionFailure:
        return False
    assert listener.client.transport() == choice[-1], (listener.client.transport(), choice)
    listener.subscribe(address=bob)
    isHeard = False
    if world.settle(listener):
        assert world.clients() == 1
        posted = world.send()
        world.forge()
        # Confirming it is no second event: the next heard is the next transaction.
        world.forge()
        again = world.send(recipient="alice", sender="bob")
        world.forge()
        heard = listener.wait(2)
        if LOST not in heard:
            isHeard = True
            (name, value), (_, next) = heard
            assert name == "newTrans" and value["id"] == posted, value
            assert set(value) == POOL_MEMBERS, set(value) ^ POOL_MEMBERS
            assert value["block_timestamp"] is None and len(value["recipientPublicKey"]) == 64
            assert (value["senderId"], value["recipientId"]) == (alice, bob)
            assert value["asset"]["chat"]["type"] == 1 and value["receivedAt"].endswith("Z")
            assert next["id"] == again
    listener.close()
    wait_until("the session ends", lambda: world.clients() == 0)
    return isHeard


def subscriptions(world):
    """Who hears of what; newest first inside a fill."""
    bob, carol = world.accounts["bob"], world.accounts["carol"]
    socket = world.node["socketUrl"]
    everything = Listener(socket, WEBSOCKET)
    everything.subscribe(types=[0, 2, 3, 9], assetChatTypes=[1, 2, 3])
    transfers = Listener(socket, WEBSOCKET)
    transfers.subscribe(address=[bob, carol], types=0)
    signals = Listener(socket, POLLING)
    signals.subscribe(address=bob.lower(), assetChatTypes=3)
    nothing = Listener(socket, WEBSOCKET)
    wrong = Listener(socket, WEBSOCKET)
    wrong.subscribe(address={"a": 1}, types="0", assetChatTypes=[7], nonsense=[1])
    assert world.settle(everything, transfers, signals, nothing, wrong)
    message = world.send()
    paid = world.transfer(100_000_000)
    signal = world.send(kind="signal")
    world.forge()
    heard = [value["id"] for _, value in everything.wait(3)]
    assert heard == [signal, paid, message], heard
    assert [value["id"] for _, value in transfers.wait(1)] == [paid]
    assert [value["id"] for _, value in signals.wait(1)] == [signal]
    # Money that comes in a block of its own is heard of when the block is applied.
    world.call("POST", "/v1/accounts/bob/fund", {"amount": "1000"})
    funded = everything.wait(4)[3][1]
    assert funded["recipientId"] == bob and funded["amount"] == 1000 and "relays" not in funded, funded
    assert nothing.heard == [] and wrong.heard == [] and len(signals.heard) == 1
    for listener in (everything, transfers, signals, nothing, wrong):
        listener.close()


def balances(world):
    """Blocks and balances, which 0.10 has and 0.9 does not."""
    alice, bob = world.accounts["alice"], world.accounts["bob"]
    listener = Listener(world.node["socketUrl"], WEBSOCKET)
    wanted = dict(address=[alice, bob], types=[9], blocks=True, balances=["balance", "unconfirmedBalance"])
    listener.subscribe(**wanted)
    assert world.settle(listener)
    world.transfer(100_000_000)
    world.forge()
    world.call("PATCH", "/v1/nodes/alpha", {"version": "0.10"})
    listener.subscribe(**wanted)
    assert world.settle(listener)
    before = {name: int(world.call("GET", f"/v1/accounts/{name}")["balance"]) for name in ("alice", "bob")}
    world.transfer(100_000_000)
    forged = world.forge()
    heard = listener.wait(4)
    after = {"alice": before["alice"] - 150_000_000, "bob": before["bob"] + 100_000_000}
    assert heard[0] == ("balances/change", {"address": alice, "unconfirmedBalance": str(after["alice"])}), heard
    name, block = heard[1]
    assert name == "newBlock" and list(block) == [
        "id", "height", "timestamp", "generatorPublicKey", "numberOfTransactions", "totalAmount", "totalFee", "reward",
    ], heard[1]
    assert block["id"] == forged["lastBlock"]["id"] and block["height"] == forged["height"]
    assert (block["numberOfTransactions"], block["totalAmount"], block["totalFee"]) == (1, 100_000_000, 50_000_000)
    changes = [value for name, value in heard[2:4] if name == "balances/change"]
    assert sorted(changes, key=lambda change: change["address"]) == sorted(
        [
            {"address": alice, "balance": str(after["alice"])},
            {"address": bob, "balance": str(after["bob"]), "unconfirmedBalance": str(after["bob"])},
        ],
        key=lambda change: change["address"],
    ), changes
    listener.subscribe(blocks=False)
    assert world.settle(listener)
    world.forge()
    world.transfer(1)
    world.forge()
    assert [name for name, _ in listener.wait(7)[4:]] == ["balances/change"] * 3, listener.heard
    listener.close()
    world.call("PATCH", "/v1/nodes/alpha", {"version": "0.9"})


def faults(world):
    """Refuse, drop, malformed, repeat, withhold."""
    bob = world.accounts["bob"]
    socket = world.node["socketUrl"]
    world.fault({"kind": "socket-refuse"}, limit=2)
    for choice in (POLLING, WEBSOCKET):
        try:
            Listener(socket, choice)
        except Exception as error:  # each version has its own kind
            assert "onnect" in type(error).__name__, error
        else:
            raise AssertionError("a refused handshake")
    listener = Listener(socket, WEBSOCKET)
    listener.subscribe(address=bob)
    assert world.settle(listener)
    world.fault({"kind": "socket-withhold"}, match={"recipient": bob, "chatType": 1}, limit=1)
    world.send()
    world.forge()
    world.fault({"kind": "socket-repeat"}, limit=1)
    twice = world.send()
    world.forge()
    assert [value["id"] for _, value in listener.wait(2)] == [twice, twice]
    world.fault({"kind": "socket-malformed"}, limit=1)
    world.send()
    world.forge()
    assert listener.wait(3)[2][0] == "disconnect"
    world.fault({"kind": "socket-drop", "seconds": 1}, limit=2)
    for choice in (WEBSOCKET, POLLING):
        dropped = Listener(socket, choice)
        assert dropped.wait(1)[0][0] == "disconnect"
    world.call("DELETE", "/v1/faults")


def switching(world):
    """A node without sockets ends what is connected and says so; the others' port is refused."""
    listener = Listener(world.node["socketUrl"], WEBSOCKET)
    other = Listener(world.node["url"], POLLING)
    # The older version pings at once, and never tells of a disconnection that it learns of by that.
    other.client.sleep(0.3)
    port = world.status()["wsClient"]["port"]
    assert world.node["socketUrl"].endswith(f":{port}")
    assert world.call("PATCH", "/v1/nodes/alpha", {"socket": False})["socket"] is False
    listener.wait(1)
    other.wait(1)
    assert world.status()["wsClient"] == {"enabled": False}
    for url in (world.node["socketUrl"], world.node["url"]):
        try:
            Listener(url, POLLING)
        except Exception as error:  # each version has its own kind
            assert "onnect" in type(error).__name__, error
        else:
            raise AssertionError("a node without sockets")
    world.call("PATCH", "/v1/nodes/alpha", {"socket": True})
    assert world.status()["wsClient"] == {"enabled": True, "port": port}
    again = Listener(world.node["socketUrl"], BOTH)
    world.call("POST", "/v1/reset", {})
    again.wait(1)
    wait_until("the session ends", lambda: world.clients() == 0)


def main():
    world = World(sys.argv[1])
    for part in (transports, subscriptions, balances, faults, switching):
        part(world)
        print(part.__name__, "as expected", flush=True)


main()
