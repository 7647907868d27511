"""cloudflare on an API v4: python cloudflare_records.py ENDPOINT ZONE_ID TOKEN; strict types."""

import sys

from cloudflare import APIStatusError, Cloudflare

endpoint, zone_id, token = sys.argv[1:]
client = Cloudflare(
    api_token=token,
    base_url=f"{endpoint}/client/v4",
    max_retries=0,
    _strict_response_validation=True,
)
records = client.dns.records


def refused(what, act):
    try:
        act()
    except APIStatusError as error:
        first = error.errors[0]
        print("refused", what, error.status_code, first.code, first.message)
    else:
        print("accepted", what)


for zone in client.zones.list(per_page=5):
    print("zone", zone.id, zone.name, zone.type)
print("details", client.zones.get(zone_id=zone_id).name)
www = {"name": "www.example.org", "type": "A", "content": "192.0.2.1", "ttl": 60}
made = records.create(zone_id=zone_id, **www)
print("created", made.name, made.content, made.ttl, made.proxied)
refused("same", lambda: records.create(zone_id=zone_id, **www))
refused("bad", lambda: records.create(zone_id=zone_id, **{**www, "content": "300.1.1.1"}))
mail = {"name": "example.org", "type": "MX", "content": "mx.example.org", "priority": 10, "ttl": 1}
service = {
    "name": "_sip._tcp.example.org",
    "type": "SRV",
    "data": {"priority": 1, "weight": 2, "port": 5060, "target": "sip.example.org"},
}
text = {"name": "example.org", "type": "TXT", "content": '"v=spf1 -all"', "ttl": 120}
done = records.batch(
    zone_id=zone_id,
    deletes=[{"id": made.id}],
    posts=[{**www, "content": "192.0.2.2", "comment": "ours"}, mail, service, text],
)
print("batch", len(done.deletes), len(done.posts))
refused("gone", lambda: records.batch(zone_id=zone_id, deletes=[{"id": made.id}]))
for one in sorted(records.list(zone_id=zone_id, per_page=100), key=lambda one: one.type):
    print("read", one.type, one.name, one.content, one.ttl)
for one in records.list(zone_id=zone_id, name={"exact": "www.example.org"}):
    print("edited", records.edit(one.id, zone_id=zone_id, name=one.name, type="A", ttl=90, content=one.content).ttl)
    print("deleted", records.delete(one.id, zone_id=zone_id).id == one.id)
refused("key", lambda: Cloudflare(api_token="x" * 40, base_url=f"{endpoint}/client/v4", max_retries=0).zones.list())
