/** aws-route53 on its fake: calls that are counted, throttles, and answers that break. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  address,
  applyOnce,
  create,
  group,
  mustApply,
  recordSet,
  remove,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openRoute53 } from "../../../test/support/fakes/route53/harness.ts";
import { FakeRoute53, refusal } from "../../../test/support/fakes/route53/server.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { pack } from "../../sync/calls/pack-batches.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeRoute53;
let endpoint: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = new FakeRoute53();
  endpoint = await fake.start();
  fake.addZone("Z1", "example.org");
  session = openRoute53(endpoint);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Data with a marker, as the TXT registry writes them. */
function withMarker(label: string): ChangeGroup {
  const data = create(address(label));
  const text = `"heritage=external-dns,external-dns/owner=me"`;
  const marker = create(recordSet(`a-${label}.example.org`, "TXT", text));
  return group(
    data.name,
    [...data.changes, ...marker.changes],
    [...data.preconditions, ...marker.preconditions],
  );
}

const posts = (): number => fake.takeCalls().filter(({ method }) => method === "POST").length;

describe("calls", () => {
  test("1000 names with their markers take as few calls as the limits allow, within 5 %", async () => {
    const groups = Array.from({ length: 1000 }, (_, index) => withMarker(`name-${index}`));
    const batches = pack(groups, session.capabilities);
    await zoneOf(session);
    fake.takeCalls();
    const zone = await zoneOf(session);
    fake.takeCalls();
    for (const batch of batches)
      for await (const { status } of session.apply(zone, batch, soon()))
        expect(status).toBe("applied");
    const values = groups.flatMap(({ changes }) => changes.flatMap((one) => valuesOf(one)));
    const characters = values.reduce((sum, value) => sum + value.length, 0);
    const least = Math.max(Math.ceil(values.length / 1000), Math.ceil(characters / 32_000));
    expect(posts()).toBeLessThanOrEqual(Math.floor(least * 1.05));
  });

  test("one change is one call that writes, and no listing", async () => {
    const zone = await zoneOf(session);
    fake.takeCalls();
    for await (const { status } of session.apply(zone, [withMarker("one")], soon()))
      expect(status).toBe("applied");
    expect(fake.takeCalls()).toMatchObject([{ method: "POST" }]);
  });

  test("a name is read by one question, and many names by a listing that takes less", async () => {
    const zone = await zoneOf(session);
    await mustApply(session, [create(address("a")), create(address("b"))]);
    fake.takeCalls();
    await session.records(zone, [address("a").name], soon());
    expect(fake.takeCalls()).toHaveLength(1);
    await session.records(zone, null, soon());
    fake.takeCalls();
    const names = ["a", "b", "c"].map((label) => address(label).name);
    const { sets, pages } = await session.records(zone, names, soon());
    expect(fake.takeCalls()).toHaveLength(1);
    expect([sets.map(({ name }) => name), pages]).toEqual([names.slice(0, 2), 1]);
  });
});

function valuesOf(change: ChangeGroup["changes"][number]): readonly string[] {
  return change.op === "remove" ? [] : change.next.values;
}

test.each([299, 300, 301, 600])("a zone of %i record sets is read whole", async (size) => {
  const zone = fake.zones.get("Z1");
  const sets = Array.from({ length: size - 2 }, (_, index) => ({
    action: "CREATE",
    set: {
      Name: `n${index}.example.org.`,
      Type: "A" as const,
      TTL: 60,
      ResourceRecords: [{ Value: "192.0.2.1" }],
    },
  }));
  zone?.apply(sets);
  const paced: string[] = [];
  session.pace?.(async () => void paced.push("read"));
  const found = await session.records(await zoneOf(session), null, soon());
  expect(found.sets).toHaveLength(size);
  expect([found.pages, paced.length]).toEqual([Math.ceil(size / 300), Math.ceil(size / 300) - 1]);
});

