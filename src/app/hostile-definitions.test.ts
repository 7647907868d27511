/** Hostile review of ADR 0063: records that a deleted definition still removes. Each fails today. */
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { DNS_ANNOTATION, DNS_ENTRY, SERVICE } from "../model/kinds.ts";

const NAMES = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

describe("the definition of DNSAnnotations goes: the names of Services go with it", () => {
  test.fails.each([
    ["entries", "while the program runs"],
    ["direct", "while the program runs"],
    ["entries", "while it is down"],
    ["direct", "while it is down"],
  ] as const)("--publish %s, %s", async (publishing, when) => {
    const { cluster, clock, start, values } = programWorld({ publishing });
    const api = "dns.gardener.cloud/v1alpha1";
    // Others, so that the last owned name of the zone does not go.
    for (const name of ["v", "w", "x", "y", "z"]) {
      const spec = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
      cluster.apply(DNS_ENTRY, objectOf(api, "DNSEntry", name, { spec }));
    }
    for (const name of NAMES(2)) {
      cluster.apply(SERVICE, objectOf("v1", "Service", name, { spec: { type: "LoadBalancer" } }));
      const loadBalancer = { ingress: [{ ip: "192.0.2.9" }] };
      cluster.setStatus(SERVICE, "default", name, { loadBalancer });
      const resourceRef = { apiVersion: "v1", kind: "Service", name, namespace: "default" };
      const annotations = { "dns.gardener.cloud/dnsnames": `${name}.example.org` };
      const spec = { resourceRef, annotations };
      cluster.apply(DNS_ANNOTATION, objectOf(api, "DNSAnnotation", name, { spec }));
    }
    let running = start();
    await clock.advance(60_000);
    const answers = () => NAMES(2).map((name) => values(`${name}.example.org`).length);
    const before = answers();
    if (when === "while it is down") await running.stop();
    cluster.deleteDefinition(DNS_ANNOTATION);
    await clock.advance(5_000);
    cluster.setKindState(DNS_ANNOTATION, "absent");
    if (when === "while it is down") running = start();
    await clock.advance(600_000);
    const after = answers();
    await running.stop();
    expect([before, after]).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });
});
