import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { isRenamed, SOURCE_LABEL } from "../../model/generated-entries.ts";
import { awaitsNames, noteOfCopy, renamePatches } from "./renamed-entries.ts";

function entry(dnsName: string, noted?: string): KubeObject {
  const annotations = noted === undefined ? {} : { [RENAMED_TO_ANNOTATION]: noted };
  const labels = { [SOURCE_LABEL]: "service-1" };
  const metadata = { name: dnsName, namespace: "default", annotations, labels };
  const status = { targets: ["192.0.2.1"] };
  return {
    status,
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata,
    spec: { dnsName },
  };
}

const noted = (removed: KubeObject, ...coming: readonly string[]) =>
  renamePatches([removed], { coming, listed: coming, isCertain: true }).map(({ patch }) => patch);
const note = (text: string) => [{ metadata: { annotations: { [RENAMED_TO_ANNOTATION]: text } } }];

test("Z-32 an entry that goes notes the names that come", () => {
  expect(noted(entry("a.example.org"), "c.example.org", "b.example.org")).toEqual(
    note("b.example.org,c.example.org"),
  );
});

test("Z-32 later names are added; what is noted needs no write", () => {
  const gone = entry("a.example.org", "b.example.org");
  expect(noted(gone, "b.example.org")).toEqual([]);
  expect(noted(gone)).toEqual([]);
  expect(noted(gone, "c.example.org")).toEqual(note("b.example.org,c.example.org"));
});

test.each(["", "?", ",", "%%%", "b.example.org,,"])(
  "Z-32 a note that cannot be read may name each name that is listed: %j",
  (text) => {
    const gone = entry("a.example.org", text);
    const listed = ["b.example.org", "c.example.org"];
    const [one] = renamePatches([gone], { coming: [], listed, isCertain: true });
    expect([one?.patch]).toEqual(note("b.example.org,c.example.org"));
    expect(awaitsNames(gone, { wanted: listed, own: [gone] })).toBe(true);
  },
);

test("Z-32 a note that was seen and is gone is written again", () => {
  const gone = entry("a.example.org");
  const seen = new Map([["default/a.example.org", ["b.example.org"]]]);
  const facts = { coming: [], listed: [], noted: seen };
  const [one] = renamePatches([gone], { ...facts, isCertain: true });
  expect([one?.patch]).toEqual(note("b.example.org"));
  const [perhaps] = renamePatches([gone], { ...facts, isCertain: false });
  expect([perhaps?.patch]).toEqual(note("?b.example.org"));
});

test("Z-32 what a mistake may hide is noted as such, and for certain after it", () => {
  const [perhaps] = renamePatches([entry("a.example.org")], {
    ...{ coming: ["b.example.org"], listed: [] },
    isCertain: false,
  });
  const metadata = { annotations: { [RENAMED_TO_ANNOTATION]: "?b.example.org" } };
  expect(perhaps?.patch).toEqual({ metadata });
  const marked = entry("a.example.org", "?b.example.org");
  expect(isRenamed(marked)).toBe(false);
  expect(renamePatches([marked], { coming: [], listed: [], isCertain: false })).toEqual([]);
  expect(noted(marked)).toEqual(note("b.example.org"));
  expect(isRenamed(entry("a.example.org", "b.example.org"))).toBe(true);
});

test.each([
  ["that a person wrote", { labels: {} }],
  ["whose spec a person changed", { specManagers: ["zonekeeper", "kubectl-edit"] }],
])("Z-25 a note on an entry %s says nothing", (_, metadata) => {
  const generated = entry("a.example.org", "b.example.org");
  expect(isRenamed(generated)).toBe(true);
  expect(isRenamed({ ...generated, metadata: { ...generated.metadata, ...metadata } })).toBe(false);
});

test("Z-32 a name that is given up notes nothing", () => {
  expect(noted(entry("a.example.org"))).toEqual([]);
});

test("Z-32 a copy has the note of its original, where that is certain and ours", () => {
  expect(noteOfCopy(entry("a.example.org"))).toBeNull();
  expect(noteOfCopy(entry("a.example.org", "b.example.org"))).toBe("b.example.org");
  expect(noteOfCopy(entry("a.example.org", "?b.example.org"))).toBeNull();
  const written = entry("a.example.org", "b.example.org");
  expect(noteOfCopy({ ...written, metadata: { ...written.metadata, labels: {} } })).toBeNull();
});

test.each([
  { state: undefined, waits: true },
  { state: "Pending", waits: true },
  { state: "Error", waits: true },
  { state: "Ready", waits: false },
])("Z-32 while the new entry is $state, the old one waits: $waits", ({ state, waits }) => {
  const gone = entry("a.example.org", "b.example.org");
  const come = { ...entry("b.example.org"), status: { state } };
  const wanted = ["b.example.org", "c.example.org"];
  expect(awaitsNames(gone, { wanted, own: [gone, come] })).toBe(waits);
  expect(awaitsNames(gone, { wanted: ["c.example.org"], own: [gone, come] })).toBe(false);
});

test("Z-32 a new name without an entry is waited for", () => {
  const gone = entry("a.example.org", "b.example.org");
  expect(awaitsNames(gone, { wanted: ["b.example.org"], own: [gone] })).toBe(true);
});

test("Z-32 an entry that has no record keeps none", () => {
  const gone = { ...entry("a.example.org", "b.example.org"), status: { state: "Pending" } };
  expect(awaitsNames(gone, { wanted: ["b.example.org"], own: [gone] })).toBe(false);
});
