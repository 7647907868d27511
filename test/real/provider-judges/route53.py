"""boto3 on a Route 53: python route53.py ENDPOINT ZONE_ID; prints what it found."""

import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
from described import check

endpoint, zone_id = sys.argv[1:]
client = boto3.client(
    "route53",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id="AKIAIOSFODNN7EXAMPLE",
    aws_secret_access_key="wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
    config=Config(retries={"max_attempts": 0}),
)


def call(operation, **parameters):
    name = "".join(f"_{c.lower()}" if c.isupper() else c for c in operation).lstrip("_")
    return check(client, operation, getattr(client, name)(**parameters))


def change(*changes):
    batch = {"Changes": [{"Action": action, "ResourceRecordSet": one} for action, one in changes]}
    return call("ChangeResourceRecordSets", HostedZoneId=zone_id, ChangeBatch=batch)


def refused(what, act):
    try:
        act()
    except ClientError as error:
        found = error.response["Error"]
        print("refused", what, found["Code"], found["Message"])
    else:
        print("accepted", what)


def address(name, *values, **more):
    records = [{"Value": value} for value in values]
    return {"Name": name, "Type": "A", "TTL": 60, "ResourceRecords": records, **more}


for zone in call("ListHostedZones")["HostedZones"]:
    print("zone", zone["Id"], zone["Name"])
named = call("ListHostedZonesByName", DNSName="example.org")
print("by name", named["HostedZones"][0]["Id"])
print("servers", len(call("GetHostedZone", Id=zone_id)["DelegationSet"]["NameServers"]))
print("health checks", len(call("ListHealthChecks")["HealthChecks"]))

www = address("www.example.org", "192.0.2.1")
info = change(("CREATE", www))["ChangeInfo"]
print("created", info["Status"])
client.get_waiter("resource_record_sets_changed").wait(
    Id=info["Id"], WaiterConfig={"Delay": 1, "MaxAttempts": 3}
)
print("insync", call("GetChange", Id=info["Id"])["ChangeInfo"]["Status"])
refused("second", lambda: change(("CREATE", address("www.example.org", "192.0.2.2"))))
refused("other values", lambda: change(("DELETE", address("www.example.org", "192.0.2.9"))))
refused("zone", lambda: call("ListResourceRecordSets", HostedZoneId="Z404"))
refused("change", lambda: call("GetChange", Id="C404"))
refused("bad address", lambda: change(("CREATE", address("bad.example.org", "300.1.1.1"))))
change(
    ("UPSERT", address("www.example.org", "192.0.2.3")),
    ("CREATE", address("*.wild.example.org", "192.0.2.4")),
    ("CREATE", address("w.example.org", "192.0.2.5", SetIdentifier="blue", Weight=10)),
)
pages = client.get_paginator("list_resource_record_sets").paginate(
    HostedZoneId=zone_id, PaginationConfig={"PageSize": 2}
)
for page in pages:
    check(client, "ListResourceRecordSets", page)
    for one in page["ResourceRecordSets"]:
        if one["Type"] == "A":
            values = [record["Value"] for record in one["ResourceRecords"]]
            print("read", one["Name"], *values, one.get("Weight", ""))
