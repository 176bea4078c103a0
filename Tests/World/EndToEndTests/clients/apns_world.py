"""A running world as the provider's tests see it: its addresses, its control API, certificates of its authority."""

import json
import os
import ssl
import tempfile
import time
from datetime import datetime, timedelta, timezone

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID, ObjectIdentifier

# Apple's extensions of push certificates.
FOR_SANDBOX, FOR_PRODUCTION, TOPICS = (ObjectIdentifier(f"1.2.840.113635.100.6.3.{n}") for n in (1, 2, 6))


def utf8_sequence(texts):
    """The DER of a sequence of UTF-8 strings."""
    content = b"".join(b"\x0c" + bytes([len(text)]) + text.encode() for text in texts)
    assert len(content) < 128, texts
    return b"\x30" + bytes([len(content)]) + content


class World:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.addresses = json.load(file)
        self.production = self.addresses["apns"]["production"]
        self.sandbox = self.addresses["apns"]["sandbox"]
        self.ca_file = self.addresses["caFile"]
        self.control = httpx.Client(base_url=self.addresses["control"], timeout=30)

    def call(self, method, path, body=None):
        answer = self.control.request(method, path, json=body)
        assert answer.status_code < 300, (method, path, body, answer.status_code, answer.text)
        return answer.json() if answer.content else None

    def set(self, **members):
        return self.call("PATCH", "/v1/apns", members)

    def set_token(self, token, state, **members):
        return self.call("PUT", f"/v1/apns/tokens/{token}", {"state": state, **members})

    def add_fault(self, effect, **members):
        return self.call("POST", "/v1/faults", {"target": "apns", "match": {}, "effect": effect, **members})

    def pushes(self, after=0):
        return self.call("GET", f"/v1/pushes?after={after}&limit=10000")["pushes"]

    def trust(self, certificate=None):
        context = ssl.create_default_context(cafile=self.ca_file)
        if certificate:
            context.load_cert_chain(certificate)
        return context

    def certificate(self, user_id, topics=(), environments=(), issued_by_authority=True, days=(-1, 1)):
        """A file with a provider's certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name(
            [x509.NameAttribute(NameOID.COMMON_NAME, f"Apple Push Services: {user_id}")]
            + ([x509.NameAttribute(NameOID.USER_ID, user_id)] if user_id else []))
        issuer, signer = subject, key
        if issued_by_authority:
            with open(self.ca_file, "rb") as file:
                issuer = x509.load_pem_x509_certificate(file.read()).subject
            with open(os.path.join(os.path.dirname(self.ca_file), "ca-key.pem"), "rb") as file:
                signer = serialization.load_pem_private_key(file.read(), None)
        now = datetime.now(timezone.utc)
        builder = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + timedelta(days=days[0])).not_valid_after(now + timedelta(days=days[1])))
        values = [(identifier, b"\x05\x00") for identifier in environments]
        if topics:
            values.append((TOPICS, utf8_sequence(topics)))
        for identifier, value in values:
            builder = builder.add_extension(x509.UnrecognizedExtension(identifier, value), critical=False)
        made = builder.sign(signer, hashes.SHA256())
        handle, path = tempfile.mkstemp(suffix=".pem")
        with os.fdopen(handle, "wb") as file:
            file.write(made.public_bytes(serialization.Encoding.PEM))
            file.write(key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        return path


def wait_until(test, what, seconds=20):
    end = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < end, what
        time.sleep(0.02)
