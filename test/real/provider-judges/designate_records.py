"""python-designateclient on a Designate: python designate_records.py ZONE; logs in as OS_… says."""

import os
import sys
import threading
import time

from designateclient.v2.client import Client
from keystoneauth1 import exceptions, session
from keystoneauth1.identity.v3 import ApplicationCredential
from designateclient import exceptions as refusals

(zone_name,) = sys.argv[1:]


def client(secret):
    key = ("OS_AUTH_URL", "OS_APPLICATION_CREDENTIAL_ID")
    url, identity = (os.environ[one] for one in key)
    login = ApplicationCredential(
        url, application_credential_id=identity, application_credential_secret=secret
    )
    return Client(session=session.Session(auth=login))


def refused(what, act):
    try:
        act()
    except (refusals.Base, exceptions.ClientException) as error:
        print("refused", what, type(error).__name__, getattr(error, "type", None))
    else:
        print("accepted", what)


dns = client(os.environ["OS_APPLICATION_CREDENTIAL_SECRET"])
(zone,) = dns.zones.list(criterion={"name": f"{zone_name}."})
print("zone", zone["name"], zone["type"])
sets = dns.recordsets


def named(label):
    return f"{label}.{zone_name}."


def settled(one):
    """The record set once all servers have it."""
    for _ in range(300):
        found = sets.get(zone["id"], one["id"])
        if found["status"] != "PENDING":
            return found
        time.sleep(0.1)
    raise SystemExit("it stays PENDING")


def create(label, type_, records, ttl=300):
    return sets.create(zone["id"], named(label), type_, records, ttl=ttl)


for one in sorted(sets.list(zone["id"]), key=lambda one: one["name"]):
    if one["type"] not in ("NS", "SOA"):
        print("read", one["name"], one["type"], one["ttl"], *sorted(one["records"]))
made = create("theirs", "A", ["192.0.2.7"])
print("created", made["status"], made["action"], settled(made)["status"])
refused("same", lambda: create("theirs", "A", ["192.0.2.8"]))
refused("bad address", lambda: create("bad", "A", ["300.1.1.1"]))
refused("cname", lambda: create("theirs", "CNAME", ["example.net."]))
refused("outside", lambda: sets.create(zone["id"], "www.example.com.", "A", ["192.0.2.1"]))
refused("absent", lambda: sets.get(zone["id"], "11111111-2222-3333-4444-555555555555"))
changed = sets.update(zone["id"], made["id"], {"records": ["192.0.2.9"], "ttl": 600})
print("changed", *changed["records"], changed["ttl"], settled(changed)["status"])
refused("strings", lambda: create("text", "TXT", ['"a b" "c"']))
print("text", *create("text", "TXT", ['"a b"'])["records"])

outcomes = []


def race(at):
    try:
        create("race", "A", [f"192.0.2.{at}"])
        outcomes.append("created")
    except (refusals.Base, exceptions.ClientException) as error:
        outcomes.append(type(error).__name__)


racers = [threading.Thread(target=race, args=(at,)) for at in range(1, 9)]
for one in racers:
    one.start()
for one in racers:
    one.join()
print("race", *sorted(outcomes))
ours = next(iter(sets.list(zone["id"], criterion={"name": named("ours")})))
print("deleted", sets.delete(zone["id"], ours["id"])["action"])
refused("key", lambda: client("wrong").zones.list())
