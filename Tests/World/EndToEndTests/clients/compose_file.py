"""Checks docker-compose.yml against the published Compose schema (it comes with the docker-compose package of PyPI),
and runs what its containers run to set the services up.

Usage: compose_file.py FILE WORLD-FILE MOCKNET
"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import jsonschema
import yaml


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    compose = yaml.safe_load(text)
    files = importlib.metadata.files("docker-compose")
    schema = next(one for one in files if str(one).endswith("config/compose_spec.json"))
    with open(schema.locate(), encoding="utf-8") as file:
        error = jsonschema.exceptions.best_match(jsonschema.Draft7Validator(json.load(file)).iter_errors(compose))
    assert error is None, f"{error.json_path}: {error.message}"

    # Needs no variable, and publishes on loopback only.
    needed = [name for name in re.findall(r"(?<!\$)\$(?:\{([^}]*)\}|\w+)", text) if not re.search(r":?-", name)]
    assert not needed, f"variables without a default: {needed}"
    service = compose["services"]["mocknet"]
    for port in service["ports"]:
        assert str(port).startswith("127.0.0.1:"), f"published beyond loopback: {port}"
    aliases = service["networks"]["default"]["aliases"]
    apple = {"api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com"}
    assert apple <= set(aliases), f"Apple's names missing: {apple - set(aliases)}"
    for name in ("ans-setup", "adamant-ns-setup"):
        with tempfile.TemporaryDirectory() as folder:
            set_up(compose["services"][name], folder, sys.argv[2], sys.argv[3])
            check_ans(folder) if name == "ans-setup" else check_adamant_ns(folder)


def set_up(service, folder, world_file, mocknet):
    """Runs the commands of a service with its folders elsewhere."""
    script = service["command"][0].replace("$$", "$").replace("/var/lib/mocknet/ready.json", world_file)
    for path in ("/ans", "/ns"):
        script = script.replace(f"cd {path}\n", f"cd {folder}\n")
    path = os.path.dirname(mocknet) + ":" + os.environ["PATH"]
    done = subprocess.run([*service["entrypoint"], script], env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def check_ans(folder):
    with open(f"{folder}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    assert {server["ip"] for server in config["Api"]["Server"]} == {"mocknet"}, config["Api"]
    command = ["openssl", "pkcs12", "-in", f"{folder}/cert.pfx", "-passin", "pass:", "-nodes", "-info"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "PRIVATE KEY" in shown.stdout and "CERTIFICATE" in shown.stdout
    assert xml.etree.ElementTree.parse(f"{folder}/nlog.config").getroot().tag == "nlog"


def check_adamant_ns(folder):
    with open(f"{folder}/config.json5", encoding="utf-8") as file:
        config = file.read()
    assert "@postgres:5432/" in config and "http://mocknet:" in config, config
    with open(f"{folder}/firebase-credentials.json", encoding="utf-8") as file:
        key = json.load(file)["private_key"]
    subprocess.run(["openssl", "pkey", "-noout"], input=key, text=True, check=True)


main()
