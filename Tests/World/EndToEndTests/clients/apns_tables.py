"""Every row of Apple's tables of requests, answers and reasons, through httpx over HTTP/2.

Usage: apns_tables.py WORLD-FILE       prints one JSON line with the number of rows
"""

import base64
import json
import re
import sys
import time

import httpx
import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from apns_world import FOR_PRODUCTION, FOR_SANDBOX, World
from provider import KEY_ID, TEAM_ID

TOPIC = "im.example.messenger"
TOKEN = "ab" * 32
ID = "123e4567-e89b-12d3-a456-42661417400a"
UUID = "[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}"
SIGNING_KEY = ec.generate_private_key(ec.SECP256R1())


def pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def bearer(issued_at=None, key_id=KEY_ID, team=TEAM_ID, key=SIGNING_KEY, **header):
    claims = {"iss": team, "iat": int(time.time()) if issued_at is None else issued_at}
    return "bearer " + jwt.encode(claims, pem(key), "ES256", {"kid": key_id, **header})


def odd_bearer(header=None, claims=None, der=False, plain=False):
    """A provider token as libraries write it that do not follow the standard."""
    encode = base64.b64encode if plain else lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
    header = {"alg": "ES256", "kid": KEY_ID} if header is None else header
    claims = {"iss": TEAM_ID, "iat": int(time.time())} if claims is None else claims
    text = b".".join(encode(json.dumps(part).encode()) for part in (header, claims))
    signature = SIGNING_KEY.sign(text, ec.ECDSA(hashes.SHA256()))
    if not der:
        r, s = ec_numbers(signature)
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    return "bearer " + (text + b"." + encode(signature)).decode()


def ec_numbers(signature):
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    return decode_dss_signature(signature)


class Provider:
    """One connection, or several in turn, of a provider."""

    def __init__(self, world, sandbox=False, certificate=None):
        self.is_sandbox = sandbox
        self.client = httpx.Client(
            http2=True, http1=False, verify=world.trust(certificate), timeout=30,
            base_url=world.sandbox if sandbox else world.production)

    def push(self, path=None, body=b'{"aps":{"alert":"x"}}', method="POST", more=(), **headers):
        sent = {"authorization": bearer(), "apns-topic": TOPIC}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        fields = [(name, value) for name, value in sent.items() if value is not None] + list(more)
        return self.client.request(
            method, f"/3/device/{TOKEN}" if path is None else path, content=body, headers=fields)


class Table:
    """Sends rows, checks each answer's form, and in the end the rule that each record tells."""

    def __init__(self, world):
        self.world = world
        self.rules = []

    def row(self, provider, status, reason=None, rule=None, **push):
        answer = provider.push(**push)
        found = answer.json() if answer.content else {}
        assert (answer.status_code, found.get("reason")) == (status, reason), (push, answer.status_code, found, rule)
        self.check_form(provider, answer, found, status, push)
        self.rules.append((rule or "accepted", push))
        return found

    @staticmethod
    def check_form(provider, answer, found, status, push):
        """Section 6 of the reference."""
        assert answer.http_version == "HTTP/2"
        names = [name.lower() for name, _ in answer.headers.multi_items()]
        assert names.count("apns-id") == 1, names
        if push.get("apns_id"):
            assert answer.headers["apns-id"] == push["apns_id"]
        elif not push.get("more"):
            assert re.fullmatch(UUID, answer.headers["apns-id"]), answer.headers["apns-id"]
        assert ("apns-unique-id" in names) == provider.is_sandbox, names
        if provider.is_sandbox:
            assert re.fullmatch(UUID.replace("A-F", "a-f"), answer.headers["apns-unique-id"])
        if status == 200:
            assert answer.content == b"" and "content-type" not in names, answer.headers
        else:
            assert answer.headers["content-type"] == "application/json"
            assert list(found) == (["reason", "timestamp"] if status == 410 else ["reason"]), found
        assert "retry-after" not in names

    def check_rules(self):
        records = self.world.pushes()
        assert len(records) == len(self.rules), (len(records), len(self.rules))
        for record, (rule, push) in zip(records, self.rules):
            assert record["verdict"]["rule"] == rule, (push, rule, record["verdict"], record["provider"])
        return records


