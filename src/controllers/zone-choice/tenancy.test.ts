import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { readTenancy } from "../../gardener/dns-provider/decide-provider.ts";
import { ProviderDirectory } from "./provider-directory.ts";

const APEX = trustedDnsName("example.org");
const ZONE = { id: "z1", name: APEX, providerType: "memory", endpoint: "here", view: "" };
const KEY = { account: "a", zone: "z1" };
const SHARED = "zonekeeper.dev/shared-names";
const ALLOWED = "zonekeeper.dev/allow-delegation";

function tenancyOf(annotations: Readonly<Record<string, string>>) {
  const metadata = { name: "dns", namespace: "ta", annotations };
  return readTenancy({ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSProvider", metadata });
}

/**
 * The answers of a directory with one DNSProvider for each of these says; `account` of each is `a`.
 */
function tenancyWith(
  ...providers: readonly (readonly [string, Readonly<Record<string, string>>])[]
) {
  const directory = new ProviderDirectory({ anyNamespace: false, cutOf: () => null });
  for (const [namespace, annotations] of providers)
    directory.set({
      ...{ id: `${namespace}/dns`, namespace, type: "memory", state: "ready", message: "" },
      ...{ deleting: false, account: "a", zones: [ZONE], explicit: [], unproven: [], replaced: [] },
      ...{ known: [ZONE], included: [APEX], excluded: [], defaultTtlSeconds: null },
      ...{ entriesMax: null, rateLimit: null },
      tenancy: tenancyOf(annotations),
      realms: [""],
      ownerId: null,
    });
  return directory.tenancyOf([KEY]);
}

describe("what the DNSProviders of a zone say about its tenants (Z-28)", () => {
  test.each<[string, boolean]>([
    ["true", true],
    [" True ", true],
    ["false", false],
    ["", false],
    ["yes", false],
  ])("shared-names %j is %s: what cannot be read shares nothing", (text, expected) => {
    expect(tenancyOf({ [SHARED]: text }).sharedNames).toBe(expected);
  });

  test("allowed delegations are names, and what is none allows nothing", () => {
    const text = "sub.example.org, Other.Example.ORG. ,, not a name, Bücher.example";
    expect(tenancyOf({ [ALLOWED]: text }).delegations).toEqual([
      "sub.example.org",
      "other.example.org",
      "xn--bcher-kva.example",
    ]);
    expect(tenancyOf({}).delegations).toEqual([]);
  });

  test("nothing, where there is none", () => {
    expect(tenancyWith()).toEqual({ sharedNames: false, delegations: [], namespaces: [] });
  });

  test("of several each has to allow more", () => {
    const yes = { [SHARED]: "true", [ALLOWED]: "b.example.org,a.example.org" };
    expect(tenancyWith(["ta", yes])).toEqual({
      sharedNames: true,
      delegations: ["b.example.org", "a.example.org"],
      namespaces: ["ta"],
    });
    expect(tenancyWith(["tb", yes], ["ta", {}])).toEqual({
      sharedNames: false,
      delegations: [],
      namespaces: ["ta", "tb"],
    });
    const other = { [SHARED]: "no", [ALLOWED]: "a.example.org" };
    expect(tenancyWith(["tb", yes], ["ta", other])).toEqual({
      sharedNames: false,
      delegations: ["a.example.org"],
      namespaces: ["ta", "tb"],
    });
  });
});
