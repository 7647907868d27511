/**
 * First contact of owner ids of DNSOwners with a zone (Z-24, ADR 0050), each clause shown by the
 * smallest case that it decides. Throws at the first one that is broken.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { approveFuse, heldSets, passFuse } from "../../../src/plan/fuse.ts";
import { type FuseItem, type FuseState, fuseItem, newFuse } from "../../../src/plan/fuse-state.ts";
import { demand } from "./demand.ts";

const SHOP = "shop";
const NAMES: readonly DnsName[] = ["a", "b", "c"].map((label) =>
  trustedDnsName(`${label}.example.org`),
);

function item(index: number, owner: string | null, proof: FuseItem["proof"] = "weak"): FuseItem {
  const key = { name: NAMES[index] ?? trustedDnsName("x.example.org"), type: "A" };
  const marker = `marker ${index}`;
  const of = owner === null ? {} : { owner };
  return fuseItem({ key: { ...key, setIdentifier: null }, marker, namespace: "a", proof, ...of });
}

interface Planned {
  readonly removals?: readonly FuseItem[];
  readonly updates?: readonly FuseItem[];
  /** The zone has records of the id. */
  readonly hasRecords?: boolean;
  readonly isAllRead?: boolean;
  readonly isFirstPlan?: boolean;
}

/** A plan of a zone that the group has met, while the id is on. */
function plan(state: FuseState, planned: Planned): { state: FuseState; held: number } {
  const { removals = [], updates = [], hasRecords = true } = planned;
  const { isAllRead = true, isFirstPlan = false } = planned;
  const verdict = passFuse(state, {
    ...{ nowMs: 0, owned: 100, ownedIn: () => 100, isOwned: () => true },
    planned: new Set([...removals, ...updates].map(({ name }) => name)),
    ...{ removals, updates, losesLastName: false, version: "v1", isFirstPlan, isAllRead },
    furtherOwners: new Set([SHOP]),
    hasRecordsOf: (owner) => hasRecords && owner === SHOP,
  });
  return { state: verdict.state, held: verdict.held.size };
}

/** The state of a zone that the group knows, and the id has never been on in. */
const KNOWN: FuseState = { ...newFuse(), met: true, version: "v1" };

/** Z-24. */
export function proveContacts(): void {
  const updates = [item(0, SHOP)];
  const arrived = plan(KNOWN, { updates });
  demand(arrived.held === 1, "an id changes records that it finds");
  const gone = plan(KNOWN, { removals: [item(0, SHOP)] });
  demand(gone.held === 1, "an id removes records that it finds");
  const watched = plan(KNOWN, { removals: [item(0, SHOP, "strong")] });
  demand(watched.held === 0, "what is seen to be deleted waits for a person");
  demand(plan(KNOWN, { updates, hasRecords: false }).held === 0, "an empty zone is met anew");
  const mine = [item(1, null)];
  demand(plan(arrived.state, { updates: mine }).held === 0, "the group waits for another id");
  const waiting = plan(arrived.state, { updates: mine });
  demand(
    plan(waiting.state, { updates: [item(2, SHOP)] }).held === 1,
    "it ends while records wait",
  );
  const unread = plan(plan(KNOWN, { isAllRead: false }).state, { isAllRead: false });
  demand(plan(unread.state, { updates }).held === 1, "it ends before all objects are read");
  const early = plan(plan(KNOWN, { isFirstPlan: true }).state, { isFirstPlan: true });
  demand(plan(early.state, { updates }).held === 1, "it ends within the first plan");
  const over = plan(plan(KNOWN, {}).state, {});
  demand(plan(over.state, { updates }).held === 0, "it does not end");
  const [set] = heldSets(arrived.state);
  demand(set?.kind === "first-contact", "a person is not told that an id is new");
  const approved = approveFuse(arrived.state, set?.hash ?? "");
  demand(approved !== null && plan(approved, { updates }).held === 0, "an approval has no effect");
}
