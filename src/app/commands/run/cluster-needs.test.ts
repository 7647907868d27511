import { expect, test } from "vitest";
import { resolveOptions } from "../../../config/resolve-options.ts";
import { type RunConfig, toRunConfig } from "../../../config/run-config.ts";
import { SOURCES } from "../../../sources/index.ts";
import { NOTHING, type SourceRow } from "../../../sources/source.ts";
import { OWN_ROWS, PLUG_INS, plugInsOf } from "../../plugins/rows.ts";
import { type Need, needsOf } from "./cluster-needs.ts";

function config(flags: Readonly<Record<string, string>> = {}, plugIns = PLUG_INS): RunConfig {
  const given = { flags: { owner: "me", ...flags }, environment: {}, file: null };
  const resolved = resolveOptions({ command: "run", ...given, plugIns });
  const read = resolved.ok ? toRunConfig(resolved.value) : resolved;
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

/** `cluster resource verbs namespace`, in words. */
function texts(needs: readonly Need[]): readonly string[] {
  return needs.map(({ cluster, kind, subresource, verbs, namespace }) =>
    [cluster, `${kind.plural}${subresource === null ? "" : `/${subresource}`}`, ...verbs, namespace]
      .filter((one) => one !== null)
      .join(" "),
  );
}

test("a dry run asks for reading only, also of the Lease and what the leader has stored", () => {
  expect(
    texts(needsOf("run", config({ "dry-run": "true" }), { leaseNamespace: "default" })),
  ).toEqual([
    "source namespaces get",
    "source services get list watch",
    "source dnsannotations get list watch",
    "source ingresses get list watch",
    "source dnsentries get list watch",
    "source dnsproviders get list watch",
    "source dnsowners get list watch",
    "source secrets get list watch",
    "lease leases get default",
    "lease configmaps get default",
  ]);
});

test("the kinds of a plug-in's source are among the rights that check asks about", () => {
  const kind = { group: "acme.example.org", version: "v1", namespaced: true };
  const source: SourceRow = {
    ...{ name: "website-dns", secondary: [], isDefault: true, inDev: true, publishes: "direct" },
    ...{ writesStatus: true, doc: "the host of each Website" },
    primary: { ...kind, kind: "Website", plural: "websites" },
    open: () => ({ endpoints: () => NOTHING }),
  };
  const rows = { ...OWN_ROWS, sources: [...SOURCES, source] };
  const needs = needsOf("run", config({}, plugInsOf(rows)), { leaseNamespace: "default", ...rows });
  expect(texts(needs).filter((text) => text.includes("websites"))).toEqual([
    "source websites get list watch",
    "source websites/status patch",
  ]);
});

test("what is not chosen is not asked for, and one namespace is enough where one is chosen", () => {
  const chosen = { controllers: "service-dns", namespace: "team", "kubeconfig.id": "c1" };
  expect(
    texts(needsOf("run", config({ ...chosen, data: "/d" }), { leaseNamespace: "zk" })),
  ).toEqual([
    "source services get list watch team",
    "source dnsannotations get list watch team",
    "source events create patch team",
    "source dnsannotations/status patch team",
    "source dnsentries get list watch create patch delete team",
    "lease leases create zk",
    "lease leases get update zk",
  ]);
});

test("clusters of their own are named, and a kind that is read in two is asked for in both", () => {
  const apart = { target: "/t", providers: "/p", controllers: "compound,crd" };
  const found = texts(needsOf("run", config(apart), { leaseNamespace: "default" }));
  expect(found).toEqual(
    expect.arrayContaining([
      "source dnsendpoints get list watch",
      "target dnsendpoints get list watch",
      "target dnsentries get list watch patch",
      "provider secrets get list watch patch",
    ]),
  );
});

test("restore needs to create what people write, where it is read; a dry run restores nothing", () => {
  const apart = { target: "/t", controllers: "compound,crd", namespace: "team" };
  expect(texts(needsOf("restore", config(apart)))).toEqual([
    "source dnsendpoints create team",
    "target dnsendpoints create team",
    "target dnsentries create team",
  ]);
  expect(texts(needsOf("restore", config({ controllers: "service-dns" })))).toEqual([]);
  expect(needsOf("restore", config({ ...apart, "dry-run": "true" }))).toEqual([]);
});
