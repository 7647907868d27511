import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import { holdAt } from "../../plan/hold-at.ts";
import type { HoldCode } from "../../plan/hold-reasons.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import { METRICS } from "../ports/metrics-table.ts";
import { PrometheusMetrics } from "../ports/prometheus-metrics.ts";
import { ZoneGauges } from "./gauges.ts";

const held = (name: string, code: HoldCode): ZoneStatus["open"][number] => {
  const key = { name: nameOf(name), type: "A", setIdentifier: null };
  return {
    name: key.name,
    changes: [],
    holds: [holdAt(key, { code, message: "", provenance: null })],
  };
};

function statusOf(open: ZoneStatus["open"], more: Partial<ZoneStatus> = {}): ZoneStatus {
  const name = nameOf("@");
  const zone = { id: name, name, providerType: "memory", endpoint: "", view: "" };
  const counts = { ownedNames: 3, foreignNames: 1, danglingNames: 0 };
  const known = {
    state: "ready",
    paused: null,
    isAtomic: true,
    message: null,
    heldSets: [],
  } as const;
  return { key: { account: "a", zone: name }, zone, ...known, ...counts, open, ...more };
}

/** The values of a gauge, by the labels besides the zone. */
async function scraped(metrics: PrometheusMetrics, gauge: string): Promise<readonly string[]> {
  const { text } = await metrics.scrape();
  const lines = text.split("\n").filter((line) => line.startsWith(`${gauge}{`));
  return lines.map((line) => line.slice(gauge.length).replace('{zone="example.org"', "{"));
}

const OLDEST = "zonekeeper_zone_oldest_unsynced_seconds";

test("the oldest unsynced change counts what is held, foreign conflicts too, but no kept name", async () => {
  const clock = new VirtualClock();
  const metrics = new PrometheusMetrics(METRICS, { process: false });
  const gauges = new ZoneGauges(metrics, clock);
  const age = async (open: ZoneStatus["open"]): Promise<readonly string[]> => {
    await clock.advance(10_000);
    gauges.set([statusOf(open)], []);
    return scraped(metrics, OLDEST);
  };
  expect(await age([held("a", "ForeignRecord")])).toEqual(["{} 0"]);
  expect(await age([held("a", "ForeignRecord"), held("b", "FuseTripped")])).toEqual(["{} 10"]);
  expect(await age([held("b", "FuseTripped")])).toEqual(["{} 10"]);
  expect(await age([held("c", "NoTargets")])).toEqual(["{} 0"]);
  expect(await age([held("c", "NoTargets"), held("d", "SharedRecord")])).toEqual(["{} 0"]);
});

test("dangling names and held sets have their gauges, and leave them again", async () => {
  const metrics = new PrometheusMetrics(METRICS, { process: false });
  const gauges = new ZoneGauges(metrics, new VirtualClock());
  const heldSets = [
    { hash: "1", kind: "removals", changes: 12, removals: 12 },
    { hash: "2", kind: "next-removals", changes: 3, removals: 3 },
  ] as const;
  gauges.set([statusOf([], { danglingNames: 2, heldSets })], []);
  expect(await scraped(metrics, "zonekeeper_zone_dangling_names")).toEqual(["{} 2"]);
  expect(await scraped(metrics, "zonekeeper_zone_fuse_held")).toEqual([
    '{,set="removals"} 12',
    '{,set="next-removals"} 3',
  ]);
  gauges.set([statusOf([])], []);
  expect(await scraped(metrics, "zonekeeper_zone_fuse_held")).toEqual([]);
});

test("a pending change is one that nothing holds; in a dry run there is none", async () => {
  const clock = new VirtualClock();
  const metrics = new PrometheusMetrics(METRICS, { process: false });
  const gauges = new ZoneGauges(metrics, clock);
  const key = { name: nameOf("p"), type: "A", setIdentifier: null };
  const change = { op: "remove", key, proof: "deleted-object" } as unknown;
  const pending = { name: key.name, changes: [change], holds: [] } as unknown;
  const open = [pending as ZoneStatus["open"][number], held("b", "FuseTripped")];
  const ages = async (isWriting: boolean): Promise<readonly string[]> => {
    await clock.advance(10_000);
    gauges.set([statusOf(open)], [], isWriting);
    const pendingAges = await scraped(metrics, "zonekeeper_zone_oldest_pending_seconds");
    return [...pendingAges, ...(await scraped(metrics, OLDEST))];
  };
  expect(await ages(true)).toEqual(["{} 0", "{} 0"]);
  expect(await ages(true)).toEqual(["{} 10", "{} 10"]);
  expect(await ages(false)).toEqual(["{} 0", "{} 20"]);
  open.shift();
  expect(await ages(true)).toEqual(["{} 0", "{} 30"]);
});

test("the budget of an open zone has its gauges", async () => {
  const metrics = new PrometheusMetrics(METRICS, { process: false });
  const budget = { usedRatio: 0.5, refusedMs: 90_000 };
  new ZoneGauges(metrics, new VirtualClock()).set([statusOf([], { budget })], []);
  expect(await scraped(metrics, "zonekeeper_zone_budget_used_ratio")).toEqual(["{} 0.5"]);
  expect(await scraped(metrics, "zonekeeper_zone_throttled_seconds")).toEqual(["{} 90"]);
});