describe.each(["own", "common"] as const)("refusals in the %s form", (form) => {
  beforeEach(() => {
    fake.errorForm = form;
  });

  test("one that is not as it was read is everybody's", async () => {
    await mustApply(session, [create(address("taken"))]);
    const groups = [
      create(address("taken", "192.0.2.2")),
      remove(address("gone")),
      create(address("good")),
    ];
    const message = expect.stringMatching(/was not found[,;] .*already exists/);
    const failed = { status: "precondition-failed", message };
    expect(await applyOnce(session, groups)).toMatchObject([failed, failed, failed]);
  });

  test("so is one for what a set holds", async () => {
    const bad = group(address("bad").name, [{ op: "create", next: address("bad", "300.1.1.1") }]);
    const outcomes = await applyOnce(session, [create(address("good")), bad]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("trouble", () => {
  const POST = /^POST/;
  test.each([
    [400, "Throttling", undefined, null],
    [400, "ThrottlingException", undefined, null],
    [429, "TooManyRequests", "7", 7000],
    [400, "PriorRequestNotComplete", undefined, null],
  ])("%i %s makes the account wait", async (status, code, retryAfter, retryAfterMs) => {
    const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    fake.breakNext(POST, refusal(status, code, "Rate exceeded", headers));
    const error = await applyOnce(session, [create(address("a"))]).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "Throttled", nothingSent: true, retryAfterMs });
  });

  test.each([
    ["ExpiredToken", 403, "retry"],
    ["InvalidClientTokenId", 403, "retry"],
    ["SignatureDoesNotMatch", 403, "retry"],
    ["AccessDenied", 403, "rejected"],
    ["InternalFailure", 500, "unknown"],
    ["ServiceUnavailable", 503, "unknown"],
    ["NoSuchHostedZone", 404, "retry"],
  ])("%s is %s", async (code, status, outcome) => {
    const message = "no (Service: Route53, Status Code: 403, Request ID: b25f48e8-84fd)";
    fake.breakNext(POST, refusal(status, code, message));
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe(outcome);
    expect(JSON.stringify(found)).not.toMatch(/b25f48e8|AKIA|wJalr/);
  });

  test.each(["cut-before", "cut-after", "half"] as const)("%s is unknown", async (is) => {
    fake.breakNext(POST, { is });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe("unknown");
  });

  test("half a page is no page", async () => {
    const zone = await zoneOf(session);
    fake.breakNext(/^GET .*rrset/, { is: "half" });
    await expect(session.records(zone, null, soon())).rejects.toMatchObject({
      name: "OperationError",
    });
  });

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openRoute53(endpoint, { writeGate: () => "paused by a test" });
    const zone = await zoneOf(paused);
    fake.takeCalls();
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(zone, null, soon());
    expect(posts()).toBe(0);
    paused.close();
  });
});

test("a change has a receipt; GetChange says when all servers have it, and an old one is everywhere", async () => {
  fake.pendingAnswers = 1;
  const zone = await zoneOf(session);
  const [outcome] = await applyOnce(session, [create(address("a"))]);
  if (outcome?.status !== "applied" || outcome.receipt === undefined) throw new Error("no receipt");
  const { receipt } = outcome;
  fake.takeCalls();
  expect(await session.propagationOf?.(zone, receipt, soon())).toEqual({ is: "pending" });
  expect(await session.propagationOf?.(zone, receipt, soon())).toEqual({ is: "live" });
  expect(await session.propagationOf?.(zone, "C404", soon())).toEqual({ is: "live" });
  expect(fake.takeCalls().map(({ path }) => path)).toEqual([
    expect.stringContaining(`/change/${receipt}`),
    expect.stringContaining(`/change/${receipt}`),
    expect.stringContaining("/change/C404"),
  ]);
  fake.breakNext(/change/, refusal(403, "AccessDenied", "not authorized: route53:GetChange"));
  await expect(session.propagationOf?.(zone, receipt, soon())).rejects.toMatchObject({
    name: "OperationError",
  });
});

describe("record sets", () => {
  const policy = (type: string, parameters: Readonly<Record<string, string>>): RecordSet => ({
    ...address("member"),
    setIdentifier: "blue",
    routingPolicy: { type, parameters },
  });

  test.each([
    policy("weighted", { weight: "0" }),
    policy("latency", { region: "eu-central-1", healthCheckID: "hc-1" }),
    policy("geolocation", { location: "continent=EU" }),
    policy("geolocation", { location: "country=US,subdivision=CA" }),
    policy("geolocation", { location: "country=*" }),
    policy("failover", { failoverRecordType: "primary" }),
    policy("multivalue", {}),
    policy("ip-based", { collection: "c-1", location: "office" }),
  ])("a member of $routingPolicy comes back", async (set) => {
    await comesBack(set);
  });

  test.each([
    ["CNAME", "*.w.example.net"],
    ["CNAME", "1.0/25.2.0.192.in-addr.arpa"],
    ["MX", String.raw`10 a\.b\@.example.net`],
    ["CAA", String.raw`0 issue "a\"b"`],
  ])("%s %s, with escapes, comes back", async (type, value) => {
    await comesBack(recordSet("*.e.example.org", type, value));
  });

  test("an alias comes back, with its target in another zone", async () => {
    const properties = {
      alias: "true",
      aliasHostedZoneId: "Z35SXDOTRQ7X7K",
      evaluateTargetHealth: "true",
    };
    const alias = recordSet("example.org", "A", "lb-1.us-east-1.elb.amazonaws.com");
    await comesBack(session.normalize({ ...alias, properties }, await zoneOf(session)));
  });

  test.each([
    ["nobody says", {}, "Z35SXDOTRQ7X7K"],
    ["is said", { aliasHostedZoneId: "Z35SXDOTRQ7X7K" }, "Z35SXDOTRQ7X7K"],
    ["is said otherwise", { aliasHostedZoneId: "Z2" }, "Z2"],
  ])("the zone of a load balancer that %s", async (_, zone, HostedZoneId) => {
    const set = recordSet("example.org", "A", "lb-1.us-east-1.elb.amazonaws.com");
    const properties = { alias: "true", ...zone };
    const alias = session.normalize({ ...set, properties }, await zoneOf(session));
    await mustApply(session, [group(set.name, [{ op: "create", next: alias }])]);
    const { sets } = await session.records(await zoneOf(session), [set.name], soon());
    expect(sets).toContainEqual(alias);
    const written = fake.zones.get("Z1")?.sets.find(({ AliasTarget }) => AliasTarget !== undefined);
    expect(written?.AliasTarget).toMatchObject({ HostedZoneId, EvaluateTargetHealth: false });
  });

  test("the zone of an alias that is in the zone itself is not shown", async () => {
    const zone = await zoneOf(session);
    const properties = { alias: "true", aliasHostedZoneId: zone.id };
    const alias = { ...recordSet("a.example.org", "A", "b.example.org"), properties };
    expect(session.normalize(alias, zone).properties).toEqual({ alias: "true" });
  });

  async function comesBack(set: RecordSet): Promise<void> {
    const zone = await zoneOf(session);
    expect(session.audit(set, zone)).toEqual([]);
    const write = group(set.name, [{ op: "create", next: set }]);
    await mustApply(session, [write]);
    const { sets } = await session.records(zone, [set.name], soon());
    expect(sets).toContainEqual(set);
    await mustApply(session, [remove(set)]);
  }

  test("what it has not is told with its remedy", async () => {
    const zone = await zoneOf(session);
    const problems = [
      policy("weighted", { weight: "256" }),
      policy("latency", {}),
      policy("geoproximity", {}),
      { ...address("member"), setIdentifier: "blue" },
      recordSet("example.org", "CNAME", "other.example.net"),
      recordSet("loc.example.org", "LOC", "0 0 0 N 0 0 0 E 0m"),
    ].map((set) => session.audit(set, zone).map(({ code }) => code));
    expect(problems.map(([first]) => first)).toEqual([
      "UnsupportedRoutingPolicy",
      "UnsupportedRoutingPolicy",
      "UnsupportedRoutingPolicy",
      "UnsupportedRoutingPolicy",
      "InvalidValue",
      "UnsupportedType",
    ]);
  });
});

test("public and private zones of one name differ by zoneType", async () => {
  fake.addZone("Z2", "example.org", true);
  const seen = async (config: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const one = openRoute53(endpoint, {}, config);
    const zones = await one.zones(soon());
    one.close();
    return zones.map(({ id, visibility = "public" }) => `${id} ${visibility}`);
  };
  expect(await seen({})).toEqual(["Z1 public", "Z2 private"]);
  expect(await seen({ zoneType: "private" })).toEqual(["Z2 private"]);
  expect(await seen({ zoneType: "public" })).toEqual(["Z1 public"]);
});
