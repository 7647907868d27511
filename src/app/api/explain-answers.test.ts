/**
 * Tests what `explain` says of answers that are made of records at other names, and its verdict.
 */
import { afterEach, expect, test } from "vitest";
import { asClients } from "../../../test/support/programs/client-text.ts";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import type { Instance, Work } from "../compose/instance.ts";
import { eventsCheck, identityCheck } from "../compose/zone-checks.ts";
import { NAME_VERDICT_HEADER } from "./exchange.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";

const www = nameOf("www");
const explanation: NameExplanation = {
  zone: { account: "a", zone: "example.org" },
  ...{
    apex: nameOf("@"),
    endpoint: "127.0.0.1:53",
    paused: null,
    isTrusted: true,
    servers: [],
    name: www,
  },
  ...{ verdict: "settled", desired: [], claims: [], current: [], standing: [], holds: [] },
  ...{ owner: null, resource: null, heldSets: [], lastOutcome: null, nextTryAtMs: null },
};

let app: HttpApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

/** The answer of an instance to `explain www`. */
async function explained(more: Partial<Instance & Work>, shown: Partial<NameExplanation> = {}) {
  const explain: Work["explain"] = async (name) =>
    name === www ? [{ ...explanation, ...shown }] : [];
  const instance = instanceOf({ explain, ...more });
  app = await startHttpApp({ at: { host: "127.0.0.1", port: 0 }, token: "t", instance });
  const asked = { authorization: "Bearer t", accept: "text/plain" };
  const url = `http://127.0.0.1:${app.local.port}/api/v1/explain/${www}`;
  const { headers, text } = await asClients(await fetch(url, { headers: asked }), asked);
  await app.close();
  return { verdict: headers.get(NAME_VERDICT_HEADER), text };
}

test("a name whose only server cannot be asked is trouble; without one others do not count", async () => {
  const away = { serial: null, answers: [], trouble: "no answer within 4 s" };
  const verdictOf = async (...named: readonly string[]) => {
    const askServers = async () => named.map((server) => ({ server, ...away }));
    return (await explained({ askServers })).verdict;
  };
  expect(await verdictOf("127.0.0.1:53", "ns2.example.net")).toBe("trouble");
  expect(await verdictOf("ns2.example.net")).toBe("settled");
  expect(await verdictOf()).toBe("settled");
});

test("an alias that leads nowhere leaves the name open, and says where it leads", async () => {
  const current = parseZone("www 300 CNAME lb.example.net.");
  const asked = async (has: boolean | null) => {
    const { verdict, text } = await explained({ hasAddress: async () => has }, { current });
    return [verdict, text.split("\n").find((line) => line.startsWith("  leads to "))];
  };
  expect(await asked(false)).toEqual([
    "open",
    "  leads to lb.example.net, which has no address: nothing is found there. Correct the target, or give lb.example.net an address",
  ]);
  expect(await asked(true)).toEqual(["settled", "  leads to lb.example.net"]);
  expect((await asked(null))[0]).toBe("settled");
});

test("what answers at a name without records, and that an object at the end wants it", async () => {
  const sets = parseZone("*.apps 300 A 192.0.2.7");
  const synthesized = { is: "wildcard" as const, at: nameOf("*.apps"), sets };
  const bad = {
    object: "dnsentry/default/bad",
    cluster: "c",
    name: www,
    state: "Invalid",
    message: "no",
  };
  const { text } = await explained({ whoLists: async () => [bad] }, { synthesized });
  expect(text).toContain("  wanted: by objects that are not published, see the end\n");
  expect(text).toContain("  answered by the wildcard *.apps.example.org:\n    A 300 192.0.2.7\n");
  expect((await explained({})).text).toContain("  wanted: by no object\n");
});

test.each([
  eventsCheck("c1", 'events is forbidden: User "zk" cannot create resource "events"'),
  identityCheck("c1", "cluster c1 is not the one it was: zonekeeper approve 4f0c1d2e3b5a6978"),
])("what plan says of a cluster, explain says: $name", async (check) => {
  const { verdict, text } = await explained({ checks: () => [check] });
  expect(text).toContain(`  clusters:\n    ${check.message}\n`);
  expect([verdict, (await explained({})).verdict]).toEqual(["open", "settled"]);
});
