/**
 * Rules about which objects and names a source reads, and whose the entries are that were made of
 * them, each shown by the smallest case that it decides. Throws at the first one that is broken.
 */

import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { CLASS_ANNOTATION } from "../../../src/model/dns-class.ts";
import { entriesOfReader } from "../../../src/source-controllers/entries/source-class.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
const SOURCE_CLASS = "zonekeeper.dev/source-class";

/** Which names of one Service get records. */
async function published(names: readonly string[], excluded: readonly string[]): Promise<string> {
  const excludedDomains = excluded.map(trustedDnsName);
  const { cluster, clock, start, values } = programWorld({ excludedDomains });
  const running = start();
  const metadata = { annotations: { [NAMES]: names.join(",") } };
  const fields = { metadata, spec: { type: "LoadBalancer" } };
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
  const loadBalancer = { ingress: [{ ip: "192.0.2.9" }] };
  cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  await clock.advance(10_000);
  await running.stop();
  return names.filter((name) => values(name).length > 0).join(" ");
}

/** `--exclude-domains`. */
export async function proveExcludedDomains(): Promise<void> {
  const names = ["a.example.org", "b.a.example.org", "c.b.a.example.org"];
  const all = await published(names, []);
  demand(all === names.join(" "), "a name is excluded that nobody excludes");
  const one = await published(names, ["a.example.org"]);
  demand(!one.startsWith("a.example.org"), "an excluded name is published");
  demand(one === "b.a.example.org c.b.a.example.org", "a name excludes those below it");
  const below = await published(names, ["*.a.example.org"]);
  demand(!below.includes(" b.a.example.org"), "a wildcard excludes no name below it");
  demand(below.includes("c.b.a.example.org"), "a wildcard excludes names two labels below it");
  demand(below.startsWith("a.example.org"), "a wildcard excludes its parent");
}

/** Entries of an object of class `objectClass` that a reader of `red` and `blue` may delete. */
function deletes(
  objectClass: string,
  mark: string | null,
  entryClass = "gardendns",
  former: string | null = null,
): boolean {
  const joined = former === null ? {} : { "zonekeeper.dev/former-class": former };
  const ofClass = { [CLASS_ANNOTATION]: entryClass, ...joined };
  const annotations = { ...ofClass, ...(mark !== null && { [SOURCE_CLASS]: mark }) };
  const entry: KubeObject = objectOf("v1", "DNSEntry", "e", { metadata: { annotations } });
  const metadata = { annotations: { [CLASS_ANNOTATION]: objectClass } };
  const object = objectOf("v1", "Service", "web", { metadata });
  return entriesOfReader([entry], object, ["red", "blue"]).length > 0;
}

/** Z-25 between readers of different classes. */
export function proveReaders(): void {
  demand(!deletes("green", "green"), "an entry of another reader is deleted");
  demand(!deletes("green", null), "an entry without a mark is deleted by any reader");
  demand(deletes("green", "blue"), "an entry stays that was made before its object left");
  demand(deletes("green", null, "red"), "the class of an entry without a mark does not count");
  const taken = deletes("green", null, "red", "green");
  demand(!taken, "an entry that was taken into our class counts as made for it");
  demand(deletes("red", "green"), "entries of an object that came stay with its former reader");
}
