"""A zone of moto: python moto_zone.py ENDPOINT make|show."""

import sys

import boto3

endpoint, what = sys.argv[1:]
client = boto3.client("route53", endpoint_url=endpoint)
if what == "make":
    client.create_hosted_zone(Name="example.org", CallerReference="judge")
    print("made")
else:
    zone = client.list_hosted_zones()["HostedZones"][0]
    for one in client.list_resource_record_sets(HostedZoneId=zone["Id"])["ResourceRecordSets"]:
        if one["Type"] in ("A", "TXT"):
            values = [record["Value"] for record in one["ResourceRecords"]]
            print(one["Name"], one["Type"], one["TTL"], *values)
