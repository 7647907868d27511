/**
 * Rules about what need not be looked at again, each shown by the smallest case in which it has to
 * be. Throws at the first one that is broken.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { LiveChecks } from "../../../src/controllers/objects/live-checks.ts";
import { ProviderDirectory } from "../../../src/controllers/zone-choice/provider-directory.ts";
import type { ProviderFacts } from "../../../src/controllers/zone-choice/provider-facts.ts";
import { readEntry } from "../../../src/gardener/dns-entry/entry.ts";
import { NO_DECISION } from "../../../src/gardener/dns-entry/entry-context.ts";
import { EntryStatusWriter } from "../../../src/gardener/dns-entry/entry-status.ts";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { providerFacts } from "../../support/values/provider-facts.ts";
import { DEFAULT_CLASSES } from "../../support/worlds/default-classes.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { slowWatch } from "../../support/worlds/slow-watch.ts";
import { demand } from "./demand.ts";

const NAMES = "dns.gardener.cloud/dnsnames";

/** A Service lists a name and gives it up before the watch shows its entry. */
export async function proveCreated(): Promise<void> {
  const { cluster, clock, start } = programWorld();
  const watch = slowWatch(cluster);
  const running = start();
  // An empty text would be a mistake, which keeps the entry (ADR 0065).
  const apply = (names: string | null): void => {
    const fields = {
      metadata: { annotations: names === null ? {} : { [NAMES]: names } },
      spec: { type: "LoadBalancer" },
    };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
    const loadBalancer = { ingress: [{ ip: "192.0.2.9" }] };
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  };
  apply(null);
  await clock.advance(30_000);
  watch.hold();
  apply("www.example.org");
  await clock.advance(1_000);
  apply(null);
  await clock.advance(1_000);
  watch.release();
  await clock.advance(60_000);
  await running.stop();
  demand(cluster.all(DNS_ENTRY).length === 0, "an entry stays whose Service gave up its name");
}

function facts(state: ProviderFacts["state"], ...apexes: readonly string[]): ProviderFacts {
  const zones = apexes.map((apex) => ({
    ...{ id: apex, name: trustedDnsName(apex) },
    ...{ providerType: "memory", endpoint: "", view: "" },
  }));
  const account = state === "pending" ? null : "a";
  return providerFacts({ id: `ta/${apexes[0] ?? "p"}`, state, account, zones, known: zones });
}

/** How often objects are to select again because of the last step. */
function selections(...steps: readonly ((directory: ProviderDirectory) => void)[]): number {
  const directory = new ProviderDirectory({ anyNamespace: false, cutOf: () => null });
  let count = 0;
  directory.onChange(() => {
    count += 1;
  });
  for (const step of steps) {
    count = 0;
    step(directory);
  }
  return count;
}

/** What decides which zone serves a name. */
export function proveSelections(): void {
  const set = (one: ProviderFacts) => (directory: ProviderDirectory) => directory.set(one);
  const list = (directory: ProviderDirectory): void => directory.setListed(true);
  const cut = (directory: ProviderDirectory): void => directory.cutsChanged();
  const known = set(facts("ready", "example.org"));
  demand(selections(set(facts("pending")), set(facts("ready"))) === 1, "zones are not noticed");
  demand(selections(set(facts("pending")), set(facts("invalid"))) === 1, "trouble goes unnoticed");
  demand(selections(set(facts("ready")), set(facts("pending"))) === 1, "lost zones go unnoticed");
  demand(selections(list, set(facts("pending"))) === 1, "nobody waits for a new DNSProvider");
  demand(selections(known, set(facts("ready", "a.b.example.org")), cut) === 1, "cuts go unnoticed");
}

const entry: KubeObject = {
  ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSEntry" },
  metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1", generation: 1 },
  spec: { dnsName: "www.example.org", targets: ["192.0.2.1"] },
};

function version(resourceVersion: string, spec = entry["spec"]): KubeObject {
  return { ...entry, spec, metadata: { ...entry.metadata, resourceVersion } };
}

/** Repeats at an entry whose status is written as version 3 while these changes are shown. */
async function decisionsAfter(
  state: string,
  shown: readonly KubeObject[],
): Promise<{ readonly atOnce: number; readonly inAll: number }> {
  const clock = new VirtualClock();
  const again: string[] = [];
  const answers: ((object: KubeObject) => void)[] = [];
  const status = new EntryStatusWriter({
    writer: { patchStatus: () => new Promise((resolve) => answers.push(resolve)) } as never,
    ...{
      clock,
      live: new LiveChecks({ clock, queriesPerMinute: 0, ask: async () => ({}) as never }),
    },
    again: (key) => void again.push(key),
  });
  const read = readEntry(entry, "c1", DEFAULT_CLASSES);
  const decision = { ...NO_DECISION, status: { ...read.status, state, message: "text" } };
  const key = "default/web";
  const written = status.show({ key, entry: read, decision, assignments: [] });
  await Promise.resolve();
  const seen = shown.map((object) =>
    status.own.seen(key, { type: "modified", kind: DNS_ENTRY, previous: entry, object }),
  );
  answers[0]?.(version("3"));
  await written;
  const atOnce = seen.filter((one) => one !== "settled").length;
  return { atOnce, inAll: atOnce + again.length };
}

/** A watch that shows a status before the answer of its write. */
export async function proveOwnStatus(): Promise<void> {
  const inAll = async (state: string, ...shown: readonly KubeObject[]): Promise<number> =>
    (await decisionsAfter(state, shown)).inAll;
  demand((await inAll("Ready", version("3"))) === 0, "our own status is looked at");
  demand((await inAll("Pending", version("3"))) > 0, "what is to come is not looked at");
  const isSeen = (await inAll("Ready", version("2"), version("3"))) > 0;
  demand(isSeen, "somebody else's status is not looked at");
  const edited = version("2", { dnsName: "new.example.org" });
  demand(
    (await decisionsAfter("Ready", [edited, version("3")])).atOnce === 1,
    "an edit waits for an answer",
  );
}
