"""Checks docker-compose.yml against the published Compose schema (it comes with the docker-compose package of PyPI).

Usage: compose_file.py FILE
"""

import importlib.metadata
import json
import re
import sys

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


main()