def paths(table, provider):
    """Section 4.1."""
    for token in ["ab" * 32, "AB" * 32, "0" * 64, "ab" * 80, "ab" * 100]:
        table.row(provider, 200, path=f"/3/device/{token}")
    for token in ["zz" * 32, "ab" * 31, "a" * 65, "ab" * 101, "%3Cab%3E", "%20" + "ab" * 32, "x", "..%2f"]:
        table.row(provider, 400, "BadDeviceToken", "token.malformed", path=f"/3/device/{token}")
    table.row(provider, 400, "MissingDeviceToken", "token.missing", path="/3/device/")
    for path in ["/", "/3/device", "/3/devices/x", "/2/device/" + TOKEN, f"/3/device/{TOKEN}/x", "/3"]:
        table.row(provider, 404, "BadPath", "path", path=path)
    for method in ["GET", "PUT", "DELETE", "PATCH"]:
        table.row(provider, 405, "MethodNotAllowed", "method", method=method)


def headers(table, provider):
    """Section 4.2."""
    table.row(provider, 400, "MissingTopic", "topic.missing", apns_topic=None)
    for topic in ["a b", "im/example", "x" * 256]:
        table.row(provider, 400, "BadTopic", "topic.invalid", apns_topic=topic)
    for good in [ID, ID.upper(), "00000000-0000-0000-0000-000000000000"]:
        table.row(provider, 200, apns_id=good)
    for bad in ["1", ID[:-1], ID.replace("-", ""), "g" + ID[1:], "{" + ID + "}"]:
        table.row(provider, 400, "BadMessageId", "id", apns_id=bad)
    for good in ["0", "1", str(int(time.time()) + 3600), "2147483648", "-1"]:
        table.row(provider, 200, apns_expiration=good)
    for bad in ["soon", "1.5", "", "1e3", "99999999999999999999"]:
        table.row(provider, 400, "BadExpirationDate", "expiration", apns_expiration=bad)
    for good in ["10", "5", "1"]:
        table.row(provider, 200, apns_priority=good)
    for bad in ["0", "2", "11", "05", "high", "", "-5"]:
        table.row(provider, 400, "BadPriority", "priority", apns_priority=bad)
    table.row(provider, 200, apns_collapse_id="x" * 64)
    table.row(provider, 400, "BadCollapseId", "collapse-id", apns_collapse_id="x" * 65)
    # 64 bytes are counted, not characters.
    table.row(provider, 200, apns_collapse_id="\u00e9".encode() * 32)
    table.row(provider, 400, "BadCollapseId", "collapse-id", apns_collapse_id="\u00e9".encode() * 33)
    for name in ["apns-topic", "apns-id", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-push-type",
                 "authorization", "apns-anything"]:
        more = [(name, "5"), (name, "5")] if name not in ("apns-topic", "authorization") else [(name, "x")]
        table.row(provider, 400, "DuplicateHeaders", "headers.duplicate", more=more)
    for content_type in ["application/json; charset=utf-8", "application/json", "text/plain"]:
        table.row(provider, 200, content_type=content_type, user_agent="any")


TYPES = {
    "alert": "", "background": "", "voip": ".voip", "complication": ".complication",
    "fileprovider": ".pushkit.fileprovider", "mdm": None, "location": ".location-query",
    "liveactivity": ".push-type.liveactivity", "pushtotalk": ".voip-ptt", "widgets": ".push-type.widgets",
    "controls": ".push-type.controls",
}


