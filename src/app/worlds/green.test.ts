/**
 * A state is green only if the next change would be read and written: status, `/readyz`, plan and
 * metrics give one answer.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { fenceName } from "../../sync/contract/fence-record.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";
import { planDocument, planVerdict } from "../api/plan/document.ts";
import { zoneNote } from "../commands/ask/texts/plan-lines.ts";
import type { HealthCheck } from "../compose/instance.ts";
import {
  identityCheck,
  providerCheck,
  trouble,
  troubleCounts,
  unreadKinds,
} from "../compose/zone-checks.ts";

const API = "dns.gardener.cloud/v1alpha1";
const APEX = trustedDnsName("example.org");
const spec = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
const term = (domain: string): WriterTerm => ({
  ...{ domain, epoch: 1, id: "one", copyEpoch: null, marginMs: 0 },
  ...{ remainingMs: () => Number.POSITIVE_INFINITY, outdated: () => {} },
});
const statusOf = (world: ReturnType<typeof programWorld>) =>
  fieldsOf(world.cluster.now(DNS_ENTRY, "default", "www")?.["status"]);
const named = (checks: readonly HealthCheck[], start: string) =>
  checks.filter(({ name }) => name.startsWith(start));

test("another installation takes the fence: what is in sync is not green any more, and is again", async () => {
  const world = programWorld();
  world.cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "www", { spec }));
  const fence = { term: term("c1/default/one"), record: true };
  const running = world.start(undefined, { fence });
  await world.clock.advance(60_000);
  expect(statusOf(world)).toMatchObject({ state: "Ready" });
  expect(named(running.checks(), "zone ")).toMatchObject([{ ok: true }]);
  const name = fenceName(APEX, "me");
  if (name === null) throw new Error("no name for the fence");
  const [mine] = world.textAt(name);
  world.writeText(name, (mine ?? "").replace("c1/default/one", "c2/default/two"));
  await world.clock.advance(60_000);
  expect(statusOf(world)).toMatchObject({
    state: "Stale",
    message: expect.stringContaining("c2/"),
  });
  const checks = running.checks();
  expect(named(checks, "zone ")).toMatchObject([{ ok: false, readyAnyway: true }]);
  expect(troubleCounts(checks).get("zone")).toBe(1);
  const [row] = planDocument(running.zones(), { zone: null, name: null, limit: null }).zones;
  expect(row === undefined ? "" : zoneNote(row)).toBe("its next change would not be written");
  await running.takeOwner("c2/default/two", false);
  await world.clock.advance(60_000);
  expect(statusOf(world)).toMatchObject({ state: "Ready", message: "dns entry active" });
  expect(named(running.checks(), "zone ")).toMatchObject([{ ok: true }]);
  await running.stop();
});

describe("/readyz", () => {
  const isReady = (checks: readonly HealthCheck[]): boolean =>
    checks.every(({ ok, readyAnyway }) => ok || readyAnyway === true);

  test("fails while the program may not read a kind, and names it", async () => {
    const world = programWorld();
    world.cluster.setKindState(SECRET, "forbidden");
    const running = world.start();
    await world.clock.advance(60_000);
    expect(isReady(running.checks())).toBe(false);
    expect(named(running.checks(), "cache c1/secrets")).toMatchObject([{ ok: false }]);
    expect(named(running.checks(), "provider default/p")).toMatchObject([
      { ok: false, message: expect.stringContaining("may not be read") },
    ]);
    world.cluster.relist(SECRET);
    await world.clock.advance(60_000);
    expect(isReady(running.checks())).toBe(true);
    await running.stop();
  });

  test("does not fail for a zone, an account, a write or a right to write", () => {
    const checks = [
      providerCheck({ provider: "default/p", message: "no" }),
      identityCheck("c1", "it may be another one"),
      trouble("refused services", "no"),
    ];
    expect(checks.map(({ ok, readyAnyway }) => [ok, readyAnyway])).toEqual(
      checks.map(() => [false, true]),
    );
  });

  test("does not fail for a DNSProvider without its Secret, and names it", async () => {
    const world = programWorld();
    world.cluster.delete(SECRET, "default", "s");
    const running = world.start();
    await world.clock.advance(60_000);
    expect(isReady(running.checks())).toBe(true);
    expect(named(running.checks(), "provider default/p")).toMatchObject([{ ok: false }]);
    await running.stop();
  });
});

describe("one answer in every channel", () => {
  const contested = (world: World): void => change(world, /$/, ";contested=c1/default/one");
  const change = (world: World, from: RegExp, to: string): void => {
    const name = fenceName(APEX, "me");
    if (name === null) throw new Error("no name for the fence");
    const [text = ""] = world.textAt(name);
    world.writeText(name, `"${text.replaceAll('"', "").replace(from, to)}"`);
  };

  test.each<[string, (world: World) => void, boolean]>([
    ["nothing is wrong", () => undefined, true],
    ["Secrets may not be read", (one) => one.cluster.setKindState(SECRET, "forbidden"), false],
    ["the Secret is gone", (one) => one.cluster.delete(SECRET, "default", "s"), false],
    ["another owner's fence", (one) => change(one, /c1.default.one/, "c2/default/two"), false],
    ["a copy of this cluster", contested, false],
  ])("%s", async (_, spoil, isGreen) => {
    const world = programWorld();
    const fence = { term: term("c1/default/one"), record: true };
    world.cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "www", { spec }));
    const before = world.start(undefined, { fence });
    await world.clock.advance(60_000);
    await before.stop();
    spoil(world);
    const running = world.start(undefined, { fence });
    world.cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "new", { spec: other }));
    await world.clock.advance(120_000);
    for (const name of ["www", "new"])
      expect(channelsOf(world, name), name).toEqual({ state: isGreen, condition: isGreen });
    const checks = running.checks();
    const troubles = [...troubleCounts(checks).values()].reduce((sum, one) => sum + one, 0);
    const document = planDocument(
      running.zones(),
      { zone: null, name: null, limit: null },
      { providers: running.troubles(null), caches: unreadKinds(checks), unread: [] },
    );
    const { open, unknown } = planVerdict(document);
    expect({ plan: open + unknown === 0, metric: troubles === 0 }).toEqual({
      plan: isGreen,
      metric: isGreen,
    });
    await running.stop();
  });

  const other = { dnsName: "new.example.org", targets: ["192.0.2.2"] };
  const channelsOf = ({ cluster }: World, name: string) => {
    const status = fieldsOf(cluster.now(DNS_ENTRY, "default", name)?.["status"]);
    const ready = (listOf(status["conditions"]) ?? [])
      .map(fieldsOf)
      .find(({ type }) => type === "Ready");
    return { state: status["state"] === "Ready", condition: ready?.["status"] === "True" };
  };
});

type World = ReturnType<typeof programWorld>;
