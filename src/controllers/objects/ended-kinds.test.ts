/** Which objects count for a whole kind (Z-16): also those that become derived, or cease to be. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { shortResourceOf } from "../../model/provenance.ts";
import { EndedKind } from "./ended-kinds.ts";

const shortOf = (name: string) =>
  shortResourceOf({ cluster: "c1", kind: "dnsentry", namespace: "default", name });

const REFERENCE = [{ apiVersion: "v1", kind: "Service", name: "s", uid: "u", controller: true }];
const entry = (name: string, isMade: boolean): KubeObject => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name, namespace: "default", ...(isMade ? { ownerReferences: REFERENCE } : {}) },
});

function world() {
  const kind = new EndedKind("c1", new VirtualClock());
  const added = (object: KubeObject) =>
    kind.note({ type: "added", kind: DNS_ENTRY, object } as never);
  const changed = (previous: KubeObject, object: KubeObject) =>
    kind.note({ type: "modified", kind: DNS_ENTRY, object, previous } as never);
  const deleted = (object: KubeObject) =>
    kind.note({
      type: "deleted",
      kind: DNS_ENTRY,
      object,
      previous: object,
      proof: "watched",
    } as never);
  return { kind, added, changed, deleted };
}

test("a restored entry that is linked again and goes with its Service is no entry that is alive", () => {
  const { kind, added, changed, deleted } = world();
  added(entry("restored", false));
  changed(entry("restored", false), entry("restored", true));
  deleted(entry("restored", true));
  for (const name of ["a", "b", "c"]) added(entry(name, false));
  for (const name of ["a", "b", "c"]) deleted(entry(name, false));
  expect(kind.has(shortOf("a"))).toBe(true);
});

test("entries whose Service was deleted with --cascade=orphan are no whole kind while others live", () => {
  const { kind, added, changed, deleted } = world();
  for (const name of ["a", "b", "c"]) added(entry(name, false));
  for (const name of ["x", "y", "z"]) {
    added(entry(name, true));
    changed(entry(name, true), entry(name, false));
  }
  for (const name of ["x", "y", "z"]) deleted(entry(name, false));
  expect(kind.has(shortOf("x"))).toBe(false);
});

test("when an object was created that ends is known until it ends again, also while it is back", () => {
  const { kind, added, changed, deleted } = world();
  const at = (second: string): KubeObject => {
    const one = entry("a", false);
    const creationTimestamp = `2026-01-01T00:00:${second}Z`;
    return { ...one, metadata: { ...one.metadata, creationTimestamp } };
  };
  const createdMs = () => kind.createdMs(shortOf("a"));
  added(at("01"));
  expect(createdMs()).toBeNull();
  deleted(at("01"));
  added(at("30"));
  expect(createdMs(), "what it wants is not told yet").toBe(Date.UTC(2026, 0, 1, 0, 0, 1));
  const ending = at("30");
  const deletionTimestamp = "2026-01-01T00:01:00Z";
  changed(ending, { ...ending, metadata: { ...ending.metadata, deletionTimestamp } });
  expect(createdMs()).toBe(Date.UTC(2026, 0, 1, 0, 0, 30));
});
