/** Keeps what was deleted, and creates it again when a person asks for it (`restore`). */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { DeletedObjects, type RestorableKind } from "../../controllers/objects/deleted-objects.ts";
import {
  type HeldRemoval,
  type RestoredObject,
  restoreObjects,
} from "../../controllers/objects/restore-objects.ts";
import { finalizersOf } from "../../model/dns-class.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";
import type { ControllersOptions } from "./controllers-options.ts";
import { ownZoneSourcesOf } from "./source-clusters.ts";

/** One for each term. */
export interface Restoring {
  /** What becomes of deleted objects with these held removals; null = nothing is held. */
  restore(
    held: readonly HeldRemoval[],
    isDoing: boolean,
  ): Promise<readonly RestoredObject[] | null>;
  close(): void;
}

type RestoringOptions = Pick<
  ControllersOptions,
  "sourceClusters" | "target" | "entrySource" | "zoneSources" | "dnsClasses"
>;

/** What is deleted is kept from now on. */
export function openRestoring(
  options: RestoringOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Restoring {
  const deleted = new DeletedObjects(restorableKinds(options), { clock, log });
  const finalizers = finalizersOf(options.dnsClasses);
  return {
    restore: async (held, isDoing) => {
      if (held.length === 0) return null;
      if (isDoing) log.info("deleted objects are restored by a person", { held: held.length });
      return restoreObjects({ kept: deleted.all(), finalizers, clock }, held, isDoing);
    },
    close: () => deleted.close(),
  };
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
