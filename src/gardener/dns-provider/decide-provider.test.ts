import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { decideProvider, type ProviderContext } from "./decide-provider.ts";

const NAME = trustedDnsName("example.org");
const OTHER = trustedDnsName("example.net");
const provider = {
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSProvider",
  metadata: { name: "p", namespace: "default", uid: "1", resourceVersion: "1" },
};
const spec = (include: readonly (typeof NAME)[] = []) => ({
  type: "rfc2136",
  secretName: "p",
  config: undefined,
  domains: { include, exclude: [] },
  zones: { include: [], exclude: [] },
  defaultTtlSeconds: null,
  limits: { entriesMax: null, rateLimit: null },
  unused: [],
});
const included = (more: Partial<ProviderContext>) =>
  decideProvider({
    object: provider,
    spec: spec(),
    account: { error: "wrong key", code: "SecretMissing" },
    defaultTtlSeconds: 300,
    namedZones: [],
    secretTrouble: null,
    cutOf: () => null,
    others: [],
    ...more,
  }).facts.included;

test.each([
  ["what the spec includes", { spec: spec([OTHER]), namedZones: [NAME] }, [OTHER]],
  ["else the zones of its settings", { namedZones: [NAME] }, [NAME]],
  ["else nobody knows", {}, []],
])("a provider that cannot be used may serve %s", (_, more, names) => {
  expect(included(more)).toEqual(names);
});

test("a provider that worked may serve what it served", () => {
  const object = { ...provider, status: { domains: { included: ["example.org", "no name!"] } } };
  expect(included({ object })).toEqual([NAME]);
  expect(included({ object, namedZones: [OTHER] })).toEqual([OTHER]);
});
