"""Pushes with aioapns (no ALPN, several at once on a connection) and checks the answers it understood.

Usage: push_aioapns.py WORLD-FILE
"""

import asyncio
import json
import ssl
import sys
from urllib.parse import urlsplit

import httpx
from aioapns import APNs, NotificationRequest, connection

from provider import KEY_ID, TEAM_ID, TOPIC, signing_key


async def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        world = json.load(file)
    production = urlsplit(world["apns"]["production"])
    trust = ssl.create_default_context(cafile=world["caFile"])
    # Apple's address is built into the library.
    protocol = connection.APNsProductionClientProtocol
    protocol.APNS_SERVER, protocol.APNS_PORT = production.hostname, production.port
    client = APNs(
        key=signing_key(), key_id=KEY_ID, team_id=TEAM_ID, topic=TOPIC, max_connection_attempts=2, ssl_context=trust)

    def request(token, text):
        return NotificationRequest(device_token=token, message={"aps": {"alert": text}})

    good, gone = "22" * 32, "33" * 32
    state = httpx.put(f"{world['control']}/v1/apns/tokens/{gone}", json={"state": "unregistered"})
    assert state.status_code == 200, state.text
    async with asyncio.timeout(20):
        answers = await asyncio.gather(*[client.send_notification(request(good, f"n{i}")) for i in range(200)])
        assert all(answer.is_successful and answer.status == "200" for answer in answers)
        refused = await client.send_notification(request(gone, "x"))
        assert (refused.status, refused.description) == ("410", "Unregistered"), (refused.status, refused.description)
        again = await client.send_notification(request(good, "after a refusal"))
        assert again.is_successful


asyncio.run(main())
