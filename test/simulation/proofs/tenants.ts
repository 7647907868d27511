/**
 * Two namespaces at one name (Z-28), and a zone cut over names (Z-26): every pair of types, with
 * what exists, what is proven and who is first. What one has or wants, the other takes nothing of.
 */
import { type DnsName, parentOf } from "@zonekeeper/dns/names/dns-name";
import { type DesiredRecordSet, hasSameData, isSameKey } from "../../../src/model/record-set.ts";
import { NO_TRANSFER } from "../../../src/model/transfer-request.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import type { NamePlan } from "../../../src/plan/changes.ts";
import { planName } from "../../../src/plan/plan.ts";
import { DesiredState } from "../../../src/sync/cache/desired-index.ts";
import { ZoneState } from "../../../src/sync/cache/zone-state.ts";
import { blockerOfCut } from "../../../src/sync/zone/cut-blocker.ts";
import { tenancyAt } from "../../../src/sync/zone/name-planner.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { rulesWith, UNPROVEN } from "../../support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../support/values/zone-text.ts";
import { Violation } from "../checks/checks.ts";
import { AROUND, glueOfOthers, namesAround } from "./tenants-around.ts";
import { arrivals } from "./tenants-arriving.ts";

const VALUES = [
  ["A", "192.0.2.1"],
  ["A", "192.0.2.2"],
  ["AAAA", "2001:db8::1"],
  ["TXT", '"x"'],
  ["MX", "10 mx.example.com."],
  ["CNAME", "lb.example.com"],
] as const;
const TYPES = new Set(VALUES.map(([type]) => type));

/** Throws Violation at the first plan that is wrong; else the number of cases. */
export async function playSeed(): Promise<number> {
  const around = (await namesAround()) + (await glueOfOthers()) + (await arrivals());
  return sharedNames() + (await zoneCuts()) + around;
}

interface Case {
  readonly name: string;
  readonly first: string;
  readonly second: string;
  /** Whose records exist. */
  readonly existing: readonly ("ta" | "tb")[];
  /** The first object competes; else it is not known now. */
  readonly isFirstHere: boolean;
}

function sharedNames(): number {
  let cases = 0;
  for (const name of ["www", "@"])
    for (const [one, value] of VALUES)
      for (const [other, otherValue] of VALUES)
        for (const existing of [[], ["ta"], ["ta", "tb"]] as const)
          for (const isFirstHere of [true, false]) {
            const first = `${name} 300 ${one} ${value}`;
            const second = `${name} 300 ${other} ${otherValue}`;
            // Both cannot have existed.
            const isOne = one === other || one === "CNAME" || other === "CNAME";
            if (existing.length === 2 && isOne) continue;
            judgePlan({ name, first, second, existing, isFirstHere });
            cases += 1;
          }
  return cases;
}

function judgePlan({ name, first, second, existing, isFirstHere }: Case): void {
  const lines = { ta: first, tb: second };
  const zone = existing.map((who) => `${lines[who]} ; owner=me resource=dnsentry/${who}/x`);
  const [a] = parseDesired(`${first} ; from=dnsentry/ta/x created=1`);
  const [plain] = parseDesired(`${second} ; from=dnsentry/tb/x created=2`);
  if (a === undefined || plain === undefined) throw new Error("two record sets are needed");
  // Its own permit gives it nothing.
  const permit = { owner: null, resource: "dnsentry/ta/x" };
  const b = { ...plain, transfer: { ...NO_TRANSFER, permit } };
  const desired = isFirstHere ? [a, b] : [b];
  const tenancy = tenancyAt(nameOf(name), ORIGIN, AROUND.tenancy);
  const rules = rulesWith({ managedTypes: TYPES, tenancy, ...UNPROVEN });
  const plan = planName(nameOf(name), desired, parseOwned(zone.join("\n")), rules);
  const say = (what: string) =>
    new Violation(`Z-28: ${first} of ta, ${second} of tb, ${existing.join()} exist: ${what}`);
  const created = createdBy(plan);
  const isSame = isSameKey(a, b) && hasSameData(a, b);
  const isFirst = isFirstHere || existing.length > 0;
  if (isFirst && created.some(({ provenance }) => provenance.namespace === "tb"))
    throw say("the second is created beside the first");
  const held = plan.holds.filter(({ provenance }) => provenance?.namespace === "tb");
  if (isSame && isFirstHere && held.some(({ code }) => !code.startsWith("Shared")))
    throw say(`equal data is held: ${held[0]?.code}`);
  if (existing.length === 2 && held.length > 0) throw say("what existed before is held");
}

