/**
 * Several objects with one name under `--dialect external-dns` (ADR 0126): the zone is that of
 * external-dns, and what one object has goes with this object alone.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { rulesByFlags } from "../../../test/support/values/external-dns-flags.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { EXTERNAL_DNS_SOURCES } from "../../sources/external-dns-rows.ts";

const NAME = "www.example.org";
const HOSTNAME = "external-dns.kubernetes.io/hostname";
/** As external-dns has left it. */
const LEFT = [
  "www 300 A 192.0.2.1",
  "www 300 A 192.0.2.2",
  'a-www 300 TXT "heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/a"',
].join("\n");

interface Wanted {
  readonly namespace?: string;
  readonly hostname?: string;
  readonly ttl?: string;
}

function worldWith(zone = "") {
  const controllers = ["compound", "service", "ingress"];
  const world = programWorld({ sources: EXTERNAL_DNS_SOURCES, controllers, zone });
  const externalDns = rulesByFlags();
  const service = (name: string, ip: string | null, wanted: Wanted = {}): void => {
    const { namespace = "default", hostname = NAME, ttl } = wanted;
    const annotations = {
      [HOSTNAME]: hostname,
      ...(ttl === undefined ? {} : { "external-dns.kubernetes.io/ttl": ttl }),
    };
    const metadata = { namespace, annotations };
    world.cluster.apply(
      SERVICE,
      objectOf("v1", "Service", name, { metadata, spec: { type: "LoadBalancer" } }),
    );
    const ingress = ip === null ? [] : [{ ip }];
    world.cluster.setStatus(SERVICE, namespace, name, { loadBalancer: { ingress } });
  };
  return {
    ...world,
    service,
    remove: (name: string, namespace = "default") => world.cluster.delete(SERVICE, namespace, name),
    start: (isDialect = true) =>
      world.start("direct", {
        publish: { anyNamespace: true, ...(isDialect ? { externalDns } : {}) },
      }),
    pass: (seconds = 30) => world.clock.advance(seconds * 1_000),
    answer: () => world.values(NAME),
    marker: () => world.values(`a-${NAME}`).join(),
  };
}

const BOTH = ["192.0.2.1", "192.0.2.2"];

describe("several objects with one name", () => {
  test("the zone that external-dns left stays as it is", async () => {
    const world = worldWith(LEFT);
    world.service("b", "192.0.2.2", { namespace: "other" });
    world.service("a", "192.0.2.1");
    const before = world.zone();
    const running = world.start();
    await world.pass(600);
    expect(world.zone()).toBe(before);
    await running.stop();
  });

  test("each one's address comes and goes with it, and the marker passes on", async () => {
    const world = worldWith();
    const running = world.start();
    world.service("a", "192.0.2.1");
    await world.pass();
    world.service("b", "192.0.2.2", { namespace: "other" });
    await world.pass();
    expect(world.answer()).toEqual(BOTH);
    expect(world.marker()).toContain("resource=service/default/a");
    world.service("b", "192.0.2.3", { namespace: "other" });
    await world.pass();
    expect(world.answer()).toEqual(["192.0.2.1", "192.0.2.3"]);
    world.remove("b", "other");
    await world.pass();
    expect(world.answer()).toEqual(["192.0.2.1"]);
    world.service("c", "192.0.2.4");
    await world.pass();
    world.remove("a");
    await world.pass();
    expect(world.answer()).toEqual(["192.0.2.4"]);
    expect(world.marker()).toContain("resource=service/default/c");
    world.remove("c");
    await world.pass();
    expect(world.answer()).toEqual([]);
    expect(world.marker()).toBe("");
    await running.stop();
  });

  test("Services are joined whatever their TTLs, and the first by name has it", async () => {
    const world = worldWith();
    world.service("b", "192.0.2.2", { ttl: "60" });
    world.service("a", "192.0.2.1", { ttl: "600" });
    const running = world.start();
    await world.pass();
    expect(world.answer()).toEqual(BOTH);
    expect(world.zone()).toContain("www 600 A 192.0.2.1");
    await running.stop();
  });

  test("an address stays while its object has none now, and while its kind is not read", async () => {
    const world = worldWith();
    world.service("a", "192.0.2.1");
    world.service("b", "192.0.2.2");
    const running = world.start();
    await world.pass();
    world.service("b", null);
    await world.pass();
    expect(world.answer()).toEqual(BOTH);
    world.service("b", "192.0.2.2");
    await world.pass();
    world.cluster.breakWatch(SERVICE);
    world.remove("b");
    await world.pass();
    expect(world.answer()).toEqual(BOTH);
    world.cluster.relist(SERVICE);
    await world.pass(120);
    expect(world.answer()).toEqual(["192.0.2.1"]);
    await running.stop();
  });

  test("what ended while nothing ran goes when its kind is listed", async () => {
    const world = worldWith(LEFT);
    world.service("a", "192.0.2.1");
    world.service("b", "192.0.2.2");
    const before = world.start();
    await world.pass(600);
    await before.stop();
    world.remove("b");
    const after = world.start();
    await world.pass(600);
    expect(world.answer()).toEqual(["192.0.2.1"]);
    await after.stop();
  });

  test("outside of the dialect the first one has the name", async () => {
    const world = worldWith();
    world.service("a", "192.0.2.1");
    const running = world.start(false);
    await world.pass();
    world.service("b", "192.0.2.2");
    await world.pass();
    expect(world.answer()).toEqual(["192.0.2.1"]);
    await running.stop();
  });
});
