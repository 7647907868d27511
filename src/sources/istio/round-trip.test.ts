/** A ServiceEntry → records → the ServiceEntry of another cluster: hosts, addresses, ports. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { type ImportedHost, ImportedHosts } from "../../inbound/imported-hosts.ts";
import { serviceEntryOf } from "../../inbound/service-entry.ts";
import type { ZoneView } from "../../inbound/zone-view.ts";
import { portOf } from "../../model/imports.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { SourceOptions } from "../source.ts";
import { serviceEntry } from "./service-entry.ts";

const APEX = trustedDnsName("example.org");
const VIEW = new MemoryCluster("a", () => 0);
const OPTIONS = { dnsClasses: ["gardendns"] } as unknown as SourceOptions;
const recordsOf = (object: object): readonly DesiredRecordSet[] =>
  serviceEntry(OPTIONS).endpoints(
    objectOf("networking.istio.io/v1", "ServiceEntry", "x", object),
    VIEW,
  ).items;

function zoneOf(items: readonly DesiredRecordSet[]): ZoneView {
  const names = new Set(items.map(({ name }) => name));
  const marked = items.map((set) => ({
    set: { ...set, ttlSeconds: set.ttlSeconds ?? 300 },
    marker: { isOwn: true, cluster: "a", resource: resourceOf(set.provenance) },
  }));
  return {
    ...{ apex: APEX, id: "z", readAtMs: 0, names: () => names },
    at: (name) => marked.filter(({ set }) => set.name === name),
  };
}

/** Hosts, or why they are left out. */
function importedInto(zone: ZoneView, here: string): readonly (ImportedHost | string)[] {
  const hosts = new ImportedHosts({ ports: [], domains: [], excluded: [] }, here);
  hosts.read(zone, "all");
  return [...hosts.found().values()].map((one) => ("is" in one ? one.is : one.skip));
}

const octet = fc.integer({ min: 1, max: 250 });
const address = octet.map((last) => `192.0.2.${last}`);
const port = fc.record({
  name: fc.constantFrom("https", "http-web", "pg", "tcp-pg", "grpc-a", "redis"),
  number: fc.integer({ min: 1, max: 65_535 }),
  protocol: fc.constantFrom("HTTPS", "HTTP", "TCP", "GRPC", "TLS"),
});
const ports = fc.uniqueArray(port, { minLength: 1, maxLength: 4, selector: ({ name }) => name });
const addresses = fc.uniqueArray(address, { minLength: 1, maxLength: 4 });

test("A → zone → B keeps host, addresses, numbers and protocols; B → zone is nothing", () => {
  fc.assert(
    fc.property(addresses, ports, fc.boolean(), (at, given, isStatic) => {
      const where = isStatic
        ? { endpoints: at.map((one) => ({ address: one })) }
        : { addresses: at };
      const annotations = { "zonekeeper.dev/publish": "true", "zonekeeper.dev/srv": "true" };
      const spec = { hosts: ["shop.example.org"], resolution: "STATIC", ports: given, ...where };
      const zone = zoneOf(recordsOf({ metadata: { annotations }, spec }));
      expect(importedInto(zone, "a")).toEqual(["OwnRecord"]);
      const [host, ...others] = importedInto(zone, "b");
      expect(others).toEqual([]);
      if (typeof host !== "object") throw new Error(`nothing comes in: ${host}`);
      expect(host.endpoints.map((one) => one.address)).toEqual([...at].sort());
      const kept = host.ports.map(({ number, protocol }) => `${number} ${protocol}`).sort();
      expect(kept).toEqual(given.map(({ number, protocol }) => `${number} ${protocol}`).sort());
      // What the name says, Istio reads back.
      for (const one of host.ports) expect(portOf(one.name, one.number)).toEqual(one);
      const { metadata, spec: imported } = serviceEntryOf("example.org", "default", host);
      const copy = { ...metadata.annotations, ...annotations };
      expect(recordsOf({ metadata: { annotations: copy }, spec: imported })).toEqual([]);
    }),
  );
});