def push_types(table, provider):
    """Section 4.3."""
    for name, suffix in TYPES.items():
        topic = "com.apple.mgmt.External.x" if suffix is None else TOPIC + suffix
        table.row(provider, 200, apns_push_type=name, apns_topic=topic, apns_priority="5")
    for unknown in ["nonsense", "Alert", ""]:
        table.row(provider, 400, "InvalidPushType", "push-type", apns_push_type=unknown)
    # Neither is refused, only noted, unless it is to be strict.
    table.row(provider, 200, apns_push_type="voip")
    table.row(provider, 200, apns_push_type="background", apns_priority="10")
    table.world.set(strict=["topic-suffix", "background-priority", "token-length"])
    for name, suffix in TYPES.items():
        topic = "com.apple.mgmt.External.x" if suffix is None else TOPIC + suffix
        table.row(provider, 200, apns_push_type=name, apns_topic=topic, apns_priority="5")
        if suffix is not None:
            wrong = TOPIC + (".voip" if suffix != ".voip" else "")
            table.row(provider, 400, "DeviceTokenNotForTopic", "topic.suffix",
                      apns_push_type=name, apns_topic=wrong, apns_priority="5")
    table.row(provider, 400, "BadPriority", "priority.background", apns_push_type="background", apns_priority="10")
    table.row(provider, 400, "BadPriority", "priority.background", apns_push_type="background")
    table.row(provider, 400, "BadDeviceToken", "token.malformed", path="/3/device/" + "ab" * 80)
    table.world.set(strict=[])


def payloads(table, provider):
    """Section 5."""
    def filled(count):
        empty = b'{"aps":{"alert":""}}'
        return empty[:-3] + b"x" * (count - len(empty)) + empty[-3:]

    table.row(provider, 200, body=filled(4096))
    table.row(provider, 413, "PayloadTooLarge", "payload.size", body=filled(4097))
    table.row(provider, 413, "PayloadTooLarge", "payload.size", body=filled(100_000))
    voip = {"apns_push_type": "voip", "apns_topic": TOPIC + ".voip"}
    table.row(provider, 200, body=filled(5120), **voip)
    table.row(provider, 413, "PayloadTooLarge", "payload.size", body=filled(5121), **voip)
    # Bytes are counted, not characters.
    table.row(provider, 413, "PayloadTooLarge", "payload.size",
              body=json.dumps({"aps": {"alert": "\u00e9" * 2050}}, ensure_ascii=False).encode())
    table.row(provider, 400, "PayloadEmpty", "payload.empty", body=b"")
    for body in [b"hello", b"[]", b"1", b'{"aps":', b"null"]:
        table.row(provider, 400, "PayloadEmpty", "payload.form", body=body)
    table.world.set(malformedPayload="accept")
    table.row(provider, 200, body=b"hello")
    table.world.set(malformedPayload="refuse")
    # The dictionary itself is not judged.
    for body in [b"{}", b'{"x":1}', b'{"aps":1}', b'{"mdm":"magic"}', b'{"aps":{"alert":{"loc-key":7}}}']:
        table.row(provider, 200, body=body)


def provider_tokens(table, provider):
    """Section 3: the forms that are taken, and the table of defects."""
    now = int(time.time())
    for good in [
        bearer(), bearer().replace("bearer", "Bearer"), odd_bearer(der=True), odd_bearer(plain=True),
        odd_bearer({"kid": KEY_ID}), odd_bearer({"alg": "ES256", "kid": KEY_ID, "typ": "JWT", "x": 1}),
        *(odd_bearer(claims={"iss": TEAM_ID, "iat": iat})
          for iat in [now + 0.5, str(now), now * 1000, str(now * 1000), now - 3000, now + 3590]),
        odd_bearer(claims={"iss": TEAM_ID, "iat": now, "kid": KEY_ID}),
    ]:
        table.row(provider, 200, authorization=good)
    for none in [None, "", "bearer", "bearer ", "basic YWJj", bearer().replace("bearer ", "")]:
        table.row(provider, 403, "MissingProviderToken", "provider.missing", authorization=none)
    for bad in [
        "bearer x", "bearer a.b", "bearer a.b.c.d", "bearer e30.e30.e30", "bearer !.!.!",
        odd_bearer({"alg": "HS256", "kid": KEY_ID}), odd_bearer({"alg": "none", "kid": KEY_ID}),
        odd_bearer({"alg": "ES256"}), odd_bearer(claims={"iat": now}), odd_bearer(claims={"iss": TEAM_ID}),
        odd_bearer(claims={"iss": TEAM_ID, "iat": "soon"}), bearer(now + 7200), bearer()[:-20],
    ]:
        table.row(provider, 403, "InvalidProviderToken", "provider.invalid", authorization=bad)
    table.row(provider, 403, "ExpiredProviderToken", "provider.expired", authorization=bearer(now - 3660))
    table.row(provider, 403, "InvalidProviderToken", "provider.team", authorization=bearer(team="OTHERTEAM1"))
    table.world.set(strict=["provider-token"])
    for odd in [odd_bearer(der=True), odd_bearer(plain=True), odd_bearer({"kid": KEY_ID}),
                odd_bearer(claims={"iss": TEAM_ID, "iat": str(now)})]:
        table.row(provider, 403, "InvalidProviderToken", "provider.invalid", authorization=odd)
    table.row(provider, 200)
    table.world.set(strict=[])


