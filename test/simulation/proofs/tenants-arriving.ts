/**
 * A record set of one namespace that another one wants, beside names of the first (Z-28): its
 * object goes, hands it over, or it has none and is adopted. Who comes to it gets no more than who
 * would create it, and what nobody may have any more goes.
 */
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import { NO_TRANSFER } from "../../../src/model/transfer-request.ts";
import type { NamePlan } from "../../../src/plan/changes.ts";
import { planName } from "../../../src/plan/plan.ts";
import { verdictKey } from "../../../src/plan/rules.ts";
import { AbsenceTracker } from "../../../src/sync/absence/absence-tracker.ts";
import { AddressWaits } from "../../../src/sync/absence/address-waits.ts";
import type { ZoneTenancy } from "../../../src/sync/contract/zone.ts";
import { planOf } from "../../../src/sync/zone/name-planner.ts";
import { OwnershipOrders } from "../../../src/sync/zone/ownership-orders.ts";
import { NO_FAULTS } from "../../support/memory-provider/faults.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../support/values/fake-observer.ts";
import { rulesWith, UNPROVEN } from "../../support/values/plan-rules.ts";
import { nameOf, ORIGIN, parseDesired, parseOwned } from "../../support/values/zone-text.ts";
import { Violation } from "../checks/checks.ts";
import { contributionOf, markerLine, PAIRS, zoneOf } from "./tenants-around.ts";

/** Whose record set is at the name that `tb` wants, and how it may pass. */
const ARRIVALS = [
  // Its object is gone; it wants the record, too; it permits the claim of `tb`.
  ...(["gone", "wanted", "permitted"] as const),
  // It is adopted: with equal data, as the object lists it, by the order of a person.
  ...(["equal", "listed", "ordered"] as const),
  // It is of the object itself, of another one of `tb` that is gone, of the object itself in a
  // cluster from which it moved here with its owner id.
  ...(["own", "heir", "moved"] as const),
] as const;
type Arrival = (typeof ARRIVALS)[number];

const OPENED = ["not", "shared", "allowed"] as const;
/** What is there, and what `tb` may want instead. */
const VALUES = {
  A: ["192.0.2.1", "192.0.2.2"],
  NS: ["ns.example.com", "ns.example.net"],
} as const;

interface Case {
  readonly neighbour: readonly [name: string, type: string, value: string];
  readonly name: string;
  readonly type: keyof typeof VALUES;
  readonly isEqual: boolean;
  readonly arrival: Arrival;
  readonly opened: (typeof OPENED)[number];
  /** The other name has nothing to do with this one. */
  readonly isFree: boolean;
  /** The name of the two that a DNSProvider may allow. */
  readonly special: string;
}

/** Throws Violation at the first plan that is wrong; else the number of cases. */
export async function arrivals(): Promise<number> {
  let cases = atOneName();
  for (const about of ABOUT)
    for (const one of variants(about)) {
      await judge(one);
      cases += 1;
    }
  return cases;
}

type About = Omit<Case, "isEqual" | "arrival" | "opened">;

const CUT = { name: "cut", type: "NS", special: "cut" } as const;
const ABOUT: readonly About[] = [
  ...PAIRS.flatMap(([first, second, relation]) =>
    [
      { held: first, name: second },
      { held: second, name: first },
    ].map(({ held, name }): About => {
      const neighbour = [held, "A", "192.0.2.9"] as const;
      return { neighbour, name, type: "A", isFree: relation === "none", special: second };
    }),
  ),
  {
    ...{ name: "ns.cut", type: "A", isFree: false, special: "ns.cut" },
    neighbour: ["cut", "NS", "ns.cut.example.org"],
  },
  { ...CUT, neighbour: ["x.cut", "A", "192.0.2.9"], isFree: false },
  { ...CUT, neighbour: ["x.other", "A", "192.0.2.9"], isFree: true },
];

