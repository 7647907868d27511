/**
 * Vendors' own clients judge the fakes of Google Cloud DNS and Azure, and real Designate beside us:
 * google-api-python-client with the discovery document, azure-mgmt-dns and azure-mgmt-privatedns
 * with their models, python-designateclient on a zone that we write, too.
 */
import { afterEach, expect, test } from "vitest";
import type { ProviderSession } from "../../src/providers/provider.ts";
import {
  applyOnce,
  create,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  zoneOf,
} from "../conformance/provider-harness.ts";
import { runJudge } from "../support/clients/provider-judges.ts";
import { AZURE_SECRET, makeAzure } from "../support/fakes/azure/harness.ts";
import { openDesignate } from "../support/fakes/designate/harness.ts";
import { openGoogle, startGoogle } from "../support/fakes/google/harness.ts";
import { issueLocalCertificate } from "../support/ports/local-certificate.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startOpenStack } from "../support/real-servers/openstack/openstack.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describeReal("judges of Google Cloud DNS", ["provider-judges"], () => {
  test("the vendor's own client finds each answer and each change of ours as described", async () => {
    const started = await startGoogle();
    ends.push(() => started.fake.stop());
    started.fake.addZone("example-org", "example.org");
    const session = openGoogle(started);
    ends.push(() => session.close());
    const written = recordSet("ours.example.org", "A", "192.0.2.1");
    await mustApply(session, [create(written)]);
    await mustApply(session, [replace(written, recordSet("ours.example.org", "A", "192.0.2.2"))]);
    const member = (position: string, weight: string) => ({
      ...recordSet("members.example.org", "A", "192.0.2.3"),
      setIdentifier: position,
      routingPolicy: { type: "weighted", parameters: { weight } },
    });
    await mustApply(session, [create(member("1", "0.5"))]);
    await mustApply(session, [create(member("0", "2"))]);
    const bodies = started.fake
      .takeCalls()
      .flatMap(({ path, body }) =>
        path.endsWith("/changes") ? [JSON.parse(body) as unknown] : [],
      );
    expect(bodies).toHaveLength(4);
    const key = started.secret["serviceaccount.json"] ?? "";
    const args = ["google_records.py", started.endpoint, key, "example-org"];
    expect(await runJudge([...args, JSON.stringify(bodies)])).toEqual(SEEN_BY_GOOGLE);
  });
});

describeReal("judges of Azure", ["provider-judges"], () => {
  test.each(["public", "private"] as const)(
    "the vendor's own client, zones that are %s",
    async (kind) => {
      const pair = await issueLocalCertificate();
      ends.push(() => pair.remove());
      const fake = makeAzure();
      const origin = await fake.start(pair);
      ends.push(() => fake.stop());
      fake.addZone("example.org", kind === "private");
      const env = { ...AZURE_SECRET, REQUESTS_CA_BUNDLE: pair.caFile };
      expect(await runJudge(["azure_records.py", origin, kind], env)).toEqual(seenByAzure(kind));
    },
  );
});

describeReal("judges of Designate", ["provider-judges", "openstack"], () => {
  test("python-designateclient and we keep one zone of the real service", async () => {
    const stack = await startOpenStack("example.org");
    ends.push(() => stack.stop());
    const session = openDesignate(stack.userSecret);
    ends.push(() => session.close());
    const written = recordSet("ours.example.org", "A", "192.0.2.1");
    await mustApply(session, [
      create(written),
      create(recordSet("*.w.example.org", "TXT", '"v=spf1 -all"')),
    ]);
    const seen = await runJudge(["designate_records.py", "example.org"], stack.credentialSecret);
    expect(seen).toEqual(SEEN_BY_DESIGNATECLIENT);
    const [again] = await applyOnce(session, [remove(written)]);
    expect(again?.status).toBe("precondition-failed");
    const seenByUs = await seenBy(session);
    expect(seenByUs.filter((one) => !one.startsWith("race."))).toEqual([
      '*.w.example.org TXT "v=spf1 -all"',
      'text.example.org TXT "a b"',
      "theirs.example.org A 192.0.2.9",
    ]);
    expect(seenByUs).toHaveLength(4);
  });
});

/** What the vendor's servers have no part in. */
async function seenBy(session: ProviderSession): Promise<readonly string[]> {
  const { sets } = await session.records(await zoneOf(session), null, soon());
  const own = sets.filter(({ type }) => type !== "NS" && type !== "SOA");
  return own.map(({ name, type, values }) => [name, type, ...values].join(" "));
}