def registered_keys(table, world):
    """Section 3: what needs the key to be known."""
    other = ec.generate_private_key(ec.SECP256R1())
    public = other.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()

    def register(key_id, key=SIGNING_KEY, **members):
        world.call("PUT", f"/v1/apns/keys/{key_id}", {"teamId": TEAM_ID, "key": pem(key), **members})

    def row(*expected, provider=None, **push):
        table.row(provider or Provider(world), *expected, **push)

    world.set(credentials="registered-keys")
    row(403, "InvalidProviderToken", "provider.invalid")
    register(KEY_ID)
    row(200)
    row(200, authorization=odd_bearer(der=True))
    row(200, authorization=odd_bearer(plain=True))
    row(403, "InvalidProviderToken", "provider.invalid", authorization=bearer(key=other))
    row(403, "InvalidProviderToken", "provider.invalid", authorization=bearer(team="OTHERTEAM1"))
    register("SANDBOXKEY", environment="sandbox")
    row(403, "BadEnvironmentKeyInToken", "provider.environment", authorization=bearer(key_id="SANDBOXKEY"))
    table.row(Provider(world, sandbox=True), 200, authorization=bearer(key_id="SANDBOXKEY"))
    world.set(environmentReason="BadEnvironmentKeyIdInToken")
    row(403, "BadEnvironmentKeyIdInToken", "provider.environment", authorization=bearer(key_id="SANDBOXKEY"))
    world.set(environmentReason="BadEnvironmentKeyInToken")
    world.call("PUT", "/v1/apns/keys/TOPICKEY01", {"teamId": TEAM_ID, "key": public, "topics": [TOPIC]})
    mine = bearer(key_id="TOPICKEY01", key=other)
    row(200, authorization=mine)
    row(400, "TopicDisallowed", "topic.disallowed", authorization=mine, apns_topic="other.app")
    provider = Provider(world)
    row(200, provider=provider)
    row(403, "UnrelatedKeyIdInToken", "provider.unrelated", provider=provider, authorization=mine)
    register(KEY_ID, state="disabled")
    row(403, "Forbidden", "provider.forbidden")
    register(KEY_ID, state="revoked")
    row(403, "InvalidProviderToken", "provider.invalid")
    for key_id in [KEY_ID, "SANDBOXKEY", "TOPICKEY01"]:
        world.call("DELETE", f"/v1/apns/keys/{key_id}")
    world.set(credentials="off")
    row(200, authorization=None)
    world.set(credentials="syntax")
    row(200, authorization=bearer(1))
    row(403, "InvalidProviderToken", "provider.invalid", authorization="bearer x")
    world.set(credentials="any-key")