function createdBy({ changes }: NamePlan): readonly DesiredRecordSet[] {
  return changes.flatMap(({ change, desired }) =>
    change?.op === "create" && desired !== null ? [desired] : [],
  );
}

/** Who may have a name: a stranger, the other namespace in three ways, or the tenant itself. */
const HOLDERS = ["stranger", "wants", "waits", "exists", "own"] as const;
/** At the cut, below it, and the wildcards over it; the last one does not answer there. */
const HELD = ["a.cut", "b.a.cut", "*.a.cut", "*", "*.cut", "cut.beside"] as const;

async function zoneCuts(): Promise<number> {
  let cases = 0;
  for (const holder of HOLDERS)
    for (const held of HELD)
      for (const type of ["NS", "DS", "DNAME"]) {
        await judgeCut(nameOf("a.cut"), nameOf(held), { holder, type });
        cases += 1;
      }
  return cases;
}

async function judgeCut(
  cut: DnsName,
  held: DnsName,
  { holder, type }: { readonly holder: (typeof HOLDERS)[number]; readonly type: string },
): Promise<void> {
  const short = held === ORIGIN ? "@" : held.slice(0, -ORIGIN.length - 1);
  const tenant = holder === "own" ? "tb" : "ta";
  const line = `${short} 300 A 192.0.2.1`;
  const marker = `a-${short} 300 TXT "heritage=external-dns,external-dns/owner=me,external-dns/resource=dnsentry/${tenant}/x"`;
  const isThere = holder !== "wants" && holder !== "waits";
  const text = isThere ? `${line}${holder === "stranger" ? "" : `\n${marker}`}` : "";
  const { index, state, ownership } = await zoneOf(text);
  const object = { cluster: "c1", kind: "dnsentry", namespace: "ta", name: "x" };
  const base = { object, generation: 1, deleting: false };
  const found = { items: [], waiting: [], problems: [], complete: true };
  if (holder === "wants") {
    const items = parseDesired(`${line} ; from=dnsentry/ta/x`);
    index.put({ ...base, found: { ...found, items } });
  }
  if (holder === "waits")
    index.put({ ...base, found: { ...found, waiting: [{ name: held, reason: "NoTargets" }] } });
  const [desired] = parseDesired(`a.cut 300 ${type} ns.example.com ; from=dnsendpoint/tb/cut`);
  if (desired === undefined) throw new Error("a cut is needed");
  index.put({ ...base, object: desired.provenance, found: { ...found, items: [desired] } });
  const blocker = blockerOfCut(desired, { ...AROUND, index, state, ownership });
  const isTaken = held.endsWith(cut) || parentOf(held) === ORIGIN || held === nameOf("*.cut");
  const expected = holder !== "own" && isTaken && held !== nameOf("cut.beside");
  if ((blocker !== null) !== expected)
    throw new Violation(
      `Z-26: ${type} over ${held}, which ${holder}: ${blocker?.message ?? "written"}`,
    );
}

async function zoneOf(text: string) {
  const { index, texts } = new DesiredState();
  const owners = new Set(["me"]);
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owners.has(owner) });
  const clock = new VirtualClock();
  const state = new ZoneState({ apex: ORIGIN, ownership, owners, texts, clock });
  await state.load(parseZone(text), new Set());
  return { index, state, ownership };
}
