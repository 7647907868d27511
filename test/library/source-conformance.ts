/**
 * The suite that every source of others passes: what an object wants, that it is a pure function of
 * object and view, and that what cannot be read keeps what there is (Z-1).
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { guardSource } from "../../src/app/plugins/guard-source.ts";
import { keptFields } from "../../src/sources/kept-fields.ts";
import type { SourceFunctions, SourceRow } from "../../src/sources/source.ts";
import { MemoryCluster } from "../support/worlds/memory-cluster.ts";

/** One object and what it wants. */
export interface SourceCase {
  readonly title: string;
  readonly object: KubeObject;
  /** `www.example.org A 192.0.2.1 192.0.2.2`, sorted. */
  readonly wants: readonly string[];
  /** Names that the object lists and of which nothing can be said. Absent = none. */
  readonly waits?: readonly string[];
  /** False = it may want more than is found, so that nothing of it is removed. Default true. */
  readonly isComplete?: boolean;
}

/** A row with the objects that show what it does. */
export interface SourceUnderTest {
  readonly row: SourceRow;
  readonly cases: readonly SourceCase[];
  /** What else is in the cluster; the cases see it. Absent = nothing. */
  readonly fill?: (cluster: MemoryCluster) => void;
}

/** Declares the suite. */
export function sourceConformance({ row, cases, fill }: SourceUnderTest): void {
  const open = (): SourceFunctions => {
    const plugin = { name: row.name, given: "the row under test", file: "" };
    const options = { dnsClasses: ["gardendns"] as const, targetNamespace: null };
    return guardSource(row, plugin).open(options, []);
  };
  const cluster = (): MemoryCluster => {
    const filled = new MemoryCluster("c1");
    fill?.(filled);
    return filled;
  };
  const ask = (object: KubeObject) => {
    const found = open().endpoints(object, cluster());
    return {
      wants: found.items.map(({ name, type, values }) => [name, type, ...values].join(" ")).sort(),
      waits: found.waiting.map(({ name }) => name).sort(),
      isComplete: found.complete,
      messages: found.problems.map(({ message }) => message),
    };
  };
  describe(`source conformance: ${row.name}`, () => {
    for (const { title, object, wants, waits = [], isComplete = true } of cases) {
      test(title, () => {
        expect(ask(object)).toMatchObject({ wants, waits, isComplete });
      });
      test(`${title}: the same answer twice, and the object stays as it was`, () => {
        const before = JSON.stringify(object);
        expect(ask(object)).toEqual(ask(object));
        expect(JSON.stringify(object)).toBe(before);
      });
      test(`${title}: with the fields that are kept in memory`, () => {
        const keep = keptFields([row]).get(kindText(row.primary));
        expect(ask(keep?.(object) ?? object)).toEqual(ask(object));
      });
    }
    test("an object without a spec wants nothing, or says what is wrong", () => {
      const { apiVersion, kind } = cases[0]?.object ?? { apiVersion: "v1", kind: "None" };
      const metadata = { name: "empty", namespace: "default" };
      const { wants, messages } = ask({ apiVersion, kind, metadata });
      expect(wants).toEqual([]);
      expect(messages.filter((message) => /plug-in .* (threw|garbage)/.test(message))).toEqual([]);
    });
  });
}
