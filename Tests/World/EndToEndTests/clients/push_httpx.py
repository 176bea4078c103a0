"""Pushes with httpx over HTTP/2, as a provider would, and checks every answer.

Usage: push_httpx.py WORLD-FILE        prints one JSON line with the ids of the pushes sent
"""

import json
import ssl
import sys
import time

import httpx

from provider import TOPIC, provider_token


def expect(response, status, reason):
    body = response.json() if response.content else {}
    assert response.http_version == "HTTP/2", response.http_version
    assert (response.status_code, body.get("reason")) == (status, reason), (response.status_code, body)
    return body


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        world = json.load(file)
    trust = ssl.create_default_context(cafile=world["caFile"])
    token = "11" * 32
    payload = {"aps": {"alert": {"loc-key": "NewMessage"}, "mutable-content": 1}, "txn-id": "1", "push-recipient": "U1"}
    headers = {"authorization": f"bearer {provider_token()}", "apns-topic": TOPIC, "apns-push-type": "alert"}
    with httpx.Client(http2=True, http1=False, verify=trust, base_url=world["apns"]["production"]) as client:

        def push(path=f"/3/device/{token}", body=payload, method="POST", **changes):
            sent = {k: v for k, v in {**headers, **changes}.items() if v is not None}
            return client.request(method, path, content=json.dumps(body) if body is not None else b"", headers=sent)

        own_id = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        answer = push(**{"apns-id": own_id})
        expect(answer, 200, None)
        assert answer.headers["apns-id"] == own_id and answer.content == b""
        made = push().headers["apns-id"]
        assert made == made.upper() and len(made) == 36, made
        ids = [own_id, made]

        expect(push(method="GET"), 405, "MethodNotAllowed")
        expect(push(path="/3/nothing/x"), 404, "BadPath")
        expect(push(path="/3/device/"), 400, "MissingDeviceToken")
        expect(push(authorization=None), 403, "MissingProviderToken")
        expect(push(authorization="bearer nonsense"), 403, "InvalidProviderToken")
        old = provider_token(int(time.time()) - 2 * 3600)
        expect(push(authorization=f"bearer {old}"), 403, "ExpiredProviderToken")
        expect(push(**{"apns-id": "not-a-uuid"}), 400, "BadMessageId")
        expect(push(**{"apns-expiration": "soon"}), 400, "BadExpirationDate")
        expect(push(**{"apns-priority": "7"}), 400, "BadPriority")
        expect(push(**{"apns-collapse-id": "x" * 65}), 400, "BadCollapseId")
        expect(push(**{"apns-push-type": "nonsense"}), 400, "InvalidPushType")
        expect(push(**{"apns-topic": None}), 400, "MissingTopic")
        expect(push(body=None), 400, "PayloadEmpty")
        expect(push(body={"aps": {"alert": "x" * 4097}}), 413, "PayloadTooLarge")
        expect(push(path="/3/device/zz"), 400, "BadDeviceToken")
        for state, status, reason in [
            ("unregistered", 410, "Unregistered"), ("bad", 400, "BadDeviceToken"),
            ("wrong-topic", 400, "DeviceTokenNotForTopic"), ("active", 200, None),
        ]:
            change = httpx.put(f"{world['control']}/v1/apns/tokens/{token}", json={"state": state})
            assert change.status_code == 200, change.text
            body = expect(push(), status, reason)
            assert ("timestamp" in body) == (status == 410), body
            if status == 410:
                assert abs(body["timestamp"] - time.time() * 1000) < 60_000, body
        # Many at once on one connection, each answered with its own id.
        for number in range(100):
            name = f"00000000-0000-4000-8000-{number:012d}"
            assert push(**{"apns-id": name}).headers["apns-id"] == name
    print(json.dumps({"ids": ids}))


main()
