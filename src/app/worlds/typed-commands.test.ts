/** What an instance that is asked through kubectl advises in statuses and Events. */
import { expect, test } from "vitest";
import { HandlerClient, jsonResponse } from "../../../test/support/clients/handler-client.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { asTypedInKubectl } from "../commands/process/typed-commands.ts";
import { openCluster } from "../compose/open-cluster.ts";
import type { ProgramPorts } from "../ports/real-ports.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = Array.from({ length: 20 }, (_, index) => `e${index}`);

test("the status of an entry that the fuse holds", async () => {
  const world = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = world;
  const apply = (name: string, address: string): void => {
    const spec = { dnsName: `${name}.example.org`, targets: [address] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  };
  for (const name of NAMES) apply(name, "192.0.2.1");
  const running = world.start(undefined, { asTyped: asTypedInKubectl });
  await clock.advance(1_200_000);
  for (const name of NAMES) cluster.delete(DNS_ENTRY, "default", name);
  await clock.advance(60_000);
  const statuses = NAMES.flatMap((name) => {
    const found = cluster.get(DNS_ENTRY, "default", name);
    return found.state === "value" ? [JSON.stringify(found.value["status"])] : [];
  });
  const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
  const held = statuses.filter((text) => text.includes(`kubectl zonekeeper approve ${set?.hash}`));
  expect(held.length).toBe(set?.removals);
  for (const text of statuses) expect(text).not.toMatch(/(?<!kubectl )zonekeeper approve/);
  const writes = cluster.writes.length;
  await clock.advance(3_600_000);
  expect(cluster.writes.length).toBe(writes);
  await running.stop();
});

test("an Event", async () => {
  const clock = new VirtualClock();
  const notes: unknown[] = [];
  const http = new HandlerClient(async ({ body }) => {
    const note = JSON.parse(new TextDecoder().decode(body ?? undefined));
    notes.push(note);
    return jsonResponse(201, note);
  });
  const own = { clock, random: new SeededRandom(1), log: new MemoryLog() };
  const ports = { ...own, metrics: new MemoryMetrics(), asTyped: asTypedInKubectl };
  const { access, close } = openCluster({
    sources: [],
    ...{ http, clusterId: "c1", namespace: null },
    ports: ports as unknown as ProgramPorts,
  });
  const message = "held: zonekeeper approve 4f0c; zonekeeper plan shows them";
  const entry = objectOf(API, "DNSEntry", "e", {});
  access.recorder.record(entry, { type: "Warning", reason: "ChangesHeld", message });
  await clock.advance(5_000);
  const closing = close();
  await clock.advance(5_000);
  await closing;
  expect(notes).toMatchObject([
    { message: "held: kubectl zonekeeper approve 4f0c; kubectl zonekeeper plan shows them" },
  ]);
});