const ADDED = "entity.change.additions[0]";
const SEEN_BY_GOOGLE = [
  "zone example-org example.org. public",
  "created pending 2 0",
  "change pending True True",
  "change done True True",
  `refused second 409 409 alreadyExists The resource '${ADDED}' named 'www.example.org. (A)' already exists`,
  "refused other values 412 412 conditionNotMet Precondition not met for 'entity.change.deletions[0]'",
  "refused absent 404 404 notFound The 'entity.change.deletions[0]' resource named 'gone.example.org. (A)' does not exist.",
  `refused bad address 400 400 invalid Invalid value for '${ADDED}.rrdata[0]': '300.1.1.1'`,
  `refused outside 400 400 invalid Invalid value for '${ADDED}.name': 'www.example.com.'`,
  "refused twice 409 409 alreadyExists The resource 'entity.change.additions[1]' named 'two.example.org. (A)' already exists",
  `refused cname 400 400 cnameResourceRecordSetConflict The resource record set '${ADDED}' is invalid because the DNS name 'www.example.org.' may have either one CNAME resource record set or resource record sets of other types, but not both.`,
  "refused nothing 400 400 required The 'entity.change' parameter is required but was missing.",
  `refused ttl 400 400 invalid Invalid value for '${ADDED}.ttl': '-1'`,
  "servers NS",
  "refused apex 400 400 invalidZoneApex The resource record set 'example.org.' is invalid because a zone must contain exactly one resource record set of type 'NS' at the apex.",
  `refused location twice 400 400 invalid Invalid value for '${ADDED}.routingPolicy.geo.items[1].location': 'us-east1'`,
  `refused location 400 400 invalid Invalid value for '${ADDED}.routingPolicy.geo.items[0].location': 'here'`,
  `refused weight 400 400 invalid Invalid value for '${ADDED}.routingPolicy.wrr.items[0].weight': '-1'`,
  `refused both 400 400 invalid Invalid value for '${ADDED}.routingPolicy': '<invalid>'`,
  "refused without policy 400 400 invalid Invalid value for 'entity.change.deletions[0].rrdata': '<empty>'",
  "refused one member 412 412 conditionNotMet Precondition not met for 'entity.change.deletions[0]'",
  'read *.w.example.org. TXT 300 "v=spf1 -all" "a b"',
  'read geo.example.org. A 60 {"geo": {"items": [{"location": "us-east1", "rrdatas": ["192.0.2.6"]}]}}',
  'read members.example.org. A 900 {"wrr": {"items": [{"weight": 2, "rrdatas": ["192.0.2.3"]}, {"weight": 0.5, "rrdatas": ["192.0.2.3"]}]}}',
  "read ours.example.org. A 900 192.0.2.2",
  "read wrr.example.org. A 60 192.0.2.3",
  "read www.example.org. A 60 192.0.2.4",
  "refused zone 404 404 notFound The 'parameters.managedZone' resource does not exist.",
  "refused change 404 404 notFound The 'parameters.changeId' resource does not exist.",
  "refused project 403 403 forbidden Forbidden",
  "refused key invalid_grant: Invalid JWT Signature.",
];

const AZURE_TYPES = { public: "dnszones", private: "privateDnsZones" } as const;

/** Azure's refusals and answers are the same for both kinds of zone, but for types and NS. */
function seenByAzure(kind: keyof typeof AZURE_TYPES): readonly string[] {
  const type = `Microsoft.Network/${AZURE_TYPES[kind]}`;
  const beside = "with the same name already exists in this zone.";
  return [
    `zone example.org my-group ${type}`,
    `created 201 www ${type}/A www.example.org.`,
    "refused exists 412 PreconditionFailed The condition '*' in the If-None-Match header was satisfied.",
    "refused other etag 412 PreconditionFailed The condition 'other' in the If-Match header was not satisfied.",
    "changed 200 True",
    "refused bad address 400 BadRequest The IP address '300.1.1.1' is invalid.",
    "refused ttl 400 BadRequest The value '0' of the TTL is invalid.",
    `refused cname 409 Conflict The CNAME record could not be created because another record ${beside}`,
    `refused beside cname 409 Conflict The record could not be created because a CNAME record ${beside}`,
    "refused too many 400 BadRequest The number of records exceeds the maximum of 20 for a record set.",
    "refused twice 400 BadRequest The list of record sets of type 'A' may not contain multiple entries.",
    "refused apex 400 BadRequest The record set of type 'SOA' cannot be deleted at the zone apex.",
    "refused absent 404 NotFound The resource record 'gone' does not exist in resource group.",
    "refused zone 404 ResourceNotFound The Resource was not found.",
    "got 192.0.2.2 192.0.2.3",
    "read www A 60 192.0.2.2 192.0.2.3",
    "read alias CNAME 300",
    "read @ MX 300",
    ...(kind === "public" ? ["read @ NS 172800"] : []),
    "read @ SOA 3600",
    "read _sip._tcp SRV 300",
    "read *.w TXT 300 v=spf1 -all a b",
    "refused delete other 412 PreconditionFailed The condition 'another' in the If-Match header was not satisfied.",
    "deleted 200 204",
    "refused key ClientAuthenticationError",
  ];
}

const SEEN_BY_DESIGNATECLIENT = [
  "zone example.org. PRIMARY",
  'read *.w.example.org. TXT 900 "v=spf1 -all"',
  "read ours.example.org. A 900 192.0.2.1",
  "created PENDING CREATE ACTIVE",
  "refused same Conflict duplicate_recordset",
  "refused bad address BadRequest invalid_object",
  "refused cname BadRequest invalid_recordset_location",
  "refused outside BadRequest invalid_recordset_location",
  "refused absent NotFound recordset_not_found",
  "changed 192.0.2.9 600 ACTIVE",
  "refused strings BadRequest invalid_object",
  'text "a b"',
  `race ${"Conflict ".repeat(7)}created`,
  "deleted DELETE",
  "refused key Unauthorized None",
];