def certificates(table, world):
    """Section 2."""
    def row(certificate, *expected, sandbox=False, **push):
        push.setdefault("authorization", None)
        table.row(Provider(world, sandbox=sandbox, certificate=certificate), *expected, **push)

    own = world.certificate(TOPIC)
    row(own, 200)
    row(own, 200, apns_topic=None)
    # The header is ignored beside a certificate.
    row(own, 200, authorization="bearer nonsense")
    row(own, 400, "BadTopic", "topic.certificate", apns_topic="other.app")
    several = world.certificate(TOPIC, [TOPIC, TOPIC + ".voip"])
    row(several, 200, apns_topic=TOPIC + ".voip")
    row(several, 400, "MissingTopic", "topic.missing", apns_topic=None)
    row(several, 400, "BadTopic", "topic.certificate", apns_topic=TOPIC + ".complication")
    query = TOPIC + ".location-query"
    row(world.certificate(query), 400, "TopicDisallowed", "topic.disallowed",
        apns_topic=query, apns_push_type="location")
    for environments, production, sandbox in [
        ([FOR_PRODUCTION], True, False), ([FOR_SANDBOX], False, True), ([FOR_SANDBOX, FOR_PRODUCTION], True, True),
    ]:
        certificate = world.certificate(TOPIC, environments=environments)
        refusal = (403, "BadCertificateEnvironment", "certificate.environment")
        row(certificate, *((200,) if production else refusal))
        row(certificate, *((200,) if sandbox else refusal), sandbox=True)
    bad = (403, "BadCertificate", "certificate.invalid")
    row(world.certificate(TOPIC, days=(-3, -1)), *bad)
    row(world.certificate(TOPIC, days=(1, 3)), *bad)
    row(world.certificate(None), *bad)
    exported = world.certificate(TOPIC, issued_by_authority=False)
    row(exported, *bad)
    world.set(certificates="any")
    row(exported, 200)
    world.set(certificates="own")


def device_tokens(table, world, provider):
    """Section 7: what is known of a token."""
    states = [
        ("unregistered", 410, "Unregistered", "token.unregistered"),
        ("expired", 410, "ExpiredToken", "token.expired"), ("bad", 400, "BadDeviceToken", "token.bad"),
        ("wrong-topic", 400, "DeviceTokenNotForTopic", "token.topic"),
        ("wrong-environment", 400, "BadDeviceToken", "token.environment"),
    ]
    for number, (state, status, reason, rule) in enumerate(states):
        token = f"{number:064x}"
        world.set_token(token, state, **({"since": "2026-01-02T03:04:05.678Z"} if status == 410 else {}))
        found = table.row(provider, status, reason, rule, path=f"/3/device/{token}")
        if status == 410:
            assert found["timestamp"] == 1767323045678, found
        world.set_token(token, "active")
        table.row(provider, 200, path=f"/3/device/{token}")
    world.set_token("cd" * 32, "active", topic="other.app")
    table.row(provider, 400, "DeviceTokenNotForTopic", "token.topic", path="/3/device/" + "cd" * 32)
    table.row(provider, 200, path="/3/device/" + "cd" * 32, apns_topic="other.app.voip")
    world.set(tokens="strict")
    table.row(provider, 400, "BadDeviceToken", "token.unknown", path="/3/device/" + "ef" * 32)
    world.set(tokens="open")


def service(table, world, provider):
    """Section 7: 429, 500, 503."""
    for state, status, reason in [
        ("failing", 500, "InternalServerError"), ("unavailable", 503, "ServiceUnavailable"),
        ("shutdown", 503, "Shutdown"),
    ]:
        world.set(service=state)
        table.row(provider, status, reason, f"service.{state}")
    world.set(service="up", tokenRequestsPerSecond=0.001, tokenRequestsBurst=1)
    table.row(provider, 200)
    table.row(provider, 429, "TooManyRequests", "token.rate")
    table.row(provider, 200, path="/3/device/" + "ba" * 32)
    world.set(tokenRequestsPerSecond=0, tokenRequestsBurst=50, tokenUpdateMinutes=20)
    now = int(time.time())
    first, second = bearer(now - 60), bearer(now - 30)
    table.row(provider, 200, authorization=first)
    table.row(provider, 429, "TooManyProviderTokenUpdates", "provider.updates", authorization=second)
    table.row(provider, 200, authorization=first)
    world.call("POST", "/v1/clock/advance", {"seconds": 1200})
    table.row(provider, 200, authorization=second)
    table.row(provider, 200, authorization=first)
    # The one-hour rule is the world's clock's as well.
    world.call("POST", "/v1/clock/advance", {"seconds": 2400})
    table.row(provider, 403, "ExpiredProviderToken", "provider.expired", authorization=first)
    world.call("PATCH", "/v1/clock", {"now": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())})
    world.set(tokenUpdateMinutes=0)


