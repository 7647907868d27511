"""infoblox-client on a WAPI: python infoblox_records.py ORIGIN USER PASSWORD KINDS; KINDS is JSON."""

import json
import re
import sys

from infoblox_client import connector, exceptions, objects

origin, user, password, kinds = sys.argv[1:]


def connected(word):
    login = {"username": user.encode(), "password": word.encode()}  # Texts go as Latin-1.
    options = {"host": "127.0.0.1", "wapi_version": "2.10", "paging": True, "max_results": 2}
    made = connector.Connector({**options, **login, "max_retries": 0})
    made.wapi_url = f"{origin}/wapi/v2.10/"  # It knows https only.
    return made


def described(kind):
    """What the client, whose classes are made from the vendor's schema, knows of a kind of object."""
    everything = list(objects.InfobloxObject.__subclasses__())
    for one in everything:
        everything.extend(one.__subclasses__())
    classes = [one for one in everything if one._infoblox_type == kind]
    lists = ("_fields", "_all_searchable_fields", "_updateable_search_fields")
    return [{name for one in classes for name in getattr(one, each)} for each in lists]


def refused(what, act):
    try:
        act()
    except exceptions.InfobloxException as error:
        body = getattr(error, "response", None) or {}
        text = re.sub(r"/[\w+=-]{20,}", "/HANDLE", str(body.get("text")))
        print("refused", what, type(error).__name__, body.get("code"), text)
    else:
        print("accepted", what)


for kind, asked in json.loads(kinds).items():
    fields, searches, updates = described(kind)
    unknown = [one for one in asked["fields"] if one not in fields]
    unknown += [f"search {one}" for one in asked["searches"] if one not in searches]
    unknown += [f"change {one}" for one in asked["changes"] if one in searches - updates]
    print("kind", kind, "unknown:", *(unknown or ["nothing"]))

grid = connected(password)
for zone in objects.DNSZone.search_all(grid, view="default", return_fields=["fqdn", "view"]):
    print("zone", zone.fqdn, zone.view)
for one in objects.ARecord.search_all(grid, zone="example.org", return_fields=["name", "ipv4addr", "ttl"]):
    print("read", one.name, one.ip, one.ttl)
for one in objects.TXTRecord.search_all(grid, zone="example.org"):
    print("read", one.name, one.text)
www = {"name": "theirs.example.org", "view": "default", "ip": "192.0.2.7"}
made = objects.ARecord.create(grid, check_if_exists=False, ttl=60, use_ttl=True, **www)
print("created", made.name, made.ip, made.ref.split("/")[0])
refused("same", lambda: objects.ARecord.create(grid, check_if_exists=False, **www))
refused("outside", lambda: objects.ARecord.create(grid, check_if_exists=False, **{**www, "name": "a.example.com"}))
refused("field", lambda: grid.create_object("record:a", {"name": "b.example.org", "address": "192.0.2.1"}))
found = objects.ARecord.search(grid, name="theirs.example.org", view="default")
found.ip = "192.0.2.8"
print("changed", found.update().ip)
refused("gone", lambda: grid.delete_object(made.ref))
text = objects.TXTRecord.create(grid, check_if_exists=False, name="text.example.org", view="default", text='"a b" "c"')
print("text", text.text)
refused("key", lambda: connected("wrong").get_object("zone_auth"))
