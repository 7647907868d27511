/** A source whose objects have a status of their own is a row (ADR 0098). */
import { NODE, POD } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { HOST, HOST_SOURCES, NODE_NAME } from "../../test/support/sources/host-sources.ts";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { conditionIn } from "../controllers/objects/conditions.ts";
import { SOURCES } from "../sources/index.ts";
import type { SourceRow } from "../sources/source.ts";

const ROW: SourceRow = { ...HOST_SOURCES["a zone source"], writesStatus: true };

test("its objects say what became of them, and follow what they are read from", async () => {
  const world = programWorld({ sources: [...SOURCES, ROW], controllers: ["compound", ROW.name] });
  const running = world.start();
  await world.clock.advance(1000);
  const pod = (name: string, host: string): void => {
    const annotations = { [HOST]: host, [NODE_NAME]: "n1" };
    world.cluster.apply(POD, objectOf("v1", "Pod", name, { metadata: { annotations } }));
  };
  const node = (ip: string): void => {
    const metadata = { name: "n1", labels: { ip } };
    world.cluster.apply(NODE, { apiVersion: "v1", kind: "Node", metadata });
  };
  const ready = (name: string): string => {
    const status = fieldsOf(world.cluster.now(POD, "default", name)?.["status"]);
    const { status: is, reason, message } = conditionIn(status, "Ready") ?? {};
    return `${is} ${reason}: ${message}`;
  };
  node("192.0.2.1");
  pod("web", "www.example.org");
  pod("far", "www.example.net");
  await world.clock.advance(10_000);
  expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
  expect(ready("web")).toBe("True Published: 1 name published");
  expect(ready("far")).toMatch(/^False NoProvider: www\.example\.net: no DNSProvider/);
  node("192.0.2.2");
  await world.clock.advance(10_000);
  expect(world.values("www.example.org")).toEqual(["192.0.2.2"]);
  expect(ready("web")).toBe("True Published: 1 name published");
  world.cluster.delete(POD, "default", "web");
  await world.clock.advance(10_000);
  expect(world.values("www.example.org")).toEqual([]);
  await running.stop();
});
