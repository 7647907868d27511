/**
 * Two clusters with an object of one kind, namespace and name each (Z-3): every history of both,
 * every state of their caches, and a marker that names one of them, or none. What was seen in one
 * cluster proves nothing about the other, and one that is down holds only what it may want.
 */

import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { WatchedObjects } from "../../../src/controllers/objects/observe-objects.ts";
import type { OwnedRecordSet } from "../../../src/plan/changes.ts";
import type { ClusterIdentity } from "../../../src/ports/cluster-identity.ts";
import { AbsenceTracker } from "../../../src/sync/absence/absence-tracker.ts";
import { AddressWaits } from "../../../src/sync/absence/address-waits.ts";
import type { Contribution } from "../../../src/sync/contract/contribution.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { ALL_SEEN } from "../../support/values/fake-observer.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { Violation } from "../checks/checks.ts";

const NAME = trustedDnsName("www.example.org");
const RESOURCE = "service/default/web";
const CLUSTERS = ["c1", "c2"] as const;

/**
 * `silent`: it is alive, and what it wants is not known. `omits`: it listed the name before.
 * `lists`: it wants another record set at the name.
 */
const HISTORIES = ["never", "deleted", "silent", "omits", "lists"] as const;
/** `changed`: it is live, and not the cluster that it was (Z-30). */
const STATES = ["live", "stale", "syncing", "changed"] as const;

interface Case {
  readonly history: (typeof HISTORIES)[number];
  readonly state: (typeof STATES)[number];
}

const CASES: readonly Case[] = HISTORIES.flatMap(
  (history) => STATES.map((state) => ({ history, state })),
  // What was never listed was never heard.
).filter(
  ({ history, state }) => state !== "syncing" || history === "never" || history === "silent",
);

/** Throws Violation at the first verdict that is wrong; else the number of cases. */
export async function playSeed(): Promise<number> {
  let cases = 0;
  for (const one of CASES)
    for (const two of CASES)
      for (const marked of [...CLUSTERS, null]) {
        judge([one, two], marked);
        cases += 1;
      }
  return cases;
}

function judge(pair: readonly [Case, Case], marked: string | null): void {
  const clusters = CLUSTERS.map((id) => new MemoryCluster(id));
  const identityOf = (one: Case | undefined): ClusterIdentity => {
    const trouble = one?.state === "changed" ? { message: "it is another one", hash: "1" } : null;
    return { isChecked: true, wasChecked: true, trouble };
  };
  const observer = new WatchedObjects(
    clusters.map((view, index) => ({ view, kind: SERVICE, identity: identityOf(pair[index]) })),
    new VirtualClock(),
  );
  const absences = new AbsenceTracker({
    observer,
    waits: new AddressWaits(new VirtualClock(), null),
    recordsAt: () => null,
    sightings: ALL_SEEN,
  });
  const here = clusters.flatMap((cluster, index) =>
    play(cluster, pair[index] ?? pair[0], absences),
  );
  const verdict = absences.verdict(ownedBy(marked), here);
  const expected = expectedProof(pair, marked);
  const found = verdict.proven ? verdict.proof : null;
  // Of several proofs any will do.
  const isMixed = marked === null && expected !== null;
  if (found === expected || (isMixed && found !== null)) return;
  const text = pair.map(({ history, state }) => `${history}, ${state}`).join("; ");
  throw new Violation(`Z-3: [${text}] marker of ${marked}: ${found} and not ${expected}`);
}

/** Answers the last contribution. */
function play(
  cluster: MemoryCluster,
  { history, state }: Case,
  absences: AbsenceTracker,
): readonly Contribution[] {
  const { clusterId } = cluster;
  const object = { cluster: clusterId, kind: "service", namespace: "default", name: "web" };
  const wanting = (...types: readonly string[]): Contribution => {
    const items = types.map((type) => ({
      ...{ name: NAME, type, setIdentifier: null, ttlSeconds: 300, values: ["192.0.2.1"] },
      ...{ properties: {}, routingPolicy: null, provenance: object, owner: null, createdAtMs: 0 },
    }));
    const found = { items, waiting: [], problems: [], complete: true };
    return { object, generation: 1, deleting: false, found };
  };
  if (history !== "never")
    cluster.apply(SERVICE, {
      ...{ apiVersion: "v1", kind: "Service" },
      metadata: { name: "web", namespace: "default" },
    });
  const contributions = {
    ...{ never: [], silent: [], deleted: [wanting("A")] },
    ...{ omits: [wanting("A"), wanting()], lists: [wanting("A"), wanting("AAAA")] },
  }[history];
  for (const one of contributions) absences.contributed(one);
  if (history === "deleted") {
    cluster.delete(SERVICE, "default", "web");
    absences.withdrawn(object, "deleted-object");
  }
  if (state === "stale") cluster.breakWatch(SERVICE);
  if (state === "syncing") cluster.setKindState(SERVICE, "syncing");
  return history === "deleted" ? [] : contributions.slice(-1);
}

function ownedBy(cluster: string | null): OwnedRecordSet {
  const marker = { owner: "me", resource: RESOURCE, cluster, labels: {}, record: null };
  return { name: NAME, type: "A", setIdentifier: null, data: null, marker, contested: false };
}

/** The one cluster whose object listed the name: a marker without a cluster is its (Z-30). */
function onlyLister(pair: readonly [Case, Case]): string | null {
  const [only = null, ...others] = CLUSTERS.filter(
    (_, index) => !["never", "silent"].includes(pair[index]?.history ?? "never"),
  );
  return others.length === 0 ? only : null;
}

/** Null = the record stays. */
function expectedProof(pair: readonly [Case, Case], marked: string | null): string | null {
  const whose = marked ?? onlyLister(pair);
  const isMarked = (index: number): boolean => whose === null || CLUSTERS[index] === whose;
  const isOpen = ({ history, state }: Case, index: number): boolean =>
    state === "live" || (!isMarked(index) && state === "stale" && history !== "lists");
  // What the namesake in a live cluster wants has to be known, too, if the marker names none.
  const isMeant = ({ state }: Case, index: number): boolean =>
    isMarked(index) || (marked === null && state === "live");
  const meant = pair.filter(isMeant).map(({ history }) => history);
  if (!pair.every(isOpen) || meant.includes("silent")) return null;
  if (meant.includes("deleted")) return "deleted-object";
  return meant.every((history) => history === "never") ? "missing-from-list" : "object-omits-name";
}
