/** What is not as wanted with an object, published directly, in its annotation (ADR 0115). */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
/** One of the names has no zone. */
const TROUBLED = { [NAMES]: "www.example.org,www.example.net" };
const TROUBLE =
  "Error: 1 name published; www.example.net: no DNSProvider that this object may use serves it; create one for its zone";

/** A Service, its annotation, and every text that the annotation had. */
function started() {
  const world = programWorld({ publishing: "direct" });
  const { cluster, clock } = world;
  const texts: (string | undefined)[] = [];
  const textOf = () =>
    cluster.now(SERVICE, "default", "web")?.metadata.annotations?.[STATUS_ANNOTATION];
  cluster.subscribe(SERVICE, {
    onChange: () => {
      if (textOf() !== texts.at(-1)) texts.push(textOf());
    },
    onState: () => undefined,
  });
  const service = async (more: Readonly<Record<string, string>> = TROUBLED): Promise<void> => {
    const status = textOf();
    const kept = status === undefined ? {} : { [STATUS_ANNOTATION]: status };
    const metadata = { annotations: { ...kept, ...more } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
    const loadBalancer = { ingress: [{ ip: "192.0.2.1" }] };
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
    await clock.advance(60_000);
  };
  return { ...world, service, texts, textOf };
}

test("another installation of another class leaves it alone, also at its start", async () => {
  const { start, clock, service, texts } = started();
  const one = start();
  await clock.advance(1_000);
  const other = start("direct", { dnsClasses: ["other"], owner: "you" });
  await service();
  await other.stop();
  const again = start("direct", { dnsClasses: ["other"], owner: "you" });
  await clock.advance(60_000);
  expect(texts.filter((text) => text !== undefined)).toEqual([TROUBLE]);
  await one.stop();
  await again.stop();
});

test("two installations that publish one object write a few times, and not for ever", async () => {
  const { start, clock, service, texts } = started();
  const running = [start(), start("direct", { owner: "you" })];
  await clock.advance(1_000);
  await service();
  expect(texts.length).toBeLessThan(6);
  const before = texts.length;
  await clock.advance(600_000);
  expect(texts).toHaveLength(before);
  for (const one of running) await one.stop();
});

test("nothing is said of an object that is as wanted, and trouble is said until it ends", async () => {
  const { start, clock, service, texts } = started();
  const running = start();
  await clock.advance(1_000);
  await service({ [NAMES]: "www.example.org" });
  expect(texts).toEqual([]);
  await service();
  await service({ [NAMES]: "www.example.org" });
  expect(texts).toEqual([TROUBLE, undefined]);
  await running.stop();
});

test("a change that takes longer than ten seconds is said, and no such word after a restart", async () => {
  const { start, clock, service, texts, breakWith, values } = started();
  const first = start();
  await clock.advance(1_000);
  const throttled = { kind: "throttled", afterMs: 15_000 } as const;
  const answers = [[throttled]];
  breakWith({ ...NO_FAULTS, apply: () => answers.pop() ?? [] });
  await service({ [NAMES]: "www.example.org" });
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  expect(texts).toEqual(["Pending: its names are being published", undefined]);
  await first.stop();
  const second = start();
  await clock.advance(600_000);
  expect(texts).toHaveLength(2);
  await second.stop();
});

test("a restart writes nothing", async () => {
  const { start, clock, service, texts } = started();
  const first = start();
  await clock.advance(1_000);
  await service();
  await first.stop();
  const before = texts.length;
  const second = start();
  await clock.advance(600_000);
  expect(texts.slice(before)).toEqual([]);
  await second.stop();
});

test("names that went while nobody watched take it along, and so does the way through DNSEntries", async () => {
  const { start, clock, service, textOf } = started();
  const first = start();
  await clock.advance(1_000);
  await service();
  expect(textOf()).toBe(TROUBLE);
  await first.stop();
  await service({});
  const second = start();
  await clock.advance(60_000);
  expect(textOf()).toBeUndefined();
  await service();
  expect(textOf()).toBe(TROUBLE);
  await second.stop();
  const third = start("entries");
  await clock.advance(60_000);
  expect(textOf()).toBeUndefined();
  await third.stop();
});

test("what a zone of a deleted DNSProvider said is forgotten", async () => {
  const { start, clock, cluster, service, textOf } = started();
  const running = start();
  await clock.advance(1_000);
  await service();
  cluster.delete(DNS_PROVIDER, "default", "p");
  await clock.advance(60_000);
  await service({});
  expect(textOf()).toBeUndefined();
  await running.stop();
});

test("our own annotation is no reason to look at the object again; an annotation of a person is", async () => {
  const { start, clock, cluster, metrics, service, textOf } = started();
  const looked = async (): Promise<number> => {
    const { text } = await metrics.scrape();
    const lines = text.matchAll(
      /^controller_runtime_reconcile_total\{[^}]*controller="service"[^}]*\} (\d+)$/gm,
    );
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const running = start();
  await clock.advance(1_000);
  await service();
  const annotate = async (more: Readonly<Record<string, string>>): Promise<number> => {
    const before = await looked();
    const present = cluster.now(SERVICE, "default", "web");
    if (present === null) throw new Error("no Service");
    const { resourceVersion: _, ...metadata } = present.metadata;
    const annotations = { ...metadata.annotations, ...more };
    cluster.apply(SERVICE, { ...present, metadata: { ...metadata, annotations } });
    await clock.advance(60_000);
    return (await looked()) - before;
  };
  expect(await annotate({ "dns.gardener.cloud/ttl": "60" })).toBeGreaterThan(0);
  expect(await annotate({ [STATUS_ANNOTATION]: "Ready: as somebody else says" })).toBe(0);
  expect(await annotate({ [STATUS_ANNOTATION]: TROUBLE })).toBe(0);
  expect(await annotate({ "dns.gardener.cloud/ttl": "90" })).toBeGreaterThan(0);
  expect(textOf()).toBe(TROUBLE);
  await running.stop();
});
