import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import type { Composition } from "../../compose/compose.ts";
import { PrometheusMetrics } from "../../ports/prometheus-metrics.ts";
import { RunningInstance } from "./running-instance.ts";

test("it says why it knows nothing of zones: not begun, another leads, at work, and over again", async () => {
  const ports = { clock: new VirtualClock() } as unknown as ConstructorParameters<
    typeof RunningInstance
  >[1];
  const instance = new RunningInstance(new PrometheusMetrics([], { process: false }), ports);
  instance.waitFor("https://192.0.2.1: no answer");
  expect(instance.standbyReply()).toContain("not at work yet: https://192.0.2.1: no answer");
  instance.waitFor(null);
  expect(instance.standbyReply()).toContain("Ask the instance that holds the Lease");
  instance.begin({ stop: async () => undefined } as unknown as Composition);
  expect(instance.standbyReply()).toBeNull();
  await instance.end();
  instance.standBy("zk-b_5f6a");
  expect(instance.leader()).toBe("zk-b_5f6a");
  expect(instance.standbyReply()).toContain("Ask the instance that holds the Lease");
  expect([instance.dryRunText(), instance.leadTrouble()]).toEqual([null, "it has no plan"]);
  instance.isWriting = false;
  const check = { name: "cache services", ok: false, message: "stale" };
  const zones = [{ readAtMs: ports.clock.nowMs() - 12_000, open: [] }, { open: [] }];
  const composition = { checks: () => [check], zones: () => zones, stop: async () => undefined };
  instance.begin(composition as unknown as Composition);
  expect(instance.dryRunText()).toBe(
    "This instance stands by and writes nothing. zk-b_5f6a holds the Lease and writes. This is what it would do as it knows things: zones were last read up to 12 s ago, 1 not yet.",
  );
  expect(instance.standbyReply()).toContain("Ask the instance that holds the Lease");
  instance.rank = 0;
  instance.lastTrouble = instance.leadTrouble();
  expect(instance.lastTrouble).toBe("cache services: stale");
  expect(instance.checks()).toEqual([
    {
      name: "lease",
      ok: true,
      message:
        "standing by for zk-b_5f6a; rank 0, and does not ask for the lead: cache services: stale",
    },
    { ...check, readyAnyway: true },
  ]);
  await instance.end();
});
