/** Each owner id of a zone has its own fence, and all of them are shown (ADR 0050). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { FakeTerm } from "../../../../../test/support/ports/fake-term.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { explainedText } from "../../../../../test/support/programs/client-text.ts";
import { engineWorld } from "../../../../../test/support/worlds/engine-world.ts";
import { fenceName } from "../../../../sync/contract/fence-record.ts";
import type { FurtherIds } from "../../../../sync/contract/fence-status.ts";
import { planDocument } from "../../../api/plan/document.ts";
import { ZoneGauges } from "../../../compose/gauges.ts";
import { zoneCheck } from "../../../compose/zone-checks.ts";
import { METRICS } from "../../../ports/metrics-table.ts";
import { PrometheusMetrics } from "../../../ports/prometheus-metrics.ts";
import { planText } from "./plan-text.ts";
import { rightsText } from "./rights-text.ts";

const APEX = trustedDnsName("example.org");
const DOMAIN = "uid-1/kube-system/zonekeeper";
const AWAY = "uid-2/kube-system/zonekeeper";
const WAITS = `waits: installation ${AWAY} has the owner id in this zone`;

/** DNSOwners of the installation `me` switch `shop` and `east` on; another one has `east`. */
async function opened() {
  const ids = new Map([
    ["shop", true],
    ["east", true],
  ]);
  const furtherIds: FurtherIds = { wanted: () => ids, settled: () => undefined };
  const term = new FakeTerm(DOMAIN, 3);
  const world = engineWorld({ engine: { fence: { term, record: true }, furtherIds } });
  const name = fenceName(APEX, "east") ?? APEX;
  const values = [`"v=1;domain=${AWAY};epoch=7"`];
  const next = {
    ...{ name, type: "TXT", setIdentifier: null, ttlSeconds: 300, values },
    ...{ properties: {}, routingPolicy: null },
  };
  world.content.write([{ key: next, next }], 0);
  world.engine.openZone(world.zoneInput);
  await world.clock.advance(10_000);
  return { ...world, ids, name };
}

test("every id with its holder and its state, in the status, plan, ownership and explain", async () => {
  const { engine, name } = await opened();
  const [status] = engine.status();
  expect(status?.fence).toMatchObject({ domain: DOMAIN, code: null });
  expect(status?.fences).toMatchObject([
    { owner: "me", state: "on", holder: null, code: null },
    { owner: "east", state: "waits", holder: AWAY, mode: "stopped", code: "HeldBy" },
    { owner: "shop", state: "on", holder: null, code: null },
  ]);
  const filter = { zone: null, name: null, limit: null };
  const document = planDocument(engine.status(), filter);
  expect(document.zones[0]?.fences).toEqual(status?.fences);
  const line = `owner ids in example.org: me and shop (this installation); east: ${WAITS}`;
  expect(planText(document, { color: false, width: null })).toContain(line);
  expect(rightsText(await engine.ownership(null))).toContain(line);
  expect(explainedText(APEX, await engine.explain(APEX))).toContain(`  ${line}`);
  expect(explainedText(name, await engine.explain(name))).toContain(
    `the fence of the owner id "east": the installation ${AWAY} writes to the zone, in epoch 7`,
  );
  expect(status === undefined ? null : zoneCheck(status)).toMatchObject({
    ok: false,
    readyAnyway: true,
    message: expect.stringContaining(`owner id east ${WAITS}`),
  });
});

test("the metric has a series for each id", async () => {
  const { engine } = await opened();
  const metrics = new PrometheusMetrics(METRICS, { process: false });
  new ZoneGauges(metrics, new VirtualClock()).set(engine.status(), []);
  const { text } = await metrics.scrape();
  for (const [owner, mode] of [
    ["me", "unused"],
    ["shop", "unused"],
    ["east", "stopped"],
  ])
    expect(text).toContain(
      `zonekeeper_zone_fence{zone="example.org",mode="${mode}",owner="${owner}"} 1`,
    );
});

test("an id that is off goes from the list with its fence; one id alone needs no line", async () => {
  const { engine, ids, clock } = await opened();
  ids.set("shop", false);
  ids.delete("east");
  engine.ownerIdsChanged();
  await clock.advance(10_000);
  const [status] = engine.status();
  expect(status?.fences?.map(({ owner }) => owner)).toEqual(["me"]);
  expect(rightsText(await engine.ownership(null))).not.toContain("owner ids in");
});
