"""Fills a world's chain with signed transactions, posted as clients post them."""

import os
import sys

CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/World/EndToEndTests/clients")
sys.path.insert(0, CLIENTS)

import adamant  # noqa: E402
from loads import post_all  # noqa: E402
from setting import Meter  # noqa: E402

# As many as fit the part of the pool that takes posts; then blocks are forged.
BURST = 900
BLOCK = 25


def account_of(server, name):
    return next(one["address"] for one in server.world["accounts"] if one["name"] == name)


class Chats:
    """Signed chat messages in turn from all funded accounts of a world, all of them to bob."""

    endpoint = "/api/chats/process"

    def __init__(self, server):
        self.accounts = [adamant.Account(one["passphrase"]) for one in server.world["accounts"] if int(one["balance"])]
        self.recipient = account_of(server, "bob")
        self.number = 0

    def bodies(self, count):
        at = adamant.timestamp()
        for _ in range(count):
            self.number += 1
            yield adamant.body(self.transaction(self.accounts[self.number % len(self.accounts)], at)[1])

    def transaction(self, sender, at):
        return self.chat(sender, self.recipient, at)

    def chat(self, sender, recipient, at):
        return adamant.chat(sender, recipient, os.urandom(48), self.number.to_bytes(24, "big"), at)


class Conversations(Chats):
    """Every fourth is a transfer of 1e-8 ADM to bob; bob himself writes to a thousand strangers in turn."""

    endpoint = "/api/transactions/process"
    STRANGERS = 1000
    FUNDS = 10_000_000_000_000

    def __init__(self, server):
        super().__init__(server)
        self.strangers = 0
        # Transfers cost 500 times as much as messages.
        for one in server.world["accounts"]:
            if int(one["balance"]):
                server.control("POST", f"/v1/accounts/{one['name']}/fund", {"amount": str(self.FUNDS)})

    def transaction(self, sender, at):
        if sender.address == self.recipient:
            self.strangers += 1
            return self.chat(sender, f"U{1 + self.strangers % self.STRANGERS}", at)
        if self.number % 4 == 0:
            return adamant.transfer(sender, self.recipient, self.number, at)
        return self.chat(sender, self.recipient, at)


class Chain:
    """The chain of a world, and how it grows."""

    def __init__(self, server, source=Chats):
        self.server, self.source = server, source(server)
        self.length = 0

    def grow(self, count, posted=None, forged=None, connections=16):
        """Posts so many transactions and has them forged."""
        posted, forged = posted or Meter(self.server), forged or Meter(self.server)
        while count > 0:
            burst = list(self.source.bodies(min(count, BURST)))
            posted.measure(
                lambda: post_all(self.server.node, self.source.endpoint, burst, connections), len(burst))
            blocks = -(-len(burst) // BLOCK)
            forged.measure(lambda: self.server.control("POST", "/v1/chain/forge", {"blocks": blocks}), blocks)
            count -= len(burst)
            self.length += len(burst)

    def grow_to(self, length):
        self.grow(length - self.length)