/** What opens names is tried where they are closed. */
const JUDGED: ReadonlySet<Arrival> = new Set(["gone", "wanted", "equal", "listed"]);

function* variants(about: About): Generator<Case> {
  for (const arrival of ARRIVALS)
    for (const opened of about.isFree || !JUDGED.has(arrival) ? (["not"] as const) : OPENED)
      for (const isEqual of arrival === "equal" || arrival === "moved" ? [true] : [true, false])
        yield { ...about, arrival, opened, isEqual };
}

async function judge(given: Case): Promise<void> {
  const { arrival, opened, isFree, isEqual, type } = given;
  const plan = await planIn(given);
  const isOpened = isFree || opened === "allowed" || (opened === "shared" && type !== "NS");
  const isNewcomer = arrival === "gone" || arrival === "equal" || arrival === "listed";
  const expected = arrival !== "wanted" && (!isNewcomer || isOpened);
  // What is as wanted is not written.
  const isAsWanted = arrival === "own" && isEqual;
  const passes = isTaken(plan);
  if (!isAsWanted && passes !== expected)
    throw violation(given, plan, passes ? "taken" : "not taken");
  const isRemoved = plan.changes.some(({ change }) => change?.op === "remove");
  if (isRemoved !== (arrival === "gone" && !expected))
    throw violation(given, plan, isRemoved ? "removed" : "left behind");
  const isShared = plan.holds.some(({ code }) => code === "SharedRecord");
  if (arrival === "wanted" && isShared !== (isEqual && isOpened))
    throw violation(given, plan, isShared ? "shared" : "not shared");
}

function violation(given: Case, { holds }: NamePlan, what: string): Violation {
  const { neighbour, name, type, arrival, opened } = given;
  const why = holds.map(({ message }) => message).join("; ");
  const rule = type === "NS" || neighbour[1] === "NS" ? "Z-26" : "Z-28";
  return new Violation(
    `${rule}: ${type} ${name} (${arrival}) passes to tb beside ${neighbour[0]} of ta, opened: ${opened}: ${what} (${why})`,
  );
}

/** A change writes a marker of `tb`, where it had none or another one, or changes its data. */
function isTaken({ changes }: NamePlan): boolean {
  return changes.some(({ marker }) => marker?.provenance.namespace === "tb");
}

