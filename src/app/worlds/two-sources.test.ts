/** Two processes that generate entries of one class, each for source objects of its own classes. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { SOURCE_CLASS_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const NAMES = "dns.gardener.cloud/dnsnames";

function world() {
  const made = programWorld();
  const { cluster, clock, start } = made;
  const service = (name: string, dnsClass: string) => {
    const annotations = { [CLASS_ANNOTATION]: dnsClass, [NAMES]: `${name}.example.org` };
    const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, fields));
    cluster.setStatus(SERVICE, "default", name, {
      loadBalancer: { ingress: [{ ip: "192.0.2.9" }] },
    });
  };
  const entries = (): readonly KubeObject[] => {
    const list = cluster.list(DNS_ENTRY);
    return list.state === "value" ? list.value : [];
  };
  const uids = () => entries().map(({ metadata }) => metadata.uid);
  const rest = () => clock.advance(60_000);
  const makers = (one: readonly [string, ...string[]], other: readonly [string, ...string[]]) =>
    [one, other].map((sourceClasses) =>
      start(undefined, { runs: ["service-dns"], sourceClasses, targetClass: "gardendns" }),
    );
  /** A Service of class red is published, and another process makes entries of class blue. */
  const begin = async () => {
    const all = [start(undefined, { runs: ["compound"] }), ...makers(["red"], ["blue"])];
    service("web", "red");
    await rest();
    return all;
  };
  return { ...made, service, entries, uids, rest, makers, begin };
}

const ADDRESS = ["192.0.2.9"];

test("neither deletes entries of the other; a Service that is deleted loses its own", async () => {
  const { service, makers, rest, uids, start, values, cluster } = world();
  const all = [start(undefined, { runs: ["compound"] }), ...makers(["red"], ["blue", "green"])];
  service("web", "red");
  service("api", "green");
  await rest();
  const made = uids();
  expect(made).toHaveLength(2);
  await rest();
  expect(uids()).toEqual(made);
  expect([values("web.example.org"), values("api.example.org")]).toEqual([ADDRESS, ADDRESS]);
  cluster.delete(SERVICE, "default", "web");
  await rest();
  expect([values("web.example.org"), values("api.example.org")]).toEqual([[], ADDRESS]);
  for (const one of all) await one.stop();
});

test("entries of the default class stay beside a reader of another one, also without a mark", async () => {
  const { service, makers, rest, uids, start, entries, cluster } = world();
  service("web", "gardendns");
  service("api", "red");
  const compound = start(undefined, { runs: ["compound"] });
  const [first] = makers(["red"], ["red"]);
  await rest();
  // As an earlier version left it.
  for (const { metadata } of entries())
    await cluster.patch(
      { kind: DNS_ENTRY, namespace: "default", name: metadata.name },
      { metadata: { annotations: { [SOURCE_CLASS_ANNOTATION]: null } } },
    );
  await first?.stop();
  const [one, other] = makers(["red"], ["gardendns"]);
  await rest();
  const made = uids();
  expect(made).toHaveLength(2);
  await rest();
  expect(uids()).toEqual(made);
  for (const each of [compound, one, other]) await each?.stop();
});

test("a Service that changes its class is published by the other reader, and then by none", async () => {
  const { service, begin, rest, entries, values } = world();
  const all = await begin();
  service("web", "blue");
  await rest();
  expect(entries().map(({ metadata }) => metadata.annotations)).toMatchObject([
    { [SOURCE_CLASS_ANNOTATION]: "blue" },
  ]);
  expect(values("web.example.org")).toEqual(ADDRESS);
  service("web", "other");
  await rest();
  expect([entries(), values("web.example.org")]).toEqual([[], []]);
  for (const one of all) await one.stop();
});

test("Z-25 a Service that changes its class keeps its entry where the other reader is slower", async () => {
  const { service, begin, rest, uids, values, cluster, clock } = world();
  const all = await begin();
  const made = uids();
  for (const dnsClass of ["blue", "red", "blue"]) {
    for (const _ of [1, 2]) cluster.fail({ on: "patch", code: "Unavailable", applied: false });
    service("web", dnsClass);
    await clock.advance(2_500);
    expect([uids(), values("web.example.org")]).toEqual([made, ADDRESS]);
  }
  await rest();
  expect([uids(), values("web.example.org")]).toEqual([made, ADDRESS]);
  for (const one of all) await one.stop();
});

test("a Service of a class that nobody reads loses its entry also while it is written again and again", async () => {
  const { service, begin, entries, values, cluster, clock } = world();
  const all = await begin();
  service("web", "other");
  for (let seconds = 0; seconds < 20; seconds += 2) {
    await clock.advance(2_000);
    const ingress = [{ ip: `192.0.2.${seconds}` }];
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
  }
  expect([entries(), values("web.example.org")]).toEqual([[], []]);
  for (const one of all) await one.stop();
});
