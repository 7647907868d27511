/**
 * Conformance of marker and data together (Z-9, Z-10): a name goes through create, update, change
 * of type and removal under the TXT registry, in one call where the back end is atomic and in a
 * sequence where it is not. What the registry wrote it must recognise when it reads, pending
 * markers and the hash of their data included.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { DesiredRecordSet } from "../../src/model/record-set.ts";
import { openTxtOwnership } from "../../src/ownership/txt/ownership.ts";
import type { ChangeGroup } from "../../src/plan/changes.ts";
import { planName } from "../../src/plan/plan.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { rulesWith } from "../support/values/plan-rules.ts";
import type { Subject } from "./provider.ts";
import {
  applyStatus,
  normalizedBy,
  type ProviderHarness,
  recordSet,
  soon,
  zoneOf,
} from "./provider-harness.ts";

/** More than any sequence of one name has. */
const CALLS_MAX = 12;

/** Declares the cases. */
export function sequenceCases({ harness, at, expects }: Subject): void {
  const calls = expects.atomicity === "zone" ? 1 : 3;

  test.each([
    ["A", "192.0.2.1", "192.0.2.2"],
    ["AAAA", "2001:DB8:0:0::1", "2001:db8::2"],
    ["CNAME", "LB.example.com", "other.example.com"],
    ["TXT", '"v=spf1 -all  "', '"two" "strings"'],
  ])("%s: written, changed and removed with its marker", async (type, first, second) => {
    const name = at(`sequence-${type.toLowerCase()}`);
    expect(await reconcile(harness(), name, { type, values: [first] })).toBe(calls);
    expect(await reconcile(harness(), name, { type, values: [second] })).toBe(calls);
    expect(await poll(harness(), name, type)).toEqual(
      await normalized(harness(), name, type, second),
    );
    expect(await reconcile(harness(), name, { type, values: [second] })).toBe(0);
    expect(await reconcile(harness(), name, null)).toBe(calls);
    expect(await poll(harness(), name, type)).toBeNull();
    expect(await isEmpty(harness(), name)).toBe(true);
  });

  test("a change of type leaves neither old data nor its marker", async () => {
    const name = at("sequence-retype");
    await reconcile(harness(), name, { type: "A", values: ["192.0.2.1"] });
    await reconcile(harness(), name, { type: "CNAME", values: ["lb.example.com"] });
    expect(await poll(harness(), name, "A")).toBeNull();
    expect(await poll(harness(), name, "CNAME")).toEqual(["lb.example.com"]);
    await reconcile(harness(), name, null);
    expect(await isEmpty(harness(), name)).toBe(true);
  });

  test.each([0, 1, 2])("whoever comes after call %i, its answer lost, goes on", async (lost) => {
    const name = at(`sequence-lost-${lost}`);
    const want = { type: "A", values: ["192.0.2.1"] };
    await reconcile(harness(), name, want, lost);
    await reconcile(harness(), name, want);
    expect(await poll(harness(), name, "A")).toEqual(want.values);
    await reconcile(harness(), name, null);
    expect(await isEmpty(harness(), name)).toBe(true);
  });
}

interface Want {
  readonly type: string;
  readonly values: readonly string[];
}

/**
 * Reads, plans and writes one name until nothing is left to do, or an answer is lost. Answers how
 * many calls it took.
 */
async function reconcile(
  harness: ProviderHarness,
  text: string,
  want: Want | null,
  lostCall = -1,
): Promise<number> {
  const name = trustedDnsName(text);
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    const group = await nextGroup(harness, name, want);
    if (group === null) return calls;
    if (calls === lostCall) harness.loseNextAnswer();
    const status = await applyStatus(harness.open(), group);
    await harness.settle();
    if (calls === lostCall) return calls + 1;
    if (status !== "applied") throw new Error(`${name}: ${status}`);
  }
  throw new Error(`${name}: no end after ${CALLS_MAX} calls`);
}

async function nextGroup(
  harness: ProviderHarness,
  name: DnsName,
  want: Want | null,
): Promise<ChangeGroup | null> {
  const session = harness.open();
  const ownership = registryOf(harness, session);
  const { sets } = await session.records(await zoneOf(session), null, soon());
  const current = (await ownership.read(sets)).filter((one) => one.name === name);
  const desired = want === null ? [] : [await desiredSet(session, name, want)];
  const plan = planName(name, desired, current, rulesWith());
  if (plan.changes.length === 0) return null;
  const content = { at: (position: string) => sets.filter((set) => set.name === position) };
  const prepared = await ownership.prepare(plan, content);
  if (!prepared.ok) throw new Error(`${name} is held: ${JSON.stringify(prepared.holds)}`);
  return prepared.group;
}

function registryOf(harness: ProviderHarness, { capabilities }: ProviderSession) {
  return openTxtOwnership({
    apex: harness.zone,
    isOwnedByUs: (owner) => owner === "me",
    atomic: capabilities.atomicity === "zone",
    byValue: capabilities.atomicity === "value",
    starInNames: capabilities.starInNames ?? false,
    markerTtlSeconds: 900,
  });
}

async function desiredSet(
  session: ProviderSession,
  name: DnsName,
  { type, values }: Want,
): Promise<DesiredRecordSet> {
  return {
    ...(await normalizedBy(session, recordSet(name, type, ...values))),
    provenance: { cluster: "c1", kind: "service", namespace: "default", name: "web" },
    owner: null,
    createdAtMs: 0,
  };
}

async function poll(harness: ProviderHarness, name: string, type: string) {
  return (await harness.poll(trustedDnsName(name), type))?.values ?? null;
}

async function normalized(harness: ProviderHarness, name: string, type: string, value: string) {
  return (await normalizedBy(harness.open(), recordSet(name, type, value))).values;
}

/** True when neither data nor any marker is left. */
async function isEmpty(harness: ProviderHarness, text: string): Promise<boolean> {
  const session = harness.open();
  const related = registryOf(harness, session).related(trustedDnsName(text));
  const { sets } = await session.records(await zoneOf(session), null, soon());
  return !sets.some((set) => related.includes(set.name));
}
