"""Pushes, validated and recorded, beside nghttpd answering an empty file."""

import base64
import json
import os
import time

from loads import h2load
from servers import Nghttpd
from setting import per_request


def measure(setting):
    payload = os.path.join(setting.folder, "push.json")
    with open(payload, "w", encoding="ascii") as file:
        file.write('{"aps":{"alert":{"loc-key":"NewMessage"},"mutable-content":1},'
                   '"push-recipient":"U9764661521592110710","txn-id":"9141507109838748685"}')
    headers = {"apns-topic": "im.adamant.adamant-messenger", "apns-push-type": "alert", "apns-priority": "10",
               "authorization": "bearer " + provider_token()}
    for title, tokens, requests, connections, streams, goal in [
        ("push, 4 connections of 100 streams", 1, 20_000, 4, 100, 0.65),
        ("the same, to 1,000 devices in turn", 1000, 20_000, 4, 100, 0.65),
        ("push, a new TLS connection for each", 1, 400, 400, 1, 1.0),
    ]:
        paths = [f"/3/device/{number:064x}" for number in range(tokens)]
        # Each begins with no record, since pushes are dearer until the ring is full.
        with setting.world() as server, Nghttpd(setting.folder, paths) as nghttpd:
            ours, peer = setting.alternate(
                lambda: per_request(server, lambda: h2load(
                    [server.world["apns"]["production"] + path for path in paths],
                    payload, headers, requests, connections, streams)),
                lambda: per_request(nghttpd, lambda: h2load(
                    [nghttpd.url + path for path in paths], payload, headers, requests, connections, streams)))
            setting.table.ratio(title, "nghttpd, empty file", peer, ours, goal)


def provider_token():
    """A provider token in form; with the default credentials its signature's key cannot be known."""
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    header, claims = {"alg": "ES256", "kid": "MOCKKEY001"}, {"iss": "MOCKTEAM01", "iat": int(time.time())}
    return ".".join([part(json.dumps(header).encode()), part(json.dumps(claims).encode()), part(os.urandom(64))])
