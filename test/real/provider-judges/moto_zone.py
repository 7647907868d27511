"""A zone of moto: python moto_zone.py ENDPOINT make|make-aliased|show."""

import sys

import boto3

endpoint, what = sys.argv[1:]
client = boto3.client("route53", endpoint_url=endpoint)


def left(name, kind, marker):
    """An alias with its marker, as external-dns 0.21 leaves it."""
    text = '"heritage=external-dns,external-dns/owner=team,external-dns/resource=service/default/www"'
    host = "lb-2.us-east-1.elb.amazonaws.com"
    target = {"HostedZoneId": "Z35SXDOTRQ7X7K", "DNSName": host, "EvaluateTargetHealth": True}
    return [
        {"Name": name, "Type": kind, "AliasTarget": target},
        {"Name": marker, "Type": "TXT", "TTL": 300, "ResourceRecords": [{"Value": text}]},
    ]


if what.startswith("make"):
    zone = client.create_hosted_zone(Name="example.org", CallerReference="judge")["HostedZone"]
    if what == "make-aliased":
        sets = [
            *left("www.example.org", "A", "cname-www.example.org"),
            *left("www.example.org", "AAAA", "aaaa-www.example.org"),
        ]
        changes = [{"Action": "CREATE", "ResourceRecordSet": one} for one in sets]
        client.change_resource_record_sets(HostedZoneId=zone["Id"], ChangeBatch={"Changes": changes})
    print("made")
else:
    zone = client.list_hosted_zones()["HostedZones"][0]
    for one in client.list_resource_record_sets(HostedZoneId=zone["Id"])["ResourceRecordSets"]:
        target = one.get("AliasTarget")
        if target:
            health = target["EvaluateTargetHealth"]
            print(one["Name"], one["Type"], target["DNSName"], target["HostedZoneId"], health)
        elif one["Type"] in ("A", "TXT"):
            values = [record["Value"] for record in one["ResourceRecords"]]
            print(one["Name"], one["Type"], one["TTL"], *values)
