/**
 * A leader and a standby over one cluster and one zone in memory, started as `run` starts them: the
 * standby has the plan of what the leader has not done, and calls nothing that writes.
 */
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { PreviewState } from "../../../src/app/commands/run/preview.ts";
import { startTerm } from "../../../src/app/commands/run/start-term.ts";
import type { Composition } from "../../../src/app/compose/compose.ts";
import { clusterTerm } from "../../../src/app/compose/lease-epochs.ts";
import { StoredState } from "../../../src/app/ports/wrapped-store.ts";
import type { ProviderType } from "../../../src/providers/provider.ts";
import { MemoryAccount, memoryProvider } from "../../support/memory-provider/provider.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { addProvider } from "../../support/worlds/program-world.ts";
import { CONFIG, contextOf, portsOf, publish } from "../../support/worlds/region-world.ts";
import { demand } from "./demand.ts";

const WRITES = new Set(["create", "update", "patch", "patchStatus", "remove", "record", "apply"]);

/** Who calls a method that writes is noted; reads pass. */
function watched<T extends object>(target: T, note: (method: string) => void): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value: unknown = Reflect.get(object, key, object);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (WRITES.has(String(key))) note(String(key));
        return Reflect.apply(value, object, args);
      };
    },
  });
}

function world() {
  const clock = new VirtualClock();
  const cluster = new MemoryCluster("c1", () => clock.nowMs());
  const account = new MemoryAccount();
  const { content } = account.addZone({ name: trustedDnsName("example.org") });
  addProvider(cluster);
  const store = new MemoryStore();
  const start = (who: "leader" | "standby") => {
    const calls: string[] = [];
    const note = (method: string) => calls.push(method);
    const access = {
      view: cluster,
      writer: watched(cluster, note),
      recorder: watched(cluster, note),
    };
    const memory = memoryProvider(account);
    const type: ProviderType = {
      ...memory,
      open: async (...given) => {
        const opened = await memory.open(...given);
        return opened.ok ? { ok: true, value: watched(opened.value, note) } : opened;
      },
    };
    const state = new StoredState(store, "");
    const context = contextOf(CONFIG, portsOf(clock, 1), [type]);
    const clusters = {
      ...{ source: access, target: access, provider: access, sets: [] },
      lease: { writer: cluster, namespace: "default", uid: "c1" },
    };
    const further = { joined: [], awaited: () => null };
    const begun =
      who === "leader"
        ? { state, term: clusterTerm("c1") }
        : { state: new PreviewState(state), term: null };
    const running = startTerm(
      context,
      { clusters, further } as unknown as Parameters<typeof startTerm>[1],
      begun,
    );
    return { running, calls };
  };
  const shows = (address: string): void => publish(cluster, "www", address);
  shows("192.0.2.1");
  const answers = (): string =>
    content
      .at(trustedDnsName("www.example.org"))
      .flatMap(({ values }) => values)
      .join();
  return { clock, start, shows, answers };
}

const openNames = (running: Composition): string =>
  running
    .zones()
    .flatMap(({ open }) => open)
    .map(({ name }) => name)
    .join();

/** Fails where one clause of it is lost. */
export async function proveStandby(): Promise<void> {
  const { clock, start, shows, answers } = world();
  const early = start("standby");
  await clock.advance(60_000);
  demand(early.calls.length === 0, `a standby writes: ${early.calls.join()}`);
  demand(answers() === "", "a standby writes to the zone");
  demand(openNames(early.running) === "www.example.org", "a standby has no plan");
  const leader = start("leader");
  await clock.advance(60_000);
  demand(answers() === "192.0.2.1" && leader.calls.length > 0, "a leader does not write");
  demand(
    openNames(early.running) === "",
    `what the leader did is open: ${openNames(early.running)}`,
  );
  await leader.running.stop();
  shows("192.0.2.9");
  await clock.advance(120_000);
  demand(openNames(early.running) === "www.example.org", "what nobody does is not planned");
  demand(answers() === "192.0.2.1", "a standby writes to the zone");
  await early.running.stop();
  demand(early.calls.length === 0, `a standby writes: ${early.calls.join()}`);
}
