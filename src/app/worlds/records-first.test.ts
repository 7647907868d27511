/** In a burst records are written before anybody hears of them (issue 38). */
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import {
  objectOf,
  type ProcessBorder,
  programWorld,
} from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";

const STATUS_MS = 3;

/** A program that rests, what it writes in order, and a way to apply DNSEndpoints. */
async function resting(count: number) {
  const world = programWorld({ controllers: ["compound", "crd"] });
  const { cluster, clock, start, breakWith } = world;
  const reported = new Set<string>();
  /** How many objects had a report of a record of theirs when these names were written. */
  const reportedAt = new Map<string, number>();
  cluster.subscribe(DNS_ENDPOINT, {
    onChange: ({ object }) => {
      if (isReady(object)) reported.add(`${object.metadata.name} ${object.metadata.generation}`);
    },
    onState: () => undefined,
  });
  breakWith({
    ...NO_FAULTS,
    apply: (_, groups) => {
      for (const { name } of groups) reportedAt.set(name, reported.size);
      return [];
    },
  });
  const apply = (index: number, target: string): void => {
    const dnsName = `n${index}.example.org`;
    const spec = { endpoints: [{ dnsName, recordType: "A", targets: [target] }] };
    const version = "externaldns.k8s.io/v1alpha1";
    cluster.apply(DNS_ENDPOINT, objectOf(version, "DNSEndpoint", `e${index}`, { spec }));
  };
  const running = start(null, { border: { clock, access: slowly(clock), provider: (one) => one } });
  await clock.advance(60_000);
  const burst = async (target: string): Promise<void> => {
    for (let index = 0; index < count; index += 20) {
      for (let one = index; one < index + 20; one++) apply(one, target);
      await clock.advance(50);
    }
  };
  return { ...world, apply, burst, reported, reportedAt, running };
}

/** Each write of a status takes as long as that of an API server. */
function slowly(clock: Clock): ProcessBorder["access"] {
  return (cluster) => {
    const patchStatus: ClusterWriter["patchStatus"] = async (...call) => {
      await sleep(clock, STATUS_MS);
      return cluster.patchStatus(...call);
    };
    const get = (target: ClusterWriter, key: keyof ClusterWriter): unknown => {
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    };
    const writer = new Proxy<ClusterWriter>(cluster, {
      get: (target, key: keyof ClusterWriter) =>
        key === "patchStatus" ? patchStatus : get(target, key),
    });
    return { view: cluster, writer, recorder: cluster };
  };
}

function isReady({ status, metadata }: KubeObject): boolean {
  return fieldsOf(status)["observedGeneration"] === metadata.generation;
}

test("the last record of a burst is written before the hundredth report", async () => {
  const { clock, burst, reported, reportedAt, running } = await resting(300);
  await burst("192.0.2.1");
  await clock.advance(30_000);
  expect([reported.size, reportedAt.size]).toEqual([300, 300]);
  expect(Math.max(...reportedAt.values())).toBeLessThan(100);
  await running.stop();
});

test("a single change overtakes the reports of a burst", async () => {
  const { clock, cluster, apply, burst, reported, reportedAt, values, running } =
    await resting(300);
  let isEdited = false;
  cluster.subscribe(DNS_ENDPOINT, {
    onChange: () => {
      if (isEdited || reported.size < 100) return;
      isEdited = true;
      reportedAt.clear();
      apply(299, "192.0.2.2");
    },
    onState: () => undefined,
  });
  await burst("192.0.2.1");
  await clock.advance(30_000);
  expect(values("n299.example.org")).toEqual(["192.0.2.2"]);
  expect(reportedAt.get("n299.example.org")).toBeLessThan(300);
  expect(reported.size).toBeGreaterThanOrEqual(300);
  await running.stop();
});