REASONS = {
    400: ["BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
          "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
          "MissingTopic", "PayloadEmpty", "TopicDisallowed"],
    403: ["BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden", "InvalidProviderToken",
          "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken"],
    404: ["BadPath"], 405: ["MethodNotAllowed"], 410: ["ExpiredToken", "Unregistered"], 413: ["PayloadTooLarge"],
    429: ["TooManyProviderTokenUpdates", "TooManyRequests"], 500: ["InternalServerError"],
    503: ["ServiceUnavailable", "Shutdown"],
    # Any other pair as well.
    418: ["SomethingNew"],
}


def faults(table, world, provider):
    """Section 7: every status and reason by a fault."""
    for status, reasons in REASONS.items():
        for reason in reasons:
            effect = {"kind": "reject", "status": status, "reason": reason}
            if status == 410:
                effect["timestamp"] = 1790000000123
            world.add_fault(effect, limit=1)
            found = table.row(provider, status, reason, "fault")
            assert status != 410 or found["timestamp"] == 1790000000123
            table.row(provider, 200)


def broadcasts(world, provider):
    """Section 4.1: what this endpoint does not have is answered as an unknown path, with the id of its kind."""
    for method, path in [
        ("POST", f"/4/broadcasts/apps/{TOPIC}"), ("POST", f"/1/apps/{TOPIC}/channels"),
        ("GET", f"/1/apps/{TOPIC}/channels"), ("DELETE", f"/1/apps/{TOPIC}/channels"),
        ("GET", f"/1/apps/{TOPIC}/all-channels"),
    ]:
        answer = provider.push(path=path, method=method, more=[("apns-request-id", ID)])
        assert (answer.status_code, answer.json()) == (404, {"reason": "BadPath"}), (method, path, answer.text)
        assert answer.headers["apns-request-id"] == ID and "apns-id" not in answer.headers


def orders(world, provider):
    """Section 8: the same failures, another winner."""
    failing = {"apns_id": "x", "authorization": None, "path": "/3/device/zz", "apns_topic": None, "body": b""}
    expected = {
        "apple": (403, "MissingProviderToken", "provider.missing"), "pushy": (400, "BadMessageId", "id"),
    }
    known = {"provider.missing", "id", "topic.missing", "payload.empty", "token.malformed"}
    for profile, (status, reason, rule) in expected.items():
        world.set(profile=profile)
        answer = provider.push(**failing)
        assert (answer.status_code, answer.json()["reason"]) == (status, reason), (profile, answer.text)
        verdict = world.pushes()[-1]["verdict"]
        assert verdict["rule"] == rule and set(verdict["alsoWouldHave"]) == known - {rule}, verdict
    world.set(profile="apple")


def main():
    world = World(sys.argv[1])
    provider = Provider(world)
    table = Table(world)
    for part in [paths, headers, push_types, payloads, provider_tokens]:
        part(table, provider)
    table.row(Provider(world, sandbox=True), 200)
    table.row(Provider(world, sandbox=True), 400, "BadPriority", "priority", apns_priority="7")
    registered_keys(table, world)
    certificates(table, world)
    device_tokens(table, world, provider)
    service(table, world, provider)
    faults(table, world, provider)
    records = table.check_rules()
    problems = [record["provider"]["problems"] for record in records]
    for exact in [["alg \"HS256\""], ["no iss"], [f"the signature is not by key {KEY_ID}"]]:
        assert exact in problems, (exact, problems)
    assert any(re.fullmatch(r"iat is \d+ s old, more than 3600 s", text) for texts in problems for text in texts)
    broadcasts(world, provider)
    orders(world, provider)
    print(json.dumps({"rows": len(table.rules)}))


main()
