/**
 * Keeps deleted objects for a day, says who edited them last, and creates them again when a person
 * orders it for a held set of removals (`restore`).
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { FIELD_MANAGER } from "@zonekeeper/kube/objects/kubernetes";
import { DeletedObjects, type RestorableKind } from "../../controllers/objects/deleted-objects.ts";
import {
  type HeldRemoval,
  type RestoredObject,
  restoreObjects,
} from "../../controllers/objects/restore-objects.ts";
import { finalizersOf } from "../../model/dns-class.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";
import { isMarkOf, resourceOf } from "../../model/provenance.ts";
import type { HeldRecord } from "../../sync/report/held-records.ts";
import type { ProgramOptions } from "./controllers-options.ts";
import { editorOf, listedKinds, ownZoneSourcesOf } from "./source-clusters.ts";

/** There is one for each term. */
export interface Restoring {
  /**
   * Restores the deleted objects of these held removals (`isDoing`), or says what would be done;
   * null = nothing is held.
   */
  restore(
    held: readonly HeldRemoval[],
    isDoing: boolean,
  ): Promise<readonly RestoredObject[] | null>;
  /** The records, each with the last edit or the deletion of its object, as far as it is known. */
  withEdits(held: readonly HeldRecord[]): readonly HeldRecord[];
  close(): void;
}

/** Objects that are deleted from now on are kept. */
export function openRestoring(
  options: ProgramOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Restoring {
  const deleted = new DeletedObjects(restorableKinds(options), { clock, log });
  const finalizers = finalizersOf(options.dnsClasses);
  const kinds = listedKinds(options);
  const [only = "", ...others] = new Set(kinds.map(({ view }) => view.clusterId));
  // With one cluster, a marker that names no cluster means that one.
  const ofNone = others.length === 0 ? only : "";
  return {
    restore: async (held, isDoing) => {
      if (held.length === 0) return null;
      if (isDoing) log.info("deleted objects are restored by a person", { held: held.length });
      return restoreObjects({ kept: deleted.all(), finalizers, clock }, held, isDoing);
    },
    withEdits: (held) => {
      const gone = new Map(deleted.all().map((one) => [resourceOf(one.marked), one]));
      return held.map((one) => {
        const object = one.marker?.resource ?? "";
        const kept = gone.get(object);
        const end = kept !== undefined && isMarkOf(one.marker, kept.marked) ? kept : null;
        const cluster = one.marker?.cluster ?? ofNone;
        const last = end === null ? editorOf({ object, cluster }, kinds) : end.editor;
        const editor = last === undefined || last === FIELD_MANAGER ? {} : { editor: last };
        return { ...one, edit: { ...(end === null ? {} : { deletedAtMs: end.atMs }), ...editor } };
      });
    },
    close: () => deleted.close(),
  };
}

/** The kinds whose objects people write as DNS records: DNSEntries and DNSEndpoints. */
function restorableKinds(options: ProgramOptions): readonly RestorableKind[] {
  const { target, entrySource } = options;
  const direct = ownZoneSourcesOf(options).filter(([, { primary }]) => primary === DNS_ENDPOINT);
  return [
    { ...target, source: entrySource },
    ...direct.map(([cluster, source]) => ({ ...cluster, source })),
  ];
}
