/**
 * Terms of leadership for the fences of zones, TXT records by which each batch proves that its
 * writer still leads (Z-17). A term has a domain (which installation) and an epoch (a later one
 * ends an earlier one); both come from a Lease, from a data folder, or from a cluster alone.
 */
import type { Random } from "@zonekeeper/base/ports/random";
import type { LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import type { StateStore } from "../../ports/stores.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";

/** Identity of the Lease that elects the writer. */
export interface LeaseRef {
  /** Name of the election; null = it is that of the Lease. */
  readonly election: string | null;
  /** UID of the cluster's kube-system; null = it may not be read. */
  readonly cluster: string | null;
  readonly namespace: string;
  readonly name: string;
}

/** `domain` null = the election has no name, and its cluster cannot be told from others. */
export function leaseDomains(lease: LeaseRef): Pick<WriterTerm, "domain" | "unnamed"> {
  const { election, cluster, namespace, name } = lease;
  const unnamed = cluster === null ? null : `${cluster}/${namespace}/${name}`;
  if (election === null) return { domain: unnamed };
  return { domain: election, ...(unnamed === null ? {} : { unnamed }) };
}

/** The term of an election that was just won with this epoch. */
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
    // No call begins when less than this is left of the term. A healthy Lease is renewed long
    // before; a call may take this, and the rest of the Lease's duration.
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
 * The term of a data folder, which one process at a time uses: each start is an epoch. A copy of
 * the folder has the same domain, so that the later start wins; of two starts with the same epoch
 * neither does, and the epoch is noted as a copy's. Rejects with OperationError when the folder
 * cannot be written.
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
      // Another process has a later epoch. The next start must have a still later one.
      else state.write(KEY, `${id} ${later}`).catch(() => undefined);
    },
  };
}

/** The term without Lease and folder: all processes of one cluster count as one writer. */
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
