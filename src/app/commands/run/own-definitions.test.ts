import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { DEFINITION_VERSION, definitionOf, MAINTAINER, OUR_VERSION } from "./definitions.ts";
import { judgeDefinition, writtenDefinition } from "./own-definitions.ts";

const OWN = { maintainer: "zonekeeper", accepted: [], force: false };

function present(annotations: Readonly<Record<string, string>>): KubeObject {
  const metadata = { name: "dnsentries.dns.gardener.cloud", resourceVersion: "7", annotations };
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata };
}
const marked = (version: number | string) =>
  present({ [MAINTAINER]: "zonekeeper", [DEFINITION_VERSION]: String(version) });
const gardeners = present({ [MAINTAINER]: "dns-controller-manager" });

describe("what may be done with a definition", () => {
  test.each([
    ["one that is missing is installed", null, OWN, "create"],
    ["an older one of ours is brought up to date", marked(OUR_VERSION - 1), OWN, "update"],
    ["one of ours without a version, too", present({ [MAINTAINER]: "zonekeeper" }), OWN, "update"],
    ["one of ours with a version that is none, too", marked("x"), OWN, "update"],
    ["one of this version stays", marked(OUR_VERSION), OWN, "keep"],
    [
      "a later one stays, as an older program must not undo it",
      marked(OUR_VERSION + 1),
      OWN,
      "keep",
    ],
    ["Gardener's is left", gardeners, OWN, "leave"],
    ["one that says nothing is left", present({}), OWN, "leave"],
    ["an accepted one is replaced", gardeners, accepting("dns-controller-manager"), "update"],
    ["accepting another accepts no other", gardeners, accepting("somebody"), "leave"],
    ["one that says nothing is not accepted by a name", present({}), accepting("x"), "leave"],
    ["by force any is replaced", present({}), { ...OWN, force: true }, "update"],
    ["by force ours of this version stays", marked(OUR_VERSION), { ...OWN, force: true }, "keep"],
    [
      "under another --maintainer ours is another's",
      marked(0),
      { ...OWN, maintainer: "x" },
      "leave",
    ],
  ] as const)("%s", (_, object, rules, act) => {
    expect(judgeDefinition(object, rules).act).toBe(act);
  });
});

function accepting(...accepted: readonly string[]) {
  return { ...OWN, accepted };
}

test("what is written keeps what others have annotated, and compares the version that was read", () => {
  const before = present({ [MAINTAINER]: "dns-controller-manager", team: "a" });
  const name = "dnsentries.dns.gardener.cloud";
  const written = writtenDefinition(name, { ...OWN, maintainer: "platform" }, before);
  expect(written).toMatchObject({
    metadata: {
      resourceVersion: "7",
      annotations: { team: "a", [MAINTAINER]: "platform", [DEFINITION_VERSION]: "1" },
    },
    spec: definitionOf(name).spec,
  });
  expect(judgeDefinition(written, { ...OWN, maintainer: "platform" }).act).toBe("keep");
});
