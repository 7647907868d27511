/**
 * The examples that `dev` applies: each is valid, and its source publishes what its comment
 * promises.
 */

import { readdirSync, readFileSync } from "node:fs";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readProviderSpec } from "../../src/gardener/dns-provider/provider-spec.ts";
import { openSource, SOURCES } from "../../src/sources/index.ts";
import { DEFAULT_CLASSES } from "../support/worlds/default-classes.ts";
import { MemoryCluster } from "../support/worlds/memory-cluster.ts";

const folder = new URL("../../examples/", import.meta.url);
const read = (file: string): KubeObject =>
  parseDocument(readFileSync(new URL(file, folder), "utf8")).toJS() as KubeObject;

/** What an example publishes once it has the address 192.0.2.99. */
function published(file: string): readonly string[] {
  const object = read(file);
  const row = SOURCES.find(({ primary }) => primary.kind === object.kind);
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
  if (row === undefined) throw new Error(`${file}: no source for ${object.kind}`);
  const source = openSource(row.name, options);
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.99" }] } };
  const found = source.endpoints({ ...object, status }, new MemoryCluster("c1"));
  expect([found.problems, found.waiting, found.complete]).toEqual([[], [], true]);
  return found.items.map(
    (set) => `${set.name} ${set.ttlSeconds ?? "-"} ${set.type} ${set.values.join(" ")}`,
  );
}

test("the examples publish this", () => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  expect(Object.fromEntries(files.sort().map((file) => [file, published(file)]))).toEqual({
    "10-entry-addresses.yaml": [
      "www.example.org 60 A 192.0.2.10",
      "www.example.org 60 AAAA 2001:db8::10",
    ],
    "20-entry-alias.yaml": ["blog.example.org - CNAME www.example.org"],
    "30-entry-text.yaml": ['note.example.org 120 TXT "a second string" "hello from zonekeeper"'],
    "40-entry-wildcard.yaml": ["*.apps.example.org - A 192.0.2.40"],
    "50-service.yaml": ["echo.example.org 60 A 192.0.2.99"],
    "60-ingress.yaml": ["api.shop.example.org - A 192.0.2.99", "shop.example.org - A 192.0.2.99"],
  });
});

test("provider and Secret by hand belong together", () => {
  const secret = read("by-hand/10-secret.yaml");
  const spec = readProviderSpec(read("by-hand/20-provider.yaml"));
  expect(spec).toMatchObject({
    ok: true,
    value: { type: "rfc2136", secretName: secret.metadata.name },
  });
  expect(Object.keys(fieldsOf(secret["stringData"])).sort()).toEqual([
    "Server",
    "TSIGKeyName",
    "TSIGSecret",
    "TSIGSecretAlgorithm",
    "Zone",
  ]);
});
