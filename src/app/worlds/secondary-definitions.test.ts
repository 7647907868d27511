/** The definition of a kind that sources read besides their own is deleted (ADR 0088). */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ANNOTATION, DNS_ENTRY } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = ["n0", "n1"];

type Cluster = ReturnType<typeof programWorld>["cluster"];

function annotate(cluster: Cluster, name: string): void {
  const resourceRef = { apiVersion: "v1", kind: "Service", name, namespace: "default" };
  const annotations = { "dns.gardener.cloud/dnsnames": `${name}.example.org` };
  cluster.apply(
    DNS_ANNOTATION,
    objectOf(API, "DNSAnnotation", name, { spec: { resourceRef, annotations } }),
  );
}

/** Two Services that DNSAnnotations publish, and entries, so that no last owned name goes. */
function fill(cluster: Cluster): void {
  for (const name of ["v", "w", "x", "y", "z"]) {
    const spec = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  }
  for (const name of NAMES) {
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { spec: { type: "LoadBalancer" } }));
    const loadBalancer = { ingress: [{ ip: "192.0.2.9" }] };
    cluster.setStatus(SERVICE, "default", name, { loadBalancer });
    annotate(cluster, name);
  }
}

describe("Z-2 the definition of DNSAnnotations is deleted", () => {
  test.each([
    ["entries", "while the program runs"],
    ["direct", "while the program runs"],
    ["entries", "while it is down"],
    ["direct", "while it is down"],
  ] as const)("--publish %s, %s: names of Services stay", async (publishing, when) => {
    const { cluster, clock, start, values } = programWorld({ publishing });
    fill(cluster);
    let running = start();
    await clock.advance(60_000);
    const published = () => NAMES.filter((name) => values(`${name}.example.org`).length > 0);
    expect(published()).toEqual(NAMES);
    if (when === "while it is down") await running.stop();
    cluster.deleteDefinition(DNS_ANNOTATION);
    await clock.advance(5_000);
    cluster.setKindState(DNS_ANNOTATION, "absent");
    if (when === "while it is down") running = start();
    await clock.advance(600_000);
    expect(published(), "it is gone").toEqual(NAMES);
    cluster.installDefinition(DNS_ANNOTATION);
    cluster.relist(DNS_ANNOTATION);
    await clock.advance(600_000);
    expect(published(), "it is back, its objects are not").toEqual(NAMES);
    for (const name of NAMES) annotate(cluster, name);
    await clock.advance(60_000);
    cluster.delete(DNS_ANNOTATION, "default", "n0");
    await clock.advance(60_000);
    expect(published(), "a DNSAnnotation that is deleted takes its name along").toEqual(["n1"]);
    await running.stop();
  });

  test("a person accepts that they are gone", async () => {
    const { cluster, clock, start, values } = programWorld({});
    fill(cluster);
    const running = start();
    await clock.advance(60_000);
    cluster.deleteDefinition(DNS_ANNOTATION, true);
    cluster.setKindState(DNS_ANNOTATION, "absent");
    await clock.advance(60_000);
    const check = running.checks().find(({ message }) => message.includes("dnsannotations"));
    await running.approve(/ approve (\w+)/.exec(check?.message ?? "")?.[1] ?? "");
    await clock.advance(600_000);
    expect(values("n0.example.org")).toEqual([]);
    await running.stop();
  });
});
