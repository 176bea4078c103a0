"""What the control API tells programs of itself: its OpenAPI document, which its answers follow, and figures for Prometheus.

Usage: described.py MOCKNET
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import jsonschema
from openapi_spec_validator import validate
from prometheus_client.parser import text_string_to_metric_families

from dashboard_world import ServedWorld


def text(world, path):
    with urllib.request.urlopen(f"{world.control}/{path}", timeout=30) as answer:
        return answer.read().decode(), answer.headers["Content-Type"]


def document(world):
    content, kind = text(world, "openapi.json")
    assert kind.startswith("application/json"), kind
    described = json.loads(content)
    validate(described)
    checked = 0
    for path, methods in described["paths"].items():
        schema = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "{" in path or not path.startswith("/v1/") or "properties" not in schema:
            continue
        jsonschema.validate(world.get(path.removeprefix("/v1/")), schema)
        checked += 1
    assert checked >= 15, checked


def figures(world):
    subprocess.run(["curl", "-s", world.description["nodes"][1]["url"] + "/api/node/status"], check=True, stdout=subprocess.DEVNULL)
    world.post("faults", {"name": 'hostile "\\\n name', "target": "node", "match": {"path": "/api/blocks"}, "effect": {"kind": "status", "status": 503}})
    subprocess.run(["curl", "-s", world.description["nodes"][1]["url"] + "/api/blocks"], check=True, stdout=subprocess.DEVNULL)
    world.post("faults", {"target": "node", "match": {"path": "/api/peers"}, "effect": {"kind": "delay", "milliseconds": 300}})
    subprocess.run(["curl", "-s", world.description["nodes"][1]["url"] + "/api/peers"], check=True, stdout=subprocess.DEVNULL)
    world.wait("the calls", lambda: len(world.get("requests?node=beta&agent=" + agent())["requests"]) == 3)
    content, kind = text(world, "metrics")
    assert kind.startswith("text/plain; version=0.0.4"), kind
    found = {}
    for family in text_string_to_metric_families(content):
        assert family.documentation, family.name
        for sample in family.samples:
            key = (sample.name, frozenset(sample.labels.items()))
            assert key not in found, f"twice there: {key}"
            found[key] = sample.value

    def figure(figure_name, /, **labels):
        return found[figure_name, frozenset(labels.items())]

    pushes = world.get("pushes?limit=10000")["pushes"]
    assert figure("mocknet_pushes_total", status="410", reason="Unregistered") == 1
    assert figure("mocknet_pushes_total", status="200", reason="") == sum(push["status"] == 200 for push in pushes)
    for state in ["delivered", "discarded"]:
        assert figure("mocknet_push_deliveries_total", state=state) == sum((push["delivery"] or {}).get("state") == state for push in pushes), state
    assert figure("mocknet_node_requests_total", node="beta", method="GET", path="/api/node/status", status="200") >= 1
    assert figure("mocknet_node_requests_total", node="beta", method="GET", path="/api/blocks", status="503") == 1
    rule = world.get("faults")["faults"][0]["id"]
    assert figure("mocknet_faults_total", rule=rule, name='hostile "\\\n name') == 1
    assert figure("mocknet_fault_matches_total", rule=rule, name='hostile "\\\n name') == 1
    assert figure("mocknet_message_banner_seconds_count") == figure("mocknet_message_banner_seconds_bucket", le="+Inf") == 2
    assert 0 < figure("mocknet_message_banner_seconds_sum") < 60
    times = lambda group, suffix, post="no", **more: figure(f"mocknet_node_request_seconds_{suffix}", node="beta", group=group, post=post, **more)
    assert times("blocks", "count") == times("blocks", "bucket", le="+Inf") == 1
    assert times("peers", "bucket", le="0.25") == 0 and times("peers", "bucket", le="1") == 1, "what a fault adds is part of it"
    assert 0.3 <= times("peers", "sum") < 30
    assert 0 < times("node", "sum") < 1
    assert figure("mocknet_push_answer_seconds_count") == sum(push["status"] is not None for push in pushes)
    assert 0 < figure("mocknet_push_answer_seconds_sum") < 10
    followed = sum(push["transactionId"] is not None for push in pushes)
    assert figure("mocknet_acceptance_push_seconds_count") == figure("mocknet_forging_push_seconds_count") == followed >= 3
    assert figure("mocknet_acceptance_push_seconds_sum") >= figure("mocknet_forging_push_seconds_sum") > 0
    assert figure("mocknet_ledger_height") > 1
    assert figure("mocknet_devices") == 2
    assert figure("mocknet_events_total", kind="fault.fired") == 2
    before = figure("mocknet_pushes_total", status="410", reason="Unregistered")
    world.post("reset")
    again = text(world, "metrics")[0]
    assert f'mocknet_pushes_total{{status="410",reason="Unregistered"}} {int(before)}' in again, "counters go on over a reset"


def agent():
    return subprocess.run(["curl", "--version"], capture_output=True, text=True, check=True).stdout.split()[1].join(["curl/", ""])


def main():
    with ServedWorld(sys.argv[1], Path(tempfile.mkdtemp())) as world:
        document(world)
        figures(world)


if __name__ == "__main__":
    main()