async function planIn({ neighbour, name, type, isEqual, arrival, opened, special }: Case) {
  const [value, otherValue] = VALUES[type];
  const clock = new VirtualClock();
  const isMoved = arrival === "moved";
  const isGone = arrival === "gone" || arrival === "heir";
  const tenant = arrival === "own" || arrival === "heir" || isMoved ? "tb" : "ta";
  const labels = isMoved ? { owner: "old", cluster: "c0" } : {};
  const isUnowned = arrival === "equal" || arrival === "listed" || arrival === "ordered";
  const there = `${name} 300 ${type} ${value}`;
  const zone = [
    `${neighbour[0]} 300 ${neighbour[1]} ${neighbour[2]}`,
    markerLine({ name: neighbour[0], type: neighbour[1], resource: "dnsentry/ta/near" }),
    there,
    isUnowned
      ? ""
      : markerLine({
          name,
          type,
          resource: `dnsentry/${tenant}/${isGone ? "gone" : "x"}`,
          ...labels,
        }),
  ];
  const { index, state, ownership } = await zoneOf(zone.join("\n"), new Set(["me", "old"]));
  if (arrival === "wanted" || arrival === "permitted") {
    const permit = { owner: null, resource: "dnsentry/tb/x" };
    const transfer = arrival === "wanted" ? NO_TRANSFER : { ...NO_TRANSFER, permit };
    put(index, `${there} ; from=dnsentry/ta/x created=1`, { transfer });
  }
  const adopt = arrival === "listed" ? [{ type, value }] : [];
  const transfer = { ...NO_TRANSFER, claim: arrival === "permitted", adopt };
  const wanted = `${name} 300 ${type} ${isEqual ? value : otherValue} ; from=dnsentry/tb/x created=2`;
  const desired = put(index, wanted, { transfer, owner: isMoved ? "old" : null });
  const orders = new OwnershipOrders(clock);
  if (arrival === "ordered") {
    orders.take([{ key: desired, order: { is: "adopt", values: [value] } }]);
  }
  const tenancy: ZoneTenancy = {
    sharedNames: opened === "shared",
    delegations: opened === "allowed" ? [nameOf(special)] : [],
    namespaces: ["ta", "tb"],
  };
  const mode = arrival === "equal" ? ("equal" as const) : ("never" as const);
  const adoption = arrival === "listed" ? { mode: "listed" as const, keys: [] } : { mode };
  const environment = { clock, dryRun: false };
  const absences = new AbsenceTracker({
    observer: fakeObserver("absent"),
    waits: new AddressWaits(clock, null),
    recordsAt: () => null,
    sightings: ALL_SEEN,
  });
  return planOf(
    {
      zoneInput: {
        key: { account: "a", zone: ORIGIN },
        zone: { id: ORIGIN, name: ORIGIN, providerType: "memory", endpoint: "", view: "" },
        session: new MemorySession({ zones: () => [], faults: NO_FAULTS, environment }),
        ownership,
        policy: "sync",
        adoption,
        managedTypes: new Set(["A", "AAAA", "TXT", "NS"]),
        defaultTtlSeconds: 300,
      },
      identity: { owners: new Set(["me", "old"]), mainOwner: "me", clusterRank: {} },
      index,
      absences,
      state,
      orders,
      elsewhere: { wants: () => false, inOtherZones: () => [] },
      tenancy,
    },
    desired.name,
  );
}

function put(
  index: Awaited<ReturnType<typeof zoneOf>>["index"],
  line: string,
  about: Pick<DesiredRecordSet, "transfer"> & Partial<Pick<DesiredRecordSet, "owner">>,
): DesiredRecordSet {
  const [plain] = parseDesired(line);
  if (plain === undefined) throw new Error("a record set is needed");
  const desired = { ...plain, ...about };
  index.put(contributionOf(desired.provenance, { items: [desired] }));
  return desired;
}

/**
 * At one name: `tb` comes to the record of an object that is gone, or to one of nobody, while the
 * object of another record there cannot say what it wants.
 */
function atOneName(): number {
  let cases = 0;
  for (const isAdopted of [true, false])
    for (const isEqual of isAdopted ? [true] : [true, false])
      for (const beside of ["ta", "tb", "nobody"])
        for (const sharing of ["none", "all"] as const) {
          const owner = isAdopted ? "" : " ; owner=me resource=dnsentry/ta/gone";
          const near = beside === "nobody" ? "" : ` ; owner=me resource=dnsentry/${beside}/near`;
          const current = parseOwned(`a 300 A 192.0.2.1${owner}\na 300 TXT "x"${near}`);
          const value = isEqual ? "192.0.2.1" : "192.0.2.2";
          const desired = parseDesired(`a 300 A ${value} ; from=dnsentry/tb/x`);
          const absences = new Map(
            current
              .filter(({ type }) => type === "A")
              .map((one) => [verdictKey(one), { proven: true, proof: "deleted-object" } as const]),
          );
          const tenancy = { sharing, firstNamespaces: [] };
          const adoption = { mode: "equal" } as const;
          const rules = rulesWith({ ...UNPROVEN, absences, tenancy, adoption });
          const passes = isTaken(planName(nameOf("a"), desired, current, rules));
          if (passes !== (beside !== "ta" || sharing === "all"))
            throw new Violation(
              `Z-28: A of ${isAdopted ? "nobody" : "ta"} passes to tb beside TXT of ${beside}, sharing: ${sharing}: ${passes ? "taken" : "not taken"}`,
            );
          cases += 1;
        }
  return cases;
}
