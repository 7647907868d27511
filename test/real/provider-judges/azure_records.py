"""azure-mgmt-dns or azure-mgmt-privatedns on a resource manager: python azure_records.py ORIGIN KIND.

KIND is public or private; the environment has the application (AZURE_…) and the bundle of its CA.
"""

import os
import sys

from azure.core import MatchConditions
from azure.core.exceptions import ClientAuthenticationError, HttpResponseError
from azure.identity import ClientSecretCredential

origin, kind = sys.argv[1:]
is_private = kind == "private"
TENANT, CLIENT, SECRET, SUBSCRIPTION = (
    os.environ[f"AZURE_{one}"] for one in ("TENANT_ID", "CLIENT_ID", "CLIENT_SECRET", "SUBSCRIPTION_ID")
)


if is_private:
    from azure.mgmt.privatedns import PrivateDnsManagementClient as Client
    from azure.mgmt.privatedns import models
else:
    from azure.mgmt.dns import DnsManagementClient as Client
    from azure.mgmt.dns import models


def client(secret):
    authority = {"authority": origin, "disable_instance_discovery": True}
    credential = ClientSecretCredential(TENANT, CLIENT, secret, **authority)
    at = {"base_url": origin, "credential_scopes": [f"{origin}/.default"], "retry_total": 0}
    return Client(credential, SUBSCRIPTION, **at)


def same(model, raw, where):
    """Raises where the vendor's model does not give back what it was made from."""
    again = model.as_dict() if is_private else model.serialize(keep_readonly=True)
    lost = differences(raw, again, where)
    if lost:
        raise SystemExit(f"not as described: {', '.join(lost)}")


def differences(raw, again, where):
    if isinstance(raw, dict) and isinstance(again, dict):
        return [one for name in raw for one in differences(raw[name], again.get(name), f"{where}.{name}")]
    if isinstance(raw, list) and isinstance(again, list) and len(raw) == len(again):
        pairs = zip(raw, again)
        return [one for at, pair in enumerate(pairs) for one in differences(*pair, f"{where}[{at}]")]
    return [] if raw == again else [f"{where}={raw!r} became {again!r}"]


def checked(pipeline, model, _):
    same(model, pipeline.http_response.json(), type(model).__name__)
    return pipeline.http_response.status_code, model


def refused(what, act):
    try:
        act()
    except ClientAuthenticationError as error:
        print("refused", what, type(error).__name__)
    except HttpResponseError as error:
        print("refused", what, error.status_code, error.error and error.error.code, error.error and error.error.message)
    else:
        print("accepted", what)


def zones_of(made):
    return made.private_zones if is_private else made.zones


azure = client(SECRET)
sets = azure.record_sets
for zone in zones_of(azure).list():
    print("zone", zone.name, zone.id.split("/")[4], zone.type)
GROUP, ZONE = "my-group", "example.org"


def place(name, type_):
    """The clients differ in the order of name and type, and in how they say conditions."""
    return (GROUP, ZONE, type_, name) if is_private else (GROUP, ZONE, name, type_)


def put(name, type_, body, **more):
    return sets.create_or_update(*place(name, type_), models.RecordSet(**body), cls=checked, **more)


def as_read(etag):
    return {"etag": etag, "match_condition": MatchConditions.IfNotModified} if is_private else {"if_match": etag}


ABSENT = {"match_condition": MatchConditions.IfMissing} if is_private else {"if_none_match": "*"}


def address(*values, ttl=60):
    return {"ttl": ttl, "a_records": [models.ARecord(ipv4_address=value) for value in values]}


def delete(name, type_, **more):
    return sets.delete(*place(name, type_), cls=lambda pipeline, *_: pipeline.http_response.status_code, **more)


status, www = put("www", "A", address("192.0.2.1"), **ABSENT)
print("created", status, www.name, www.type, www.fqdn)
refused("exists", lambda: put("www", "A", address("192.0.2.2"), **ABSENT))
refused("other etag", lambda: put("www", "A", address("192.0.2.2"), **as_read("other")))
status, changed = put("www", "A", address("192.0.2.2", "192.0.2.3"), **as_read(www.etag))
print("changed", status, changed.etag != www.etag)
put("*.w", "TXT", {"ttl": 300, "txt_records": [models.TxtRecord(value=["v=spf1 -all", "a b"])]})
put("@", "MX", {"ttl": 300, "mx_records": [models.MxRecord(preference=10, exchange="mx.example.net")]})
service = models.SrvRecord(priority=1, weight=2, port=5060, target="sip.example.net")
put("_sip._tcp", "SRV", {"ttl": 300, "srv_records": [service]})
put("alias", "CNAME", {"ttl": 300, "cname_record": models.CnameRecord(cname="example.net")})
refused("bad address", lambda: put("bad", "A", address("300.1.1.1")))
refused("ttl", lambda: put("ttl", "A", address("192.0.2.1", ttl=0)))
refused("cname", lambda: put("www", "CNAME", {"ttl": 60, "cname_record": models.CnameRecord(cname="example.net")}))
refused("beside cname", lambda: put("alias", "A", address("192.0.2.1")))
refused("too many", lambda: put("many", "A", address(*(f"192.0.2.{at}" for at in range(21)))))
refused("twice", lambda: put("twice", "A", address("192.0.2.1", "192.0.2.1")))
refused("apex", lambda: delete("@", "SOA"))
refused("absent", lambda: sets.get(*place("gone", "A")))
refused("zone", lambda: sets.get(GROUP, "example.com", *place("www", "A")[2:]))
print("got", *(one.ipv4_address for one in sets.get(*place("www", "A"), cls=checked)[1].a_records))
listed = sets.list(GROUP, ZONE, top=2) if is_private else sets.list_by_dns_zone(GROUP, ZONE, top=2)
for one in listed:
    kind_ = one.type.split("/")[-1]
    texts = [value for record in one.txt_records or [] for value in record.value]
    values = [record.ipv4_address for record in one.a_records or []] + texts
    print("read", one.name, kind_, one.ttl, *values)
refused("delete other", lambda: delete("www", "A", **as_read("another")))
print("deleted", delete("www", "A", **as_read(changed.etag)), delete("www", "A"))
refused("key", lambda: list(zones_of(client("wrong")).list()))
