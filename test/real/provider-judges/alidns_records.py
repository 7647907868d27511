"""alibabacloud-alidns on an API of 2015-01-09: python alidns_records.py HOST:PORT KEY_ID KEY_SECRET; its models check answers."""

import sys

from alibabacloud_alidns20150109 import models
from alibabacloud_alidns20150109.client import Client
from alibabacloud_tea_openapi.exceptions import ClientException
from alibabacloud_tea_openapi.utils_models import Config

endpoint, key_id, key_secret = sys.argv[1:]


def connect(secret):
    return Client(Config(access_key_id=key_id, access_key_secret=secret, endpoint=endpoint, protocol="http"))


def refused(what, act):
    try:
        act()
    except ClientException as error:
        print("refused", what, error.status_code, error.code)
    else:
        print("accepted", what)


client = connect(key_secret)
for zone in client.describe_domains(models.DescribeDomainsRequest(page_size=20)).body.domains.domain:
    print("zone", zone.domain_id, zone.domain_name, zone.version_code, *zone.dns_servers.dns_server)
info = client.describe_domain_info(models.DescribeDomainInfoRequest(domain_name="example.org")).body
print("details", info.domain_name, info.min_ttl, *info.dns_servers.dns_server)
www = {"domain_name": "example.org", "rr": "www", "type": "A", "value": "192.0.2.1", "ttl": 600}


def add(**fields):
    return client.add_domain_record(models.AddDomainRecordRequest(**{**www, **fields})).body.record_id


made = add()
print("created", made.isdigit())
refused("same", add)
refused("bad", lambda: add(value="300.1.1.1x"))
refused("ttl", lambda: add(value="192.0.2.9", ttl=60))
refused("cname", lambda: add(type="CNAME", value="lb.example.net"))
add(rr="@", type="MX", value="mx.example.net", priority=10)
add(rr="*.w", type="TXT", value="v=spf1 -all; ~(x)!*'")
add(rr="_sip._tcp", type="SRV", value="1 2 5060 sip.example.net")
changed = models.UpdateDomainRecordRequest(record_id=made, rr="www", type="A", value="192.0.2.2", ttl=1200)
print("updated", client.update_domain_record(changed).body.record_id == made)
listed = client.describe_domain_records(models.DescribeDomainRecordsRequest(domain_name="example.org", page_size=500)).body
print("listed", listed.total_count, listed.page_number, listed.page_size)
for one in sorted(listed.domain_records.record, key=lambda one: one.type):
    print("read", one.type, one.rr, one.value, one.ttl, one.line, one.status, one.locked, one.priority)
asked = models.DescribeSubDomainRecordsRequest(sub_domain="www.example.org", domain_name="example.org")
print("asked", [one.value for one in client.describe_sub_domain_records(asked).body.domain_records.record])
gone = models.DeleteDomainRecordRequest(record_id=made)
print("deleted", client.delete_domain_record(gone).body.record_id == made)
refused("gone", lambda: client.delete_domain_record(gone))
refused("zone", lambda: add(domain_name="example.net"))
refused("key", lambda: connect("x" * 30).describe_domains(models.DescribeDomainsRequest()))
