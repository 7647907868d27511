/**
 * A state is green only if the next change would be read and written: status, `/readyz`, plan and
 * metrics give one answer.
 */
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import { DNS_ENTRY, SECRET } from "../model/kinds.ts";
import { fieldsOf } from "../model/object-fields.ts";
import { fenceName } from "../sync/contract/fence-record.ts";
import type { WriterTerm } from "../sync/contract/writer-term.ts";
import type { HealthCheck } from "./http/instance.ts";
import { planDocument } from "./http/plan/document.ts";
import { zoneNote } from "./http/plan/lines.ts";
import { troubleCounts } from "./http/zone-checks.ts";

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
