/** Properties by annotation, on both ways from an object to its records. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { PROPERTIES_ANNOTATION, STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { NOTHING } from "../source.ts";
import { withProperties } from "./annotated-items.ts";

const NAMES = { "dns.gardener.cloud/dnsnames": "s.example.org" };

/** A Service with the annotation. */
async function serviceWith(annotation: string) {
  const world = new SpineWorld();
  world.start();
  world.provider();
  world.service("s", "s.example.org", "192.0.2.5");
  const annotate = (text: string): void =>
    world.annotate(SERVICE, "s", { ...NAMES, ...(text && { [PROPERTIES_ANNOTATION]: text }) });
  annotate(annotation);
  await world.pass(60_000);
  const entries = (): readonly KubeObject[] => world.cluster.all(DNS_ENTRY);
  const texts = () => entries().map((one) => one.metadata.annotations?.[PROPERTIES_ANNOTATION]);
  return { world, annotate, texts };
}

describe("by a generated entry", () => {
  test("the annotation of a Service reaches its entry, changes it, and goes from it", async () => {
    const { world, annotate, texts } = await serviceWith('{"b":"2","proxied":"true","c":"false"}');
    expect(texts(), "false is what is without it").toEqual(['{"b":"2","proxied":"true"}']);
    expect(Object.values(world.entries())[0]).toMatch(/have no property b; remove it/);
    const writes = world.cluster.writes.length;
    annotate('{ "proxied": "true", "b": "2" }');
    await world.pass(60_000);
    const entries = world.cluster.writes.slice(writes).filter((text) => /DNSEntr/i.test(text));
    expect(entries, "another order of keys is no change").toEqual([]);
    annotate('{"proxied":"true"}');
    await world.pass(60_000);
    expect(texts()).toEqual(['{"proxied":"true"}']);
    expect(world.zone()).toEqual([]);
    annotate("");
    await world.pass(60_000);
    expect(texts()).toEqual([undefined]);
    expect(world.zone()).toEqual(["s.example.org 300 A 192.0.2.5"]);
  });

  test.each([
    ["{", /no JSON object; write e\.g\. \{"proxied":"true"\}/],
    ['["proxied"]', /no JSON object/],
    ['{"proxied":true}', /property proxied is no text; write it in quotes/],
  ])(
    "an annotation that cannot be read (%s) makes no entry, and is told",
    async (text, message) => {
      const { world, annotate, texts } = await serviceWith(text);
      expect(texts()).toEqual([]);
      const events = world.cluster.events.map(({ note }) => note.message);
      expect(events).toContainEqual(expect.stringMatching(message));
      annotate("");
      await world.pass(60_000);
      expect(world.zone()).toEqual(["s.example.org 300 A 192.0.2.5"]);
    },
  );

  test("an alias to a name is one target of the entry", async () => {
    const { world } = await serviceWith('{"alias":"true"}');
    const status = { loadBalancer: { ingress: [{ hostname: "lb.example.com" }] } };
    world.cluster.setStatus(SERVICE, "default", "s", status);
    await world.pass(60_000);
    const [entry] = world.cluster.all(DNS_ENTRY);
    expect(fieldsOf(entry?.["spec"])["targets"]).toEqual(["lb.example.com"]);
    expect(entry?.metadata.annotations?.[PROPERTIES_ANNOTATION]).toBe('{"alias":"true"}');
  });
});

test("without entries (--publish direct) the Service itself says what its provider lacks", async () => {
  const world = programWorld({ publishing: "direct" });
  const running = world.start();
  await world.clock.advance(1000);
  const metadata = {
    annotations: {
      "dns.gardener.cloud/dnsnames": "www.example.org",
      [PROPERTIES_ANNOTATION]: '{"proxied":"true"}',
    },
  };
  const spec = { type: "LoadBalancer" };
  world.cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
  world.cluster.setStatus(SERVICE, "default", "web", status);
  await world.clock.advance(10_000);
  const service = world.cluster.now(SERVICE, "default", "web");
  expect(service?.metadata.annotations?.[STATUS_ANNOTATION]).toMatch(/have no property proxied/);
  expect(world.values("www.example.org")).toEqual([]);
  await running.stop();
});

describe("records", () => {
  const item = { type: "A", values: ["192.0.2.1"], properties: {} } as unknown as DesiredRecordSet;
  const read = (text: string, one: Partial<DesiredRecordSet> = {}) => {
    const metadata = { name: "x", annotations: { [PROPERTIES_ANNOTATION]: text } };
    const object: KubeObject = { apiVersion: "v1", kind: "Service", metadata };
    const { items } = withProperties(object, { ...NOTHING, items: [{ ...item, ...one }] });
    return items.map(({ type, values, properties }) => [type, values.join(), properties]);
  };

  test("an alias to a name is of both kinds of addresses, and a CNAME alone stays one", () => {
    const cname = { type: "CNAME", values: ["lb.example.com"] };
    const alias = { alias: "true", evaluateTargetHealth: "true" };
    expect(read(JSON.stringify(alias), cname)).toEqual([
      ["A", "lb.example.com", alias],
      ["AAAA", "lb.example.com", alias],
    ]);
    expect(read('{"proxied":"true"}', cname)).toEqual([
      ["CNAME", "lb.example.com", { proxied: "true" }],
    ]);
    expect(read(JSON.stringify(alias))).toEqual([["A", "192.0.2.1", alias]]);
  });

  test("nothing said changes nothing", () => {
    expect([read(" "), read("{}"), read('{"proxied":""}')]).toEqual(
      Array.from({ length: 3 }, () => [["A", "192.0.2.1", {}]]),
    );
  });
});
