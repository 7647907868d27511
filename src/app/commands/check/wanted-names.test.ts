/** Whose records `check` asks about; beside a real zone: test/real/check.test.ts. */
import { expect, test } from "vitest";
import { nameOf } from "../../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../../test/support/worlds/memory-cluster.ts";
import { OWNERS_ANNOTATION } from "../../../model/generated-entries.ts";
import { DNS_ENTRY } from "../../../model/kinds.ts";
import type { Marker, OwnedRecordSet } from "../../../plan/changes.ts";
import { clusterQuestion, readWantedNames } from "./wanted-names.ts";

const marked = (more: Partial<Marker>): OwnedRecordSet => ({
  ...{ name: nameOf("www"), type: "A", setIdentifier: null, data: null, contested: false },
  marker: {
    ...{ owner: "me", cluster: "shoot", resource: "service/default/web", labels: {}, record: null },
    ...more,
  },
});

test.each<[string, Partial<Marker>, string | null]>([
  ["of a cluster that is not served", {}, "1 of ours are for objects of the cluster shoot, "],
  ["of the cluster of sources", { cluster: "source" }, null],
  ["of the cluster of DNSEntries", { cluster: "target" }, null],
  ["of no cluster", { cluster: null }, null],
  ["of another owner", { owner: "you" }, null],
  ["for whose object a DNSEntry stands", { resource: "service/default/copied" }, null],
])("a record %s", async (_, more, question) => {
  const target = new MemoryCluster("target");
  const owners = { [OWNERS_ANNOTATION]: "shoot:/Service/default/copied" };
  target.apply(DNS_ENTRY, {
    ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSEntry" },
    metadata: { name: "copied", namespace: "default", annotations: owners },
    spec: { dnsName: "copied.example.org" },
  });
  const of = { writer: target, id: "target", namespace: null, dnsClasses: ["gardendns"] as const };
  const clusters = new Set(["source", "target"]);
  const asked = { wanted: await readWantedNames(of), owner: "me", clusters };
  expect(clusterQuestion([marked(more)], asked)).toEqual(
    question === null ? null : expect.stringContaining(question),
  );
});
