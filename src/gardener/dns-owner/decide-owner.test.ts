/** Tests what DNSOwners come to (ADR 0050). */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { decideOwner, type OwnerFacts } from "./decide-owner.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const dnsActivation = { dnsName: "active.example.net" };

interface Given {
  readonly spec: object;
  readonly status?: object;
  readonly texts?: readonly string[] | null;
}

function owner(name: string, { spec, status = {} }: Given, year = 2020): KubeObject {
  const metadata = { name, creationTimestamp: `${year}-01-01T00:00:00Z` };
  return { apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSOwner", metadata, spec, status };
}

function factsOf(
  all: readonly KubeObject[],
  texts: readonly string[] | null = [],
  trouble: string | null = null,
): OwnerFacts {
  return {
    mainOwner: "me",
    clusterId: "c1",
    nowMs: NOW,
    textsAt: () => texts,
    troubleAt: () => trouble,
    shownId: () => null,
    all,
  };
}

function decide(given: Given) {
  const one = owner("shop", given);
  return decideOwner(one, factsOf([one], given.texts));
}

test("a resolver that fails is told in the status, and what the record said last counts", () => {
  const one = owner("shop", { spec: { ownerId: "shop", dnsActivation } });
  const text =
    "the TXT record active.example.net of spec.dnsActivation cannot be looked up: SERVFAIL";
  const on = decideOwner(one, factsOf([one], ["c1"], "SERVFAIL"));
  expect(on).toEqual({ ...ON, message: `${text}; what it said last counts` });
  const off = decideOwner(one, factsOf([one], ["c2"], "SERVFAIL"));
  expect(off).toMatchObject({ isActive: false, message: expect.stringContaining(`; ${text}`) });
  const unknown = decideOwner(one, factsOf([one], null, "SERVFAIL"));
  expect(unknown).toMatchObject({
    isActive: null,
    message: expect.stringMatching(/^off: .*SERVF/),
  });
});

test("the name of spec.dnsActivation is taken in its own letters", () => {
  const one = owner("shop", { spec: { ownerId: "shop", dnsActivation: { dnsName: "ü.example" } } });
  const asked: string[] = [];
  const textsAt = (name: string) => {
    asked.push(name);
    return ["c1"];
  };
  const facts = { ...factsOf([one]), textsAt };
  expect(decideOwner(one, facts)).toEqual(ON);
  expect(new Set(asked)).toEqual(new Set(["xn--tda.example"]));
});

const ON = { ownerId: "shop", isActive: true, message: "", changesInMs: null };
const OFF = { ownerId: "shop", isActive: false };
const UNREAD = expect.stringContaining("was not read yet");

test.each<[string, Given, object]>([
  ["nothing but an id is on", { spec: { ownerId: "shop" } }, ON],
  ["spaces around it do not count", { spec: { ownerId: " shop " } }, ON],
  ["active: false is off", { spec: { ownerId: "shop", active: false } }, OFF],
  [
    "the id of --owner is on whatever it says",
    { spec: { ownerId: "me", active: false } },
    { ownerId: null, isActive: true },
  ],
  [
    "validUntil in a second is on until then",
    { spec: { ownerId: "shop", validUntil: "2030-01-01T00:00:01Z" } },
    { ...ON, changesInMs: 1_000 },
  ],
  ["validUntil now is off", { spec: { ownerId: "shop", validUntil: "2030-01-01T00:00:00Z" } }, OFF],
  [
    "a validUntil that is no time is no id",
    { spec: { ownerId: "shop", validUntil: "soon" } },
    { ownerId: null, isActive: false, message: expect.stringContaining("spec.validUntil") },
  ],
  [
    "an id with a space is none",
    { spec: { ownerId: "a b" } },
    { ownerId: null, isActive: false, message: expect.stringContaining("spec.ownerId") },
  ],
  [
    "a name that is none is no activation",
    { spec: { ownerId: "shop", dnsActivation: { dnsName: "a..b" } } },
    { ownerId: null, isActive: false, message: expect.stringContaining("dnsActivation.dnsName") },
  ],
  [
    "the text is the id of the cluster by default",
    { spec: { ownerId: "shop", dnsActivation }, texts: ["c1"] },
    ON,
  ],
  [
    "the text that is asked for is on",
    { spec: { ownerId: "shop", dnsActivation: { ...dnsActivation, value: "x" } }, texts: ["x"] },
    ON,
  ],
  [
    "the id of the cluster is off where another text is asked for",
    { spec: { ownerId: "shop", dnsActivation: { ...dnsActivation, value: "x" } }, texts: ["c1"] },
    OFF,
  ],
  ["another text is off", { spec: { ownerId: "shop", dnsActivation }, texts: ["c2"] }, OFF],
  ["two texts are off", { spec: { ownerId: "shop", dnsActivation }, texts: ["c1", "c2"] }, OFF],
  ["no record is off", { spec: { ownerId: "shop", dnsActivation }, texts: [] }, OFF],
  [
    "without an answer it is on if it was",
    { spec: { ownerId: "shop", dnsActivation }, texts: null, status: { active: true } },
    ON,
  ],
  [
    "without an answer it is off if it was",
    { spec: { ownerId: "shop", dnsActivation }, texts: null, status: { active: false } },
    { ...OFF, message: UNREAD },
  ],
  [
    "without any answer it is not known",
    { spec: { ownerId: "shop", dnsActivation }, texts: null },
    { ownerId: "shop", isActive: null, message: UNREAD },
  ],
  [
    "active: false needs no answer",
    {
      spec: { ownerId: "shop", active: false, dnsActivation },
      texts: null,
      status: { active: true },
    },
    OFF,
  ],
])("%s", (_, given, verdict) => {
  expect(decide(given)).toMatchObject(verdict);
});

test("of two DNSOwners of one id the older one decides, and the name where both are as old", () => {
  const older = owner("z", { spec: { ownerId: "shop", active: false } }, 2019);
  const younger = owner("a", { spec: { ownerId: "shop" } }, 2021);
  const facts = factsOf([younger, older]);
  expect(decideOwner(older, facts)).toMatchObject(OFF);
  expect(decideOwner(younger, facts)).toMatchObject({
    ownerId: null,
    message: expect.stringContaining("the DNSOwner z has the owner id"),
  });
  const twin = owner("b", { spec: { ownerId: "shop" } }, 2021);
  expect(decideOwner(younger, factsOf([twin, younger]))).toMatchObject(ON);
});

test("one that cannot be read does not bar a younger one of its id", () => {
  const broken = owner("a", { spec: { ownerId: "shop", validUntil: "soon" } }, 2019);
  const younger = owner("b", { spec: { ownerId: "shop" } }, 2021);
  const facts = factsOf([broken, younger]);
  expect(decideOwner(younger, facts)).toMatchObject(ON);
  expect(decideOwner(broken, facts)).toMatchObject({
    ownerId: null,
    message: expect.stringContaining("spec.validUntil"),
  });
});
