"""Checks JSON against the vendor's own description (the discovery document dns.v1)."""

import json
import pathlib

from googleapiclient import discovery_cache

DOCUMENT = pathlib.Path(discovery_cache.__file__).parent / "documents" / "dns.v1.json"
SCHEMAS = json.loads(DOCUMENT.read_text())["schemas"]
TYPES = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}


def troubles(schema, value, where):
    """What is not as described, with its place: unknown fields, other types, values, kinds."""
    if "$ref" in schema:
        return troubles(SCHEMAS[schema["$ref"]], value, where)
    kind = schema["type"]
    if kind == "array":
        if not isinstance(value, list):
            return [f"{where} is no list"]
        return [one for at, item in enumerate(value) for one in troubles(schema["items"], item, f"{where}[{at}]")]
    if kind != "object":
        is_other = not isinstance(value, TYPES[kind]) or (kind != "boolean" and isinstance(value, bool))
        allowed = schema.get("enum", [value])
        return [f"{where}={value!r}"] if is_other or value not in allowed else []
    if not isinstance(value, dict):
        return [f"{where} is no object"]
    known, more = schema.get("properties", {}), schema.get("additionalProperties")
    found = []
    for name, item in value.items():
        inner = known.get(name, more)
        place = f"{where}.{name}"
        found += [f"{place} unknown"] if inner is None else troubles(inner, item, place)
    constant = known.get("kind", {}).get("default")
    if "kind" in value and value["kind"] != constant:
        found.append(f"{where}.kind={value['kind']!r}")
    return found


def check(schema, value):
    """Raises for what the description does not allow."""
    found = troubles({"$ref": schema}, value, schema)
    if found:
        raise SystemExit(f"not as described: {', '.join(found)}")
    return value
