/** What further clusters take part in, and what a marker of one that does not is worth (Z-3). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { nextJoined } from "../../../src/app/commands/run/joined-clusters.ts";
import type { ClusterAccess } from "../../../src/app/compose/controllers-options.ts";
import { judgeAbsence } from "../../../src/plan/removal/table.ts";
import { demand } from "./demand.ts";

/** Told apart by identity alone. */
const accessOf = (): ClusterAccess => ({}) as unknown as ClusterAccess;

/** Fails where one clause of them is lost. */
export function proveFurtherClusters(): void {
  const [eu, us] = [accessOf(), accessOf()];
  const well = { mode: "active", isReadable: true, isAnswering: true } as const;
  const one = { ...well, id: "eu", access: eu };
  const ids = (...given: Parameters<typeof nextJoined>): string => {
    const next = nextJoined(...given);
    return next === null ? "as before" : [...next.keys()].join();
  };
  const none = new Map<string, ClusterAccess>();
  demand(ids([one], none) === "eu", "a cluster that was read takes no part");
  demand(ids([{ ...one, isReadable: false }], none) === "as before", "unread is empty");
  demand(ids([{ ...one, access: null }], none) === "as before", "unreachable is empty");
  demand(ids([{ ...one, mode: "observe" }], none) === "as before", "an observed one publishes");
  const joined = new Map([["eu", eu]]);
  const silent = { ...one, isAnswering: false };
  demand(ids([silent], joined) === "as before", "a silent cluster leaves by itself");
  const other = { ...well, id: "us", access: us };
  demand(ids([silent, other], joined) === "us", "a new composition waits for a silent cluster");
  demand(ids([{ ...one, isReadable: false }], joined) === "", "an unreadable cluster holds all");
  demand(ids([{ ...one, access: us }], joined) === "eu", "another cluster is taken for it");
  demand(ids([], joined) === "", "a cluster that is not named is read on");
  proveAwaited();
}

function proveAwaited(): void {
  const unserved = { cluster: "eu", hasEntries: false, entry: null, awaited: "eu is away" };
  const verdict = judgeAbsence({
    ...{ isMovedAway: false, isLeftBehind: false, servesCut: null, isOrdered: false },
    ...{ name: trustedDnsName("www.example.org"), gate: null, listers: [] },
    unpublished: () => null,
    object: () => ({
      ...{ who: "service/a/web", proof: null, isAlive: false, whyUnknown: "", unserved },
    }),
  });
  demand(!verdict.proven, "the record of a cluster that is away goes");
  demand(
    !verdict.proven && verdict.code === "NotSynced",
    "a cluster that is away counts as one that nobody names",
  );
  const of = (more: object) =>
    judgeAbsence({
      ...{ isMovedAway: false, isLeftBehind: false, servesCut: null, isOrdered: false },
      ...{ name: trustedDnsName("www.example.org"), gate: null, listers: [] },
      unpublished: () => null,
      object: () => ({
        ...{ who: "service/a/web", proof: null, isAlive: false, whyUnknown: "" },
        unserved: { cluster: "eu", hasEntries: false, entry: null, ...more },
      }),
    });
  demand(!of({}).proven, "the record of a cluster that nobody names goes");
  demand(of({ isRemoved: true }).proven, "the record of a removed cluster stays");
  demand(
    !of({ isRemoved: true, awaited: "eu is away" }).proven,
    "the record of a cluster that is named again goes",
  );
}
