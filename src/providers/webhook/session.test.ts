/** external-dns-webhook on its fake: the protocol's words, what stays, broken answers. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  address,
  applyOnce,
  create,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { addForeign, openWebhook, setsOf } from "../../../test/support/fakes/webhook/harness.ts";
import { FakeWebhook } from "../../../test/support/fakes/webhook/server.ts";
import type { ProviderSession } from "../provider.ts";
import { fromRecordSet, toRecordSet } from "./convert.ts";
import { parseOptions } from "./options.ts";

let fake: FakeWebhook;
let server: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = new FakeWebhook();
  server = await fake.start();
  session = openWebhook(server);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

const seen = (): readonly string[] =>
  fake
    .takeCalls()
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => call !== "GET /");

const values = (label: string): readonly string[] =>
  setsOf(fake).find(({ name }) => name === `${label}.example.org`)?.values ?? [];

describe("calls", () => {
  test("a change is adjusted and written; a removal is written", async () => {
    await mustApply(session, [create(address("one"))]);
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(session, [remove(address("one", "192.0.2.2"))]);
    const change = ["POST /adjustendpoints", "POST /records"];
    expect(seen()).toEqual([...change, ...change, "POST /records"]);
    expect(fake.endpoints).toEqual([]);
  });

  test("a write that was throttled or refused is adjusted anew", async () => {
    const change = ["POST /adjustendpoints", "POST /records"];
    fake.throttleNext(/^POST \/records/, "", 1);
    await expect(applyOnce(session, [create(address("one"))])).rejects.toMatchObject({
      code: "Throttled",
    });
    await mustApply(session, [create(address("one"))]);
    const next = replace(address("one"), address("one", "192.0.2.2"));
    fake.breakNext(/^POST \/records/, { is: "refused", status: 400, body: "no" });
    expect(await applyOnce(session, [next])).toMatchObject([{ status: "rejected" }]);
    await mustApply(session, [next]);
    expect(seen()).toEqual([...change, ...change, ...change, ...change]);
  });

  test("a text is written as it is", async () => {
    await mustApply(session, [create(recordSet("one.example.org", "TXT", '"a"'))]);
    expect(seen()).toEqual(["POST /records"]);
    expect(values("one")).toEqual(['"a"']);
  });

  test("any number of names is one reading", async () => {
    const known = await zoneOf(session);
    const names = ["a", "b", "c"].map((label) => address(label).name);
    addForeign(fake, address("a"));
    seen();
    const { sets } = await session.records(known, names, soon());
    expect([sets, seen()]).toEqual([[address("a")], ["GET /records"]]);
  });
});

describe("zones", () => {
  const named = async (config: unknown): Promise<readonly string[]> => {
    const one = openWebhook(server, { config });
    const zones = await one.zones(soon()).finally(() => one.close());
    return zones.map(({ name }) => name);
  };

  test.each([
    [{ include: ["example.org", ".example.com"] }, ["example.org", "example.com"]],
    [{ filters: ["example.net"] }, ["example.net"]],
  ])("those of the domain filter %j", async (filter, zones) => {
    fake.domainFilter = filter;
    expect(await named(null)).toEqual(zones);
  });

  test("all names are those that the filter includes, if it includes any", async () => {
    fake.domainFilter = { include: ["example.org"] };
    expect(await named({ zones: ["."] })).toEqual(["example.org"]);
  });

  test.each([
    [{ include: ["exa mple"] }, /include .* has "exa mple", which is no name/],
    [{ exclude: "example.org" }, /exclude .* is no list of names/],
    [["example.org"], /is no object/],
  ])("what cannot be read of %j is not as if nothing were said", async (filter, message) => {
    fake.domainFilter = filter;
    await expect(named({ zones: ["."] })).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
  });

  test.each([{}, { include: [] }, { include: [""] }, { regexInclude: "x" }, null])(
    "a filter such as %j names none: providerConfig does",
    async (filter) => {
      fake.domainFilter = filter;
      await expect(named(null)).rejects.toMatchObject({
        message: expect.stringContaining("write them to zones of providerConfig"),
      });
      expect(await named({ zones: ["Example.org.", "sub.example.org"] })).toEqual([
        "example.org",
        "sub.example.org",
      ]);
      expect(await named({ zones: ["."] })).toEqual(["."]);
    },
  );

  test.each([
    [{ include: ["example.org"], exclude: [".out.example.org"] }],
    [{ regexInclude: "example\\.org$", regexExclude: "^www\\.out\\." }],
    [{ include: ["other.example.org"] }],
  ])("a name that the filter %j leaves out is told, whoever names the zones", async (filter) => {
    fake.domainFilter = filter;
    const one = openWebhook(server, { config: { zones: ["example.org"] } });
    const [zone] = await one.zones(soon());
    if (zone === undefined) throw new Error("a zone");
    expect(one.audit(address("www.out"), zone)).toMatchObject([{ code: "OutsideFilter" }]);
    expect(one.audit(recordSet("a-www.out.example.org", "TXT", '"marker"'), zone)).toEqual([]);
    const inside = address(JSON.stringify(filter).includes("other") ? "x.other" : "www");
    expect(one.audit(inside, zone)).toEqual([]);
    one.close();
  });

  test("a filter that cannot be read is no filter of all", async () => {
    fake.domainFilter = { regexExclude: "(" };
    await expect(session.zones(soon())).rejects.toMatchObject({
      message: expect.stringContaining("regexExclude"),
    });
  });

  test("a record is in the longest zone", async () => {
    const two = openWebhook(server, { config: { zones: ["example.org", "sub.example.org"] } });
    const [outer, inner] = await two.zones(soon());
    if (outer === undefined || inner === undefined) throw new Error("two zones");
    addForeign(fake, address("www.sub"));
    addForeign(fake, address("www"));
    const shown = async (zone: typeof outer) =>
      (await two.records(zone, null, soon())).sets.map(({ name }) => name);
    expect(await shown(outer)).toEqual(["www.example.org"]);
    expect(await shown(inner)).toEqual(["www.sub.example.org"]);
    two.close();
  });

  test("what does not speak the protocol is no webhook", async () => {
    fake.mediaType = "application/json";
    await expect(session.zones(soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
      message: expect.stringContaining("is Server a webhook?"),
    });
  });
});

describe("endpoints", () => {
  test("labels and properties of an endpoint stay when it is changed", async () => {
    const more = { labels: { team: "dns" }, providerSpecific: [{ name: "x/y", value: "z" }] };
    fake.put({ dnsName: "a.example.org", recordType: "A", targets: ["192.0.2.1"], ...more });
    await session.records(await zoneOf(session), null, soon());
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    expect(fake.endpoints).toMatchObject([{ targets: ["192.0.2.2"], ...more }]);
  });

  test("a webhook that tells no TTL has the one that was written", async () => {
    fake.hidesTtl = true;
    await mustApply(session, [create(withTtl(address("a"), 120))]);
    addForeign(fake, address("b"));
    const { sets } = await session.records(await zoneOf(session), null, soon());
    expect(sets.map(({ ttlSeconds }) => ttlSeconds)).toEqual([120, 300]);
  });

  test("the TTL that the webhook makes of one is what is wanted", async () => {
    fake.adjust = (endpoint) => ({ ...endpoint, recordTTL: 3600 });
    const known = await zoneOf(session);
    const read = async (one: ProviderSession) =>
      (await one.records(known, null, soon())).sets.map(({ ttlSeconds }) => ttlSeconds);
    await mustApply(session, [create(withTtl(address("a"), 60))]);
    expect([fake.endpoints[0]?.recordTTL, await read(session)]).toEqual([3600, [60]]);
    // Another program knows nothing of that; it asks, and writes nothing.
    const next = openWebhook(server);
    expect(await read(next)).toEqual([3600]);
    seen();
    await mustApply(next, [replace(withTtl(address("a"), 3600), withTtl(address("a"), 60))]);
    expect([seen(), await read(next)]).toEqual([["POST /adjustendpoints"], [60]]);
    // Somebody else's TTL is seen, and the old endpoint is named as it is.
    fake.put({ ...fromRecordSet(address("a")), recordTTL: 7200 } as never);
    expect(await read(next)).toEqual([7200]);
    await mustApply(next, [replace(withTtl(address("a"), 7200), withTtl(address("a"), 60))]);
    expect(fake.lastChanges).toMatchObject({ updateOld: [{ recordTTL: 7200 }] });
    next.close();
  });

  test("properties that an object asks for are sent, and are as the webhook made them", async () => {
    const known = await zoneOf(session);
    const asked = { ...address("a"), properties: { "webhook/comment": "ours" } };
    const read = async (one: ProviderSession) => (await one.records(known, null, soon())).sets;
    expect(session.audit(asked, known)).toEqual([]);
    fake.adjust = ({ providerSpecific = [], ...endpoint }) => ({
      ...endpoint,
      providerSpecific: [
        { name: "own", value: "1" },
        ...providerSpecific
          .filter(({ name }) => name !== "own")
          .map(({ name, value }) => ({ name: name.replace("webhook/", ""), value })),
      ],
    });
    await mustApply(session, [create(asked)]);
    const made = [
      { name: "own", value: "1" },
      { name: "comment", value: "ours" },
    ];
    expect([fake.endpoints[0]?.providerSpecific, await read(session)]).toEqual([made, [asked]]);
    // Another program knows nothing of that; it asks, and writes nothing.
    const next = openWebhook(server);
    expect(await read(next)).toEqual([address("a")]);
    seen();
    await mustApply(next, [replace(address("a"), asked)]);
    expect([seen(), await read(next)]).toEqual([["POST /adjustendpoints"], [asked]]);
    next.close();
  });

  test("a property goes with the wish for it, and one that is not told is there", async () => {
    const known = await zoneOf(session);
    const asked = { ...address("a"), properties: { "webhook/comment": "ours" } };
    await mustApply(session, [create(asked)]);
    fake.put({ ...fromRecordSet(address("a")) } as never);
    expect((await session.records(known, null, soon())).sets).toEqual([asked]);
    fake.put({ ...fromRecordSet(asked, { providerSpecific: [{ name: "x" }] }) } as never);
    expect((await session.records(known, null, soon())).sets).toEqual([address("a")]);
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    expect(fake.endpoints).toMatchObject([{ providerSpecific: [{ name: "x", value: "" }] }]);
  });

  test("labels are always sent: webhooks in Go write into them", async () => {
    fake.panicsWithoutLabels = true;
    await mustApply(session, [create(address("a"))]);
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    await mustApply(session, [remove(address("a", "192.0.2.2"))]);
    expect(fake.endpoints).toEqual([]);
  });

  test("properties that the webhook adds are sent, other data are not", async () => {
    const providerSpecific = [{ name: "proxied", value: "false" }];
    fake.adjust = (endpoint) => ({ ...endpoint, providerSpecific });
    await mustApply(session, [create(address("a"))]);
    expect(fake.endpoints).toMatchObject([{ dnsName: "a.example.org", providerSpecific }]);
    fake.adjust = (endpoint) => ({ ...endpoint, targets: ["192.0.2.9"] });
    expect(await applyOnce(session, [create(address("b"))])).toMatchObject([
      { status: "rejected", message: expect.stringContaining("would write other data") },
    ]);
    expect(values("b")).toEqual([]);
  });

  test.each([
    ["SRV", "0 5 443 a.example", "0 5 443 a.example."],
    ["MX", "10 mail.example", "10 mail.example"],
    ["CNAME", "lb.example", "lb.example"],
    ["TXT", '"a" "b"', '"a" "b"'],
  ])("%s %s is written as %s", (type, value, target) => {
    const set = recordSet("x.example.org", type, value);
    expect(fromRecordSet(set)["targets"]).toEqual([target]);
    expect(toRecordSet(fromRecordSet(set), 1)).toEqual(set);
  });

  test("names are read with A-labels, as external-dns compares them", async () => {
    fake.put({
      dnsName: "1.bücher.example.org",
      recordType: "CNAME",
      targets: ["Bücher.example."],
    });
    const { sets } = await session.records(await zoneOf(session), null, soon());
    expect(sets).toMatchObject([
      { name: "1.xn--bcher-kva.example.org", values: ["xn--bcher-kva.example"] },
    ]);
  });

  test.each([
    { targets: ["192.0.2.1", null] },
    { targets: "192.0.2.1" },
    { recordType: undefined },
    { dnsName: null },
  ])("an endpoint with %j makes the reading incomplete", (more) => {
    const item = { dnsName: "a.example.org", recordType: "A", targets: ["192.0.2.1"], ...more };
    return expectIncomplete([item]);
  });

  test("an endpoint that is none makes the reading incomplete", () => expectIncomplete([null]));

  async function expectIncomplete(items: readonly unknown[]): Promise<void> {
    const known = await zoneOf(session);
    fake.breakNext(/^GET \/records/, { is: "refused", status: 200, body: JSON.stringify(items) });
    await expect(session.records(known, null, soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
    });
  }

  test("what answers may look like", () => {
    const read = (more: object) =>
      toRecordSet({ dnsName: "A.example.org", recordType: "TXT", ...more }, 300);
    expect(read({ targets: ['say "yes"'] })?.values).toEqual(['"say \\"yes\\""']);
    expect(read({ targets: ["x"], recordTTL: 0, labels: null })?.ttlSeconds).toBe(300);
    expect(read({ targets: ["x"], setIdentifier: "blue" })?.setIdentifier).toBe("blue");
    for (const odd of [null, [], {}, { dnsName: "a" }]) expect(toRecordSet(odd, 1)).toBeNull();
    expect(read({ targets: [] })).toBeNull();
  });
});

describe("refusals", () => {
  test.each([
    [400, '{"message":"no"}', "rejected"],
    [401, "", "retry"],
    [413, "too large", "rejected"],
    [500, "oops", "unknown"],
    [510, "", "unknown"],
    [200, "[]", "unknown"],
  ])("%i %s is %s", async (status, body, outcome) => {
    fake.breakNext(/^POST \/records/, { is: "refused", status, body });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe(outcome);
  });

  test("429 makes the account wait", async () => {
    const headers = { "retry-after": "7" };
    fake.breakNext(/^POST \/records/, { is: "refused", status: 429, body: "", headers });
    const error = await applyOnce(session, [create(address("a"))]).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "Throttled", nothingSent: true, retryAfterMs: 7000 });
  });

  test.each([
    [200, "{}"],
    [200, ""],
    [204, ""],
    [500, "oops"],
  ])("a reading that answers %i %s is no empty zone", async (status, body) => {
    const known = await zoneOf(session);
    fake.breakNext(/^GET \/records/, { is: "refused", status, body });
    await expect(session.records(known, null, soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
    });
  });

  test("a webhook in Go answers null for no records", async () => {
    const known = await zoneOf(session);
    fake.breakNext(/^GET \/records/, { is: "refused", status: 200, body: "null" });
    expect((await session.records(known, null, soon())).sets).toEqual([]);
  });

  test("a token is sent, and one that does not count is named without it", async () => {
    fake.token = "the-right-token";
    const right = openWebhook(server, { secret: { Token: "the-right-token" } });
    await zoneOf(right);
    right.close();
    const wrong = openWebhook(server, { secret: { Token: "another-token" } });
    const error = await wrong.zones(soon()).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "ProviderCredentials" });
    expect(String(error)).not.toContain("another-token");
    wrong.close();
  });

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openWebhook(server, { environment: { writeGate: () => "paused by a test" } });
    const known = await zoneOf(paused);
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(known, null, soon());
    expect(seen()).toEqual(["POST /adjustendpoints", "GET /records"]);
    paused.close();
  });
});

test.each<readonly [Readonly<Record<string, string>>, unknown, string]>([
  [{}, null, "the key Server of the Secret is missing"],
  [{ Server: "localhost:8888" }, null, "is no address"],
  [{ Server: "http://webhook.example", Token: "x" }, null, "would be sent as it is"],
  [{ TrustedCaCert: "x" }, null, "is no PEM text"],
  [{ ApiKey: "x" }, null, "ApiKey of the Secret is not known"],
  [{ Server: "http://127.0.0.1:1" }, { zones: "example.org" }, "must be a list of names"],
  [{ Server: "http://127.0.0.1:1" }, { zones: ["a..b"] }, "is no zone"],
])("settings %j %j", (secret, config, text) => {
  const given = { Server: "http://127.0.0.1:8888", ...secret };
  const whole = Object.keys(secret).length === 0 ? {} : given;
  const options = parseOptions({ secret: whole, config });
  const messages = options.ok ? [] : options.error.map(({ message }) => message);
  expect(messages.join()).toContain(text);
});
