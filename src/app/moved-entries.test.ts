/** `--target-namespace` is changed: entries are made anew in the new namespace. */
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { NAMES_ANNOTATION } from "../model/annotation-keys.ts";
import { CLASS_ANNOTATION } from "../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER, SECRET, SERVICE } from "../model/kinds.ts";
import type { KubeObject } from "../model/kubernetes.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAME = "a.example.org";

type Running = readonly { stop(): Promise<void> }[];

const within = (object: KubeObject, namespace: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

function world(namespaces: readonly string[] = ["dns", "dns2"]) {
  const made = programWorld({ controllers: ["compound", "service-dns", "dnsentry-source"] });
  const { cluster, clock, values } = made;
  for (const namespace of namespaces) {
    cluster.apply(SECRET, within(objectOf("v1", "Secret", "s", {}), namespace));
    const spec = { type: "memory", secretRef: { name: "s" } };
    cluster.apply(DNS_PROVIDER, within(objectOf(API, "DNSProvider", "p", { spec }), namespace));
  }
  const service = (ip: string) => {
    const metadata = { annotations: { [NAMES_ANNOTATION]: NAME } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", "a", { metadata, spec }));
    cluster.setStatus(SERVICE, "default", "a", { loadBalancer: { ingress: [{ ip }] } });
  };
  /** Makes entries there; `apart`: another process, without the option, publishes them. */
  const run = (targetNamespace: string | null, apart = false): Running => {
    const publish = { targetNamespace };
    if (!apart) return [made.start(undefined, { publish, runs: ["compound", "service-dns"] })];
    return [
      made.start(undefined, { runs: ["compound"] }),
      made.start(undefined, { publish, runs: ["service-dns"] }),
    ];
  };
  const stop = async (running: Running) => {
    for (const one of running) await one.stop();
  };
  /** Milliseconds without an answer. */
  const gapIn = async (ms: number) => {
    let lost = 0;
    for (let at = 0; at < ms; at += 100) {
      await clock.advance(100);
      if (values(NAME).length === 0) lost += 100;
    }
    return lost;
  };
  const namespacesOf = () =>
    cluster
      .all(DNS_ENTRY)
      .map(({ metadata }) => metadata.namespace)
      .toSorted();
  const rest = () => clock.advance(60_000);
  return { ...made, service, run, stop, gapIn, namespacesOf, rest };
}

test.each([
  ["dns", "dns2", false],
  ["dns", "dns2", true],
  ["dns", null, false],
  [null, "dns", false],
  [null, "dns", true],
])("from %s to %s (apart: %s): no gap, and it follows", async (from, to, apart) => {
  const { service, run, stop, gapIn, namespacesOf, rest, values, cluster } = world();
  service("192.0.2.1");
  let running = run(from, apart);
  await rest();
  await stop(running);
  running = run(to, apart);
  expect(await gapIn(60_000)).toBe(0);
  expect(namespacesOf()).toEqual([to ?? "default"]);
  service("192.0.2.2");
  await rest();
  expect(values(NAME)).toEqual(["192.0.2.2"]);
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  cluster.delete(SERVICE, "default", "a");
  await rest();
  expect([values(NAME), namespacesOf()]).toEqual([[], []]);
  await stop(running);
});

test.each(Array.from({ length: 12 }, (_, step) => 100 + 100 * step))(
  "the program stops %s ms after it began to move entries",
  async (ms) => {
    const { service, run, stop, gapIn, namespacesOf, rest, values } = world();
    service("192.0.2.1");
    let running = run("dns");
    await rest();
    await stop(running);
    service("192.0.2.2");
    running = run("dns2");
    expect(await gapIn(ms)).toBe(0);
    await stop(running);
    running = run("dns2");
    expect(await gapIn(60_000)).toBe(0);
    expect([values(NAME), namespacesOf()]).toEqual([["192.0.2.2"], ["dns2"]]);
    await stop(running);
  },
);

test("where nobody serves the new namespace its record stays, the Service says so, and the way back is open", async () => {
  const { service, run, stop, gapIn, namespacesOf, rest, values, cluster } = world(["dns"]);
  service("192.0.2.1");
  let running = run("dns");
  await rest();
  await stop(running);
  running = run("nowhere");
  service("192.0.2.2");
  expect(await gapIn(60_000)).toBe(0);
  expect(values(NAME)).toEqual(["192.0.2.1"]);
  const about = cluster.events.filter(({ object }) => object === "service/default/a");
  expect(about.map(({ note }) => note.message)).toContainEqual(
    expect.stringContaining("No responsible provider found"),
  );
  await stop(running);
  running = run("dns");
  await rest();
  expect([values(NAME), namespacesOf()]).toEqual([["192.0.2.2"], ["dns"]]);
  await stop(running);
});

test.each([
  ["two processes, and one that publishes", ["service-dns"], "dns", "dns2"],
  ["two processes, and one that publishes, the other way", ["service-dns"], "dns2", "dns"],
  ["two programs that publish", ["compound", "service-dns"], "dns", "dns2"],
])("%s: entries of one class in two namespaces, and writing ends", async (_, runs, one, other) => {
  const { service, start, stop, gapIn, rest, cluster, namespacesOf } = world();
  service("192.0.2.1");
  const making = (targetNamespace: string) =>
    start(undefined, { publish: { targetNamespace }, runs });
  const running = [making(one)];
  if (!runs.includes("compound")) running.push(start(undefined, { runs: ["compound"] }));
  await rest();
  running.push(making(other));
  expect(await gapIn(120_000)).toBe(0);
  // Two that publish one class may have two opinions of its state, which they say seldom.
  const isOfEntry = (write: string) => runs.length === 1 || !write.startsWith("write ");
  const writes = () => cluster.writes.filter(isOfEntry);
  const count = writes().length;
  await rest();
  expect(writes()).toHaveLength(count);
  expect(namespacesOf()).toEqual([other]);
  await stop(running);
});

test("copies of entries move, too", async () => {
  const { cluster, start, values, gapIn, namespacesOf, rest } = world();
  const put = (ip: string) => {
    const metadata = { annotations: { [CLASS_ANNOTATION]: "intern" } };
    const spec = { dnsName: NAME, targets: [ip] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "e", { metadata, spec }));
  };
  const copying = (targetNamespace: string) =>
    start(null, {
      ...{ sourceClasses: ["intern"], targetClass: "gardendns", publish: { targetNamespace } },
    });
  put("192.0.2.1");
  let running = copying("dns");
  await rest();
  await running.stop();
  running = copying("dns2");
  expect(await gapIn(60_000)).toBe(0);
  put("192.0.2.2");
  await rest();
  expect([values(NAME), namespacesOf()]).toEqual([["192.0.2.2"], ["default", "dns2"]]);
  await running.stop();
});
