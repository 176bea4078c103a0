"""A push provider's credentials."""

import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

TOPIC = "im.adamant.adamant-messenger"
KEY_ID, TEAM_ID = "MOCKKEY001", "MOCKTEAM01"


def signing_key():
    """A P-256 key in PEM, made here: the emulator checks claims and age, whose key it is cannot be known."""
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def provider_token(issued_at=None):
    claims = {"iss": TEAM_ID, "iat": int(time.time()) if issued_at is None else issued_at}
    return jwt.encode(claims, signing_key(), algorithm="ES256", headers={"kid": KEY_ID})


if __name__ == "__main__":
    print(provider_token())
