/**
 * Keeps what was deleted, tells who edited it last, and creates it again when a person asks for it
 * (`restore`).
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { FIELD_MANAGER } from "@zonekeeper/kube/objects/field-manager";
import {
  type DeletedObject,
  DeletedObjects,
  type RestorableKind,
} from "../../controllers/objects/deleted-objects.ts";
import {
  type HeldRemoval,
  type RestoredObject,
  restoreObjects,
} from "../../controllers/objects/restore-objects.ts";
import type { ListedKind } from "../../controllers/zone-choice/listing-objects.ts";
import { finalizersOf } from "../../model/dns-class.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";
import { isMarkOf, resourceOf } from "../../model/provenance.ts";
import type { Marker } from "../../plan/changes.ts";
import type { HeldRecord, ObjectEdit } from "../../sync/report/held-records.ts";
import { editorOf, listedKinds } from "./listed-kinds.ts";
import { ownZoneSourcesOf } from "./source-clusters.ts";

/** One for each term. */
export interface Restoring {
  /** What becomes of deleted objects with these held removals; null = nothing is held. */
  restore(
    held: readonly HeldRemoval[],
    isDoing: boolean,
  ): Promise<readonly RestoredObject[] | null>;
  /** With what is known of the last edit of each object. */
  withEdits(held: readonly HeldRecord[]): readonly HeldRecord[];
  close(): void;
}

type RestoringOptions = Parameters<typeof listedKinds>[0];

/** What is deleted is kept from now on. */
export function openRestoring(
  options: RestoringOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Restoring {
  const deleted = new DeletedObjects(restorableKinds(options), { clock, log });
  const finalizers = finalizersOf(options.dnsClasses);
  const kinds = listedKinds(options);
  const [only = "", ...others] = new Set(kinds.map(({ view }) => view.clusterId));
  // A marker without a cluster is of the only one.
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
        const kept = gone.get(one.marker?.resource ?? "");
        const isKept = kept !== undefined && isMarkOf(one.marker, kept.marked);
        return { ...one, edit: isKept ? endOf(kept) : editOf(one.marker, kinds, ofNone) };
      });
    },
    close: () => deleted.close(),
  };
}

function endOf({ atMs, editor }: DeletedObject): ObjectEdit {
  const isKnown = editor !== undefined && editor !== FIELD_MANAGER;
  return { deletedAtMs: atMs, ...(isKnown ? { editor } : {}) };
}

/** Of an object that is there. */
function editOf(marker: Marker | null, kinds: readonly ListedKind[], ofNone: string): ObjectEdit {
  const object = marker?.resource ?? "";
  const editor = editorOf({ object, cluster: marker?.cluster ?? ofNone }, kinds);
  return editor === undefined ? {} : { editor };
}

/** What people write and this program may create. */
function restorableKinds(options: RestoringOptions): readonly RestorableKind[] {
  const { target, entrySource } = options;
  const direct = ownZoneSourcesOf(options).filter(([, { primary }]) => primary === DNS_ENDPOINT);
  return [
    { ...target, source: entrySource },
    ...direct.map(([cluster, source]) => ({ ...cluster, source })),
  ];
}
