"""ADAMANT keys and transactions, written from the protocol's description: an implementation beside ours.

Signs with the `cryptography` package where it is installed, else with the system's libsodium.
"""

import ctypes
import ctypes.util
import hashlib
import json
import struct
import time
import unicodedata

EPOCH = 1504371600
CHAT_FEE = 100_000
TRANSFER_FEE = 50_000_000


class Account:
    """A key pair, made from a pass phrase or a 32-byte seed."""

    def __init__(self, passphrase=None, seed=None):
        if seed is None:
            words = unicodedata.normalize("NFKD", passphrase).encode()
            seed = hashlib.sha256(hashlib.pbkdf2_hmac("sha512", words, b"mnemonic", 2048)).digest()
        self.sign, self.public_key = _signer(seed)
        number = int.from_bytes(hashlib.sha256(self.public_key).digest()[:8], "little")
        self.address = f"U{number}"


def _signer(seed):
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    except ImportError:
        return _libsodium_signer(seed)
    key = Ed25519PrivateKey.from_private_bytes(seed)
    return key.sign, key.public_key().public_bytes_raw()


def libsodium():
    """The system's libsodium."""
    library = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
    if library.sodium_init() < 0:
        raise OSError("libsodium does not start")
    return library


def _libsodium_signer(seed):
    library = libsodium()
    public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
    library.crypto_sign_seed_keypair(public, secret, seed)

    def sign(message):
        signature = ctypes.create_string_buffer(64)
        length = ctypes.c_ulonglong(len(message))
        library.crypto_sign_detached(signature, None, message, length, secret)
        return signature.raw

    return sign, public.raw


def timestamp(unix_seconds=None):
    """Whole seconds since the ADAMANT epoch."""
    return int((time.time() if unix_seconds is None else unix_seconds) - EPOCH)


def _signed(transaction, sender, asset_bytes):
    unsigned = (
        struct.pack("<Bi", transaction["type"], transaction["timestamp"])
        + sender.public_key
        + int(transaction["recipientId"][1:]).to_bytes(8, "big")
        + struct.pack("<q", transaction["amount"])
        + asset_bytes
    )
    signature = sender.sign(hashlib.sha256(unsigned).digest())
    transaction["signature"] = signature.hex()
    identifier = int.from_bytes(hashlib.sha256(unsigned + signature).digest()[:8], "little")
    return str(identifier), transaction


def transfer(sender, recipient, amount, at):
    """A signed transfer: (id, the JSON object a client posts)."""
    return _signed(
        {
            "type": 0, "amount": amount, "timestamp": at, "senderPublicKey": sender.public_key.hex(),
            "senderId": sender.address, "recipientId": recipient, "asset": {},
        }, sender, b"")


def chat(sender, recipient, message, nonce, at, chat_type=1):
    """A signed chat transaction around an already sealed message (bytes): (id, the JSON object a client posts)."""
    return _signed(
        {
            "type": 8, "amount": 0, "timestamp": at, "senderPublicKey": sender.public_key.hex(),
            "senderId": sender.address, "recipientId": recipient,
            "asset": {"chat": {"message": message.hex(), "own_message": nonce.hex(), "type": chat_type}},
        }, sender, message + nonce + struct.pack("<i", chat_type))


def body(transaction):
    """The request body that posts a transaction."""
    return json.dumps({"transaction": transaction}, separators=(",", ":")).encode()
