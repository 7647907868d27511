import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { ProviderDirectory } from "./provider-directory.ts";
import type { ProviderFacts } from "./provider-facts.ts";

function factsOf(state: ProviderFacts["state"], apexes: readonly string[] = []): ProviderFacts {
  const zones = apexes.map((apex) => ({
    ...{ id: apex, name: trustedDnsName(apex) },
    ...{ providerType: "memory", endpoint: "here", view: "" },
  }));
  return {
    ...{ id: `ta/${apexes[0] ?? "dns"}`, namespace: "ta", type: "memory", state, message: "" },
    ...{ deleting: false, account: state === "pending" ? null : "a", zones, known: zones },
    ...{ explicit: [], unproven: [], replaced: [], included: [], excluded: [] },
    ...{ defaultTtlSeconds: null, entriesMax: null, rateLimit: null, realms: [""], ownerId: null },
    tenancy: { sharedNames: false, delegations: [] },
  };
}

function listened() {
  const directory = new ProviderDirectory({ anyNamespace: false, cutOf: () => null });
  const called: string[] = [];
  directory.onChange((namespace) => void called.push(namespace));
  return { directory, called };
}

test("a first listing that begins decides nothing; how it ends matters", () => {
  const { directory, called } = listened();
  directory.set(factsOf("pending"));
  directory.set({ ...factsOf("pending"), account: "a" });
  expect(called).toEqual([]);
  directory.set(factsOf("ready"));
  expect(called).toEqual(["ta"]);
});

test("a provider that comes later is one that a name may wait for", () => {
  const { directory, called } = listened();
  directory.setListed(true);
  directory.set(factsOf("pending"));
  directory.set({ ...factsOf("pending"), account: "a" });
  expect(called).toEqual(["", "ta"]);
});

test("a provider that served and lists anew matters", () => {
  const { directory, called } = listened();
  directory.set(factsOf("ready"));
  directory.set(factsOf("pending"));
  directory.set(factsOf("invalid"));
  expect(called).toEqual(["ta", "ta", "ta"]);
});

test("flags of external-dns are named where the provider is theirs", () => {
  const { directory } = listened();
  directory.setListed(true);
  const select = () => {
    const applicant = { namespaces: ["external-dns.flags"], realms: [""] };
    const name = trustedDnsName("www.example.com");
    return directory.select({ name, applicant, present: null, presentZone: null });
  };
  expect(select()).toEqual({ kind: "none" });
  directory.set({ ...factsOf("ready", ["example.org"]), namespace: "external-dns.flags" });
  expect(select()).toEqual({ kind: "none", isByFlags: true });
});

test("delegations matter where one zone is below another, of whichever providers", () => {
  const { directory, called } = listened();
  directory.set(factsOf("ready", ["example.org", "example.com"]));
  directory.cutsChanged();
  expect(called).toEqual(["ta"]);
  directory.set(factsOf("ready", ["a.b.example.org"]));
  directory.cutsChanged();
  expect(called).toEqual(["ta", "ta", ""]);
});
