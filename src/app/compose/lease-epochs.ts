/**
 * Terms of leadership for the fences of zones (Z-17): from a Lease, from a data folder, or
 * from a cluster alone.
 */
import type { Random } from "@zonekeeper/base/ports/random";
import type { LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import type { StateStore } from "../../ports/state-store.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";

/** Identity of a Lease. */
export interface LeaseRef {
  /** Name of the election; null = it is that of the Lease. */
  readonly election: string | null;
  /** UID of the cluster's kube-system; null = it may not be read. */
  readonly cluster: string | null;
  readonly namespace: string;
  readonly name: string;
}

/** `domain` null = the election has no name, and its cluster cannot be told from others. */
export function leaseDomains({
  election,
  cluster,
  namespace,
  name,
}: LeaseRef): Pick<WriterTerm, "domain" | "unnamed"> {
  const unnamed = cluster === null ? null : `${cluster}/${namespace}/${name}`;
  if (election === null) return { domain: unnamed };
  return { domain: election, ...(unnamed === null ? {} : { unnamed }) };
}

/** The term that the election has just won with this epoch. */
export function leaseTerm(
  election: Pick<LeaseElection, "remainingMs" | "outdated">,
  lease: LeaseRef,
  term: {
    readonly epoch: number;
    readonly copyEpoch: number | null;
    readonly renewDeadlineMs: number;
    readonly random: Random;
  },
): WriterTerm {
  const { epoch, copyEpoch, renewDeadlineMs, random } = term;
  return {
    ...leaseDomains(lease),
    epoch,
    id: termId(random),
    copyEpoch,
    // A healthy Lease is renewed long before half of its deadline is over. A call may take the
    // other half, and the rest of the Lease's duration.
    marginMs: renewDeadlineMs / 2,
    remainingMs: () => election.remainingMs(epoch),
    outdated: (later, replacedUs) => election.outdated(later, replacedUs),
  };
}

function termId(random: Random): string {
  return random.uuid().slice(0, 8);
}

const KEY = "writer-term";
const EPOCH = /^(.+) (\d{1,15})$/;

/**
 * The term of a data folder that one process at a time holds: each start is an epoch. A copy of the
 * folder has the same domain, and the later start wins; of two starts with the same epoch neither
 * is the later one. Rejects with OperationError when the folder cannot be written.
 */
export async function folderTerm(state: StateStore, random: Random): Promise<WriterTerm> {
  const [, id = random.uuid(), last = "0"] = EPOCH.exec((await state.read(KEY)) ?? "") ?? [];
  const epoch = Number(last) + 1;
  await state.write(KEY, `${id} ${epoch}`);
  let copyEpoch: number | null = null;
  return {
    ...endless(`data-folder/${id}`, epoch),
    id: termId(random),
    get copyEpoch() {
      return copyEpoch;
    },
    outdated: (later) => {
      if (later === epoch) copyEpoch = epoch;
      // This process has lost. The next start must be later still.
      else state.write(KEY, `${id} ${later}`).catch(() => undefined);
    },
  };
}

/**
 * Without Lease and folder: all processes of one cluster are one writer and cannot be told apart.
 */
export function clusterTerm(cluster: string | null): WriterTerm {
  return endless(cluster === null ? null : `${cluster}/-/-`, 0);
}

function endless(domain: string | null, epoch: number): WriterTerm {
  return {
    domain,
    epoch,
    id: null,
    copyEpoch: null,
    marginMs: 0,
    remainingMs: () => Number.POSITIVE_INFINITY,
    outdated: () => undefined,
  };
}
