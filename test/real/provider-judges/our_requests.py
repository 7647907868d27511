"""What we sent, checked against the vendor's own descriptions of requests: python our_requests.py VENDOR CALLS.

VENDOR is azure-public, azure-private, cloudflare or alidns; CALLS is JSON, a list of [what, body]: prints a line for
each, with all that the description does not know or have so.
"""

import inspect
import json
import sys

vendor, calls = sys.argv[1], json.loads(sys.argv[2])


def differences(raw, again, where=""):
    """What the vendor's model does not give back of what it was made from."""
    if isinstance(raw, dict) and isinstance(again, dict):
        return [one for name in raw for one in differences(raw[name], again.get(name), f"{where}.{name}")]
    if isinstance(raw, list) and isinstance(again, list) and len(raw) == len(again):
        return [one for at, pair in enumerate(zip(raw, again)) for one in differences(*pair, f"{where}[{at}]")]
    return [] if raw == again and type(raw) is type(again) else [f"{where}={raw!r} became {again!r}"]


def azure_public(_, body):
    from azure.mgmt.dns import models

    return differences(body, models.RecordSet.deserialize(body).serialize(keep_readonly=True))


def azure_private(_, body):
    """These models keep what they do not know: their fields are asked."""
    from azure.mgmt.privatedns import models

    return unknown_fields(models.RecordSet(body), body)


def unknown_fields(model, raw, where=""):
    if isinstance(model, list):
        return [one for at, item in enumerate(model) for one in unknown_fields(item, raw[at], f"{where}[{at}]")]
    if not hasattr(model, "_attr_to_rest_field"):
        return differences(raw, model, where)
    fields = {field._rest_name: name for name, field in model._attr_to_rest_field.items()}
    found = [f"{where}.{name} unknown" for name in raw if name not in fields]
    for name, item in raw.items():
        if name in fields:
            found += unknown_fields(getattr(model, fields[name]), item, f"{where}.{name}")
    return found


def cloudflare(_, body):
    """The typed parameters of the client, strictly and without further fields."""
    from cloudflare.types import dns
    from cloudflare.types.dns.record_batch_params import BatchPatchParam, BatchPutParam, Delete, Post
    from pydantic import TypeAdapter, ValidationError
    from typing_extensions import is_typeddict

    for module in [one for name, one in sys.modules.items() if name.startswith(f"{dns.__name__}.")]:
        for one in [one for one in vars(module).values() if is_typeddict(one)]:
            one.__pydantic_config__ = {"extra": "forbid", "strict": True}
    kinds = {"deletes": Delete, "patches": BatchPatchParam, "puts": BatchPutParam, "posts": Post}
    found = [f"{name} unknown" for name in body if name not in kinds]
    for name in kinds.keys() & body.keys():
        adapter = TypeAdapter(kinds[name])
        for item in body[name]:
            try:
                adapter.validate_python(item)
            except ValidationError as error:
                found += [f"{one['loc']} {one['msg']}" for one in error.errors()]
    return found


def alidns(what, body):
    """Parameters of a query are text: numbers must be such."""
    from alibabacloud_alidns20150109 import models

    model = getattr(models, f"{what}Request")
    kinds = inspect.signature(model.__init__).parameters
    request = model().from_map(body)
    found = [f"{name} unknown" for name in body if name not in request.to_map()]
    for name, parameter in kinds.items():
        text = getattr(request, name, None)
        if parameter.annotation is int and text is not None and not str(text).isdigit():
            found.append(f"{name}={text!r} is no number")
    return found


judge = {"azure-public": azure_public, "azure-private": azure_private, "cloudflare": cloudflare, "alidns": alidns}[vendor]
for what, body in calls:
    print(what, *(judge(what, body) or ["as described"]))
