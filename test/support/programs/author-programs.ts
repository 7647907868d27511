/** What authors write beside examples/library, as text: a program, and a registry with its test. */

/** Starts two managers of examples/library, and ends when each has written its file. */
export const TWO_MANAGERS = `
import { readFileSync } from "node:fs";
import { startManager } from "./manager.js";
const signals = () => process.listenerCount("SIGTERM") + process.listenerCount("uncaughtException");
const before = signals();
const files = ["one.jsonl", "two.jsonl"];
const managers = await Promise.all(files.map((file) => startManager(process.env[file], file)));
await Promise.all(managers.map((one) => one.ready()));
while (!files.every((file) => readFileSync(file, "utf8").includes('"www.example.org","type":"A"')))
  await new Promise((wake) => setTimeout(wake, 100));
if (signals() !== before) throw new Error("signals are taken");
await Promise.all(managers.map((one) => one.stop()));
console.log("both stopped");
`;

/** The line of examples/library/*.test.ts that takes the runner, and the same of vitest. */
export const ON_NODE_TEST = 'import { after, afterEach, before, describe, test } from "node:test";';
export const ON_VITEST =
  'import { afterAll as after, afterEach, beforeAll as before, describe, test } from "vitest";';

/** A registry to which all is ours, without a marker, in the suite. */
export const REGISTRY_TEST = `${ON_NODE_TEST}
import { testRegistry } from "zonekeeper/testing";

const keyOf = ({ name, type, setIdentifier }) => ({ name, type, setIdentifier });
const readOf = ({ op, previous, next }) =>
  op === "create" ? { is: "absent", key: keyOf(next) } : { is: "exact", set: previous };
const open = (owner) => {
  const labels = { owner, resource: "*" };
  const marker = { ...labels, cluster: null, labels, record: null, anyObject: true };
  return {
    format: "all-is-ours",
    read: async (sets) =>
      sets.map((set) => ({ ...keyOf(set), data: set, marker, contested: false })),
    affected: (name) => [name],
    related: (name) => [name],
    prepare: async ({ name, changes: keys }) => {
      const writes = keys.flatMap(({ change }) => change ?? []);
      const isRemoval = ({ op }) => op === "remove";
      const changes = [...writes.filter(isRemoval), ...writes.filter((one) => !isRemoval(one))];
      return { ok: true, group: { name, keys, changes, preconditions: changes.map(readOf) } };
    },
    confirm: async () => undefined,
  };
};
testRegistry(
  { describe, test, before, after, afterEach },
  {
    name: "all-is-ours",
    stage: () => open,
    isMarker: () => false,
    ...{ tellsOwners: false, takesLongLabels: true, repairsDrift: true },
  },
);
`;
