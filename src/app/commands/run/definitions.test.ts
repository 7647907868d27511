import { definitionOf as contentOf } from "@zonekeeper/kube/control-plane/crd/definition";
import { contentHash } from "@zonekeeper/kube/control-plane/json/content-hash";
import { listAt, textAt, valueAt } from "@zonekeeper/kube/control-plane/json/json";
import { describe, expect, test } from "vitest";
import { TestApi } from "../../../../test/support/clients/control-plane-api.ts";
import { DEFINITION_VERSION, definitionOf, OUR_VERSION, OWN_DEFINITIONS } from "./definitions.ts";

const GARDENER = ["dnsproviders", "dnsentries", "dnsowners", "dnsannotations"] as const;
const ofGardener = (plural: (typeof GARDENER)[number]) =>
  definitionOf(`${plural}.dns.gardener.cloud`);
const ALL = [
  ...GARDENER.map((plural) => [plural, ofGardener(plural)] as const),
  ["dnsendpoints", definitionOf("dnsendpoints.externaldns.k8s.io")] as const,
];

test("each definition has the name that it is asked for by", () => {
  for (const name of OWN_DEFINITIONS) expect(definitionOf(name).metadata.name).toBe(name);
  expect(OWN_DEFINITIONS).toHaveLength(ALL.length);
});

/**
 * The hash of each version's content. After a change: the next number, if the last one was
 * released.
 */
const CONTENTS: Readonly<Record<number, string>> = {
  1: "a24f8c0c25716a06",
};

test("a change of a definition is a new version of it", () => {
  const content = ALL.map(([, { spec }]) => spec);
  expect({ [OUR_VERSION]: contentHash(JSON.stringify(content)) }).toEqual({
    [OUR_VERSION]: CONTENTS[OUR_VERSION],
  });
  for (const [, { metadata }] of ALL)
    expect(metadata.annotations?.[DEFINITION_VERSION]).toBe(String(OUR_VERSION));
});

describe.each(GARDENER)("deploy/crds %s", (plural) => {
  const crd = ofGardener(plural);
  test("the kind is served under its names, by an ordinary definition", async () => {
    const api = await TestApi.open();
    const list = await api.get("/apis/dns.gardener.cloud/v1alpha1");
    const found = listAt(list.body, "resources").find((each) => textAt(each, "name") === plural);
    expect(valueAt(found, "shortNames")).toEqual(contentOf(crd).names.shortNames);
    const name = `${plural}.dns.gardener.cloud`;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    expect(await api.made(api.get(path))).toMatchObject({ metadata: { name }, spec: crd["spec"] });
  });
});

describe("columns", () => {
  const shown = (crd: ReturnType<typeof definitionOf>): readonly string[] =>
    (contentOf(crd).versions[0]?.columns ?? [])
      .filter((column) => (column.priority ?? 0) === 0)
      .map((column) => column.name);

  test("are those of the Gardener README", () => {
    expect(shown(ofGardener("dnsproviders"))).toEqual(["TYPE", "STATUS", "AGE"]);
    expect(shown(ofGardener("dnsentries"))).toEqual(["DNS", "TYPE", "PROVIDER", "STATUS", "AGE"]);
    expect(shown(ofGardener("dnsowners"))).toEqual(["OWNERID", "ACTIVE", "USAGES", "VALID", "AGE"]);
  });
});
