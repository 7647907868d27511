"""google-api-python-client on a Cloud DNS: python google_records.py ENDPOINT KEY ZONE SENT.

KEY is the JSON of a service account, SENT the bodies of changes that somebody else has sent.
"""

import json
import sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from described_by_google import check
from google.auth.exceptions import RefreshError
from google.oauth2 import service_account
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

endpoint, key, zone, sent = sys.argv[1:]
account = json.loads(key)
SCOPES = ["https://www.googleapis.com/auth/ndev.clouddns.readwrite"]


def client(info):
    credentials = service_account.Credentials.from_service_account_info(info, scopes=SCOPES)
    options = {"api_endpoint": endpoint}
    return build("dns", "v1", credentials=credentials, client_options=options, static_discovery=True)


dns = client(account)
here = {"project": account["project_id"], "managedZone": zone}


def change(additions=(), deletions=()):
    body = check("Change", {"additions": list(additions), "deletions": list(deletions)})
    return check("Change", dns.changes().create(**here, body=body).execute(num_retries=0))


def refused(what, act):
    try:
        act()
    except HttpError as error:
        found = json.loads(error.content)["error"]
        first = found["errors"][0]
        print("refused", what, error.status_code, found["code"], first["reason"], first["message"])
    else:
        print("accepted", what)


def address(name, *values):
    return {"name": name, "type": "A", "ttl": 60, "rrdatas": list(values)}


def policy(label, **kinds):
    return {"name": f"{label}.example.org.", "type": "A", "ttl": 60, "routingPolicy": kinds}


for body in json.loads(sent):
    check("Change", body)
listed = check("ManagedZonesListResponse", dns.managedZones().list(project=here["project"]).execute())
for one in listed["managedZones"]:
    print("zone", one["name"], one["dnsName"], one["visibility"])

www = address("www.example.org.", "192.0.2.1", "192.0.2.2")
text = {"name": "*.w.example.org.", "type": "TXT", "ttl": 300, "rrdatas": ['"v=spf1 -all" "a b"']}
made = change([www, text])
print("created", made["status"], len(made["additions"]), len(made["deletions"]))
for _ in range(2):
    done = check("Change", dns.changes().get(**here, changeId=made["id"]).execute())
    print("change", done["status"], done["id"] == made["id"], done["additions"] == made["additions"])
refused("second", lambda: change([address("www.example.org.", "192.0.2.3")]))
refused("other values", lambda: change([], [address("www.example.org.", "192.0.2.1")]))
refused("absent", lambda: change([], [address("gone.example.org.", "192.0.2.1")]))
refused("bad address", lambda: change([address("bad.example.org.", "300.1.1.1")]))
refused("outside", lambda: change([address("www.example.com.", "192.0.2.1")]))
refused("twice", lambda: change([address("two.example.org.", "192.0.2.1"), address("two.example.org.", "192.0.2.2")]))
alias = {"name": "www.example.org.", "type": "CNAME", "ttl": 60, "rrdatas": ["example.net."]}
refused("cname", lambda: change([alias]))
refused("nothing", lambda: change())
refused("ttl", lambda: change([{**address("ttl.example.org.", "192.0.2.1"), "ttl": -1}]))
servers = dns.resourceRecordSets().list(**here, name="example.org.", type="NS").execute()["rrsets"]
print("servers", *(one["type"] for one in servers))
refused("apex", lambda: change([], servers))
weighted = {"items": [{"weight": 1, "rrdatas": ["192.0.2.8"]}, {"weight": 0.5, "rrdatas": ["192.0.2.9"]}]}
located = {"items": [{"location": "us-east1", "rrdatas": ["192.0.2.6"]}]}
change([policy("wrr", wrr=weighted), policy("geo", geo=located)])
refused("location twice", lambda: change([policy("geo2", geo={"items": located["items"] * 2})]))
refused("location", lambda: change([policy("geo2", geo={"items": [{"location": "here", "rrdatas": ["192.0.2.6"]}]})]))
refused("weight", lambda: change([policy("w2", wrr={"items": [{"weight": -1, "rrdatas": ["192.0.2.8"]}]})]))
refused("both", lambda: change([{**policy("b", wrr=weighted), "rrdatas": ["192.0.2.8"]}]))
refused("without policy", lambda: change([], [{"name": "wrr.example.org.", "type": "A", "ttl": 60}]))
refused("one member", lambda: change([], [policy("wrr", wrr={"items": weighted["items"][:1]})]))
change([address("wrr.example.org.", "192.0.2.3")], [policy("wrr", wrr=weighted)])
change([address("www.example.org.", "192.0.2.4")], [www])
request = dns.resourceRecordSets().list(**here, maxResults=2)
while request is not None:
    page = check("ResourceRecordSetsListResponse", request.execute())
    for one in page["rrsets"]:
        if one["type"] in ("A", "TXT"):
            values = one.get("rrdatas") or [json.dumps(one["routingPolicy"])]
            print("read", one["name"], one["type"], one["ttl"], *values)
    request = dns.resourceRecordSets().list_next(request, page)
refused("zone", lambda: dns.resourceRecordSets().list(project=here["project"], managedZone="other").execute())
refused("change", lambda: dns.changes().get(**here, changeId="404").execute())
refused("project", lambda: dns.managedZones().list(project="another-project").execute())
other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
wrong = {**account, "private_key": other.private_bytes(*form).decode()}
try:
    client(wrong).managedZones().list(project=here["project"]).execute()
except RefreshError as error:
    print("refused key", error.args[0])
