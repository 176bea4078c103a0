"""Holds scenarios against their JSON Schema, and a report against the schema of JUnit XML.

usage: scenario_files.py SCHEMA FOLDER | scenario_files.py XSD REPORT.xml
"""
import json
import pathlib
import sys

import jsonschema
import xmlschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML with the words of its newer version: no moments, and on and off are texts."""


Loader.yaml_implicit_resolvers = {
    letter: [
        (tag, expression)
        for tag, expression in resolvers
        if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")
    ]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(true|false)$"), list("tf"))


def check_scenarios(schema: str, folder: str) -> int:
    with open(schema, encoding="utf-8") as file:
        document = json.load(file)
    jsonschema.Draft202012Validator.check_schema(document)
    validator = jsonschema.Draft202012Validator(document)
    paths = sorted(path for path in pathlib.Path(folder).glob("*.yml") if not path.name.startswith("_"))
    for path in paths:
        story = yaml.load(path.read_text(encoding="utf-8"), Loader)
        errors = list(validator.iter_errors(story))
        assert not errors, f"{path}: {errors[0].json_path}: {errors[0].message}"
        story["stpes"] = []
        assert not validator.is_valid(story), f"{path}: a mistyped key is taken"
        story.pop("stpes")
        story.setdefault("steps", []).append({"lanch": "phone"})
        assert not validator.is_valid(story), f"{path}: an unknown step is taken"
    return len(paths)


def check_report(schema: str, report: str) -> int:
    xmlschema.XMLSchema(schema).validate(report)
    return 1


if __name__ == "__main__":
    check = check_report if sys.argv[1].endswith(".xsd") else check_scenarios
    print(json.dumps({"files": check(sys.argv[1], sys.argv[2])}))
