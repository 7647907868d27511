import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { NOTHING, type SecondaryRead, type Source } from "../../sources/source.ts";
import { LastFound } from "./last-found.ts";

const object = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
});

/** How often an object was read, and what it rests on. */
function counted(reads?: readonly SecondaryRead[]) {
  const read: string[] = [];
  const endpoints = ({ metadata }: KubeObject) => {
    read.push(metadata.name);
    return { ...NOTHING, ...(reads === undefined ? {} : { reads }) };
  };
  return { read, source: { endpoints } as unknown as Source };
}

test("an object is read once for all that ask for it, and again when it is another one", () => {
  const { read, source } = counted();
  const last = new LastFound();
  const cluster = new MemoryCluster("c");
  const [web, next] = [object("web"), object("next")];
  for (const one of [web, web, next, web, object("web")]) last.of(source, one, cluster);
  expect(read).toEqual(["web", "next", "web", "web"]);
});

test.each<readonly [string, SecondaryRead]>([
  ["by name", { kind: SERVICE, namespace: "default", name: "other" }],
  ["by namespace", { kind: SERVICE, inNamespace: "default" }],
])("what it rests on is looked at each time: %s", (_, one) => {
  const { read, source } = counted([one]);
  const last = new LastFound();
  const cluster = new MemoryCluster("c");
  const web = object("web");
  const ask = (): number => {
    last.of(source, web, cluster);
    last.of(source, web, cluster);
    return read.length;
  };
  expect(ask()).toBe(1);
  cluster.apply(SERVICE, object("other"));
  expect(ask()).toBe(2);
  cluster.breakWatch(SERVICE);
  expect(ask()).toBe(3);
  cluster.setKindState(SERVICE, "forbidden");
  expect(ask()).toBe(4);
});
