/**
 * Vendors' own models judge what we send: azure-mgmt-dns and -privatedns, the typed parameters of
 * cloudflare, the request models of alibabacloud-alidns. (Google's description, moto and
 * infoblox-client judge ours beside their fakes.)
 */
import { afterEach, expect, test } from "vitest";
import type { ProviderSession } from "../../src/providers/provider.ts";
import {
  create,
  mustApply,
  readNames,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "../conformance/provider-harness.ts";
import { runJudge } from "../support/clients/provider-judges.ts";
import { makeFake as makeAliDns, openAliDns } from "../support/fakes/alidns/harness.ts";
import { makeAzure, openAzure } from "../support/fakes/azure/harness.ts";
import { makeFake, openCloudflare } from "../support/fakes/cloudflare/harness.ts";
import { describeReal } from "../support/real-servers/availability.ts";

/** What was sent, and its body or parameters. */
type Sent = readonly [what: string, body: unknown];

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const WRITTEN = [
  recordSet("www.example.org", "A", "192.0.2.1", "192.0.2.2"),
  recordSet("www.example.org", "AAAA", "2001:db8::1"),
  recordSet("alias.example.org", "CNAME", "elsewhere.example.net"),
  recordSet("example.org", "MX", "10 mx.example.net"),
  recordSet("_sip._tcp.example.org", "SRV", "1 2 5060 sip.example.net"),
  recordSet("*.w.example.org", "TXT", '"v=spf1 -all" "a b"'),
];
const CAA = recordSet("example.org", "CAA", '0 issue "ca.example.net"');

/** Everything that a session sends: creations, changes, removals, listings and questions. */
async function keepZone(session: ProviderSession, sets = [...WRITTEN, CAA]): Promise<void> {
  ends.push(() => session.close());
  const zone = await zoneOf(session);
  await mustApply(session, sets.map(create));
  await session.records(zone, null, soon());
  for (const set of sets) {
    const present = (await readNames(session, [set.name])).find(({ type }) => type === set.type);
    if (present === undefined) throw new Error(`${set.name} ${set.type} was not written`);
    const next = withTtl(present, 1200);
    await mustApply(session, [replace(present, next)]);
    await mustApply(session, [remove(next)]);
  }
}

async function judged(vendor: string, sent: readonly Sent[]): Promise<readonly string[]> {
  return runJudge(["our_requests.py", vendor, JSON.stringify(sent)]);
}

/** All are described so, and the judge sees what is not. */
async function expectDescribed(vendor: string, sent: readonly Sent[], wrong: Sent): Promise<void> {
  expect(new Set(await judged(vendor, sent))).toEqual(
    new Set(sent.map(([what]) => `${what} as described`)),
  );
  const [line = ""] = await judged(vendor, [wrong]);
  expect(line).not.toContain("as described");
  expect(line).toContain("wrong");
}

describeReal("what we send, by the vendors' models", ["provider-judges"], () => {
  test.each(["public", "private"] as const)("Azure, zones that are %s", async (kind) => {
    const isPrivate = kind === "private";
    const fake = makeAzure();
    const endpoint = await fake.start();
    ends.push(() => fake.stop());
    fake.addZone("example.org", isPrivate);
    await keepZone(openAzure(endpoint, { isPrivate }), isPrivate ? WRITTEN : undefined);
    const puts = fake.takeCalls().filter(({ method }) => method === "PUT");
    const sent = puts.map(({ path, body }): Sent => {
      return [path.split("/").at(-2) ?? "", JSON.parse(body)];
    });
    expect(new Set(sent.map(([type]) => type)).size).toBe(isPrivate ? 6 : 7);
    // The two flavours differ in the spelling of fields.
    const list = isPrivate ? "aRecords" : "ARecords";
    const wrong = { properties: { [list]: [{ wrong: "x" }] } };
    await expectDescribed(`azure-${kind}`, sent, ["A", wrong]);
  });

  test("Cloudflare", async () => {
    const fake = makeFake();
    const endpoint = await fake.start();
    ends.push(() => fake.stop());
    fake.addZone("023e105f4ecef8ad9ca31a8372d0c353", "example.org", "pro");
    await keepZone(openCloudflare(endpoint));
    const posts = fake.takeCalls().filter(({ method }) => method === "POST");
    const sent = posts.map(({ body }): Sent => ["batch", JSON.parse(body)]);
    expect(new Set(sent.flatMap(([, body]) => Object.keys(body as object)))).toEqual(
      new Set(["posts", "patches", "deletes"]),
    );
    const wrong = { name: "a.example.org", type: "A", ttl: 60, content: "192.0.2.1", wrong: 1 };
    await expectDescribed("cloudflare", sent, ["batch", { posts: [wrong] }]);
  });

  test("Alibaba Cloud DNS", async () => {
    const fake = makeAliDns();
    const endpoint = await fake.start();
    ends.push(() => fake.stop());
    fake.addDomain("00efd71a-770e-4255-b54e-6fe5659baffe", "example.org");
    // Texts of more than one string are held there beforehand.
    await keepZone(openAliDns(endpoint), [
      ...WRITTEN.filter(({ type }) => type !== "TXT"),
      recordSet("*.w.example.org", "TXT", '"v=spf1 -all"'),
      CAA,
    ]);
    const actions = fake.takeActions().map((action) => action.split(" ")[0] ?? "");
    const sent = fake.takeCalls().map(({ path }, index): Sent => {
      const { searchParams } = new URL(path, "http://fake");
      return [actions[index] ?? "", Object.fromEntries(searchParams)];
    });
    expect(new Set(actions).size).toBeGreaterThan(4);
    await expectDescribed("alidns", sent, ["AddDomainRecord", { DomainName: "x", wrong: "1" }]);
  });
});
