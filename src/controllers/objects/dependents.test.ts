import { CONFIG_MAP, NODE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { BY_OBJECT } from "../../../test/support/sources/host-sources.ts";
import { Dependents } from "./dependents.ts";

const object = (name: string, namespace: string, data: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "X",
  metadata: { name, namespace },
  data,
});

function stage(): Dependents {
  const dependents = new Dependents();
  const reads = {
    one: [{ kind: NODE, namespace: "", name: "n1" }],
    listing: [{ kind: CONFIG_MAP, inNamespace: "a" }],
    all: [{ kind: CONFIG_MAP }],
    index: [{ kind: CONFIG_MAP, by: { index: BY_OBJECT, value: "web" } }],
    near: [{ kind: CONFIG_MAP, inNamespace: "a", by: { index: BY_OBJECT, value: "web" } }],
  };
  for (const [key, each] of Object.entries(reads))
    dependents.answered(key, { reads: each, complete: key !== "one" });
  return dependents;
}

test.each<[string, KindRef, KubeObject, KubeObject | null, string]>([
  ["the object that was read", NODE, object("n1", ""), null, "one"],
  ["another object", NODE, object("n2", ""), null, ""],
  ["an object of a listed namespace", CONFIG_MAP, object("x", "a"), null, "all listing"],
  ["an object of another namespace", CONFIG_MAP, object("x", "b"), null, "all"],
  ["an object with the value", CONFIG_MAP, object("x", "b", { for: "web" }), null, "all index"],
  [
    "an object that had the value",
    CONFIG_MAP,
    object("x", "a"),
    object("x", "a", { for: "web" }),
    "all index listing near",
  ],
])("%s costs only those that read it", (_, kind, changed, previous, expected) => {
  const was = previous === null ? {} : { previous };
  const readers = stage().readersOf({ type: "modified", kind, object: changed, ...was });
  expect([...readers].sort().join(" ")).toBe(expected);
});

test("what an object no longer reads does not concern it", () => {
  const dependents = stage();
  dependents.answered("one", { reads: [], complete: true });
  dependents.forget("all");
  const readers = dependents.readersOf({ type: "added", kind: NODE, object: object("n1", "") });
  expect(readers.size).toBe(0);
  expect(dependents.outdatedBy(CONFIG_MAP, "forbidden").join()).toBe("listing,index,near");
});

test("a kind that is live again: incomplete answers; one that cannot be read: all that read it", () => {
  const dependents = stage();
  expect(dependents.outdatedBy(NODE, "live")).toEqual(["one"]);
  expect(dependents.outdatedBy(CONFIG_MAP, "live")).toEqual([]);
  expect(dependents.outdatedBy(CONFIG_MAP, "stale")).toEqual([]);
  expect(dependents.outdatedBy(CONFIG_MAP, "forbidden")).toHaveLength(4);
});

test("of objects that read the same one stays a reader when another one goes or reads it again", () => {
  const dependents = new Dependents();
  const reads = [{ kind: CONFIG_MAP, inNamespace: "a" }];
  for (const key of ["one", "two"]) dependents.answered(key, { reads, complete: true });
  dependents.forget("one");
  const change = { type: "added", kind: CONFIG_MAP, object: object("x", "a") } as const;
  expect([...dependents.readersOf(change)]).toEqual(["two"]);
  dependents.answered("two", { reads: [...reads, ...reads], complete: false });
  expect([...dependents.readersOf(change)]).toEqual(["two"]);
  dependents.answered("two", { reads: [], complete: true });
  expect(dependents.readersOf(change).size).toBe(0);
  dependents.answered("one", { reads, complete: false });
  expect([...dependents.readersOf(change)]).toEqual(["one"]);
  expect(dependents.outdatedBy(CONFIG_MAP, "live")).toEqual(["one"]);
});
