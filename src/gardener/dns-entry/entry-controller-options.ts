/** Everything that the DNSEntry controller works with. Types only. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import type { LiveChecks } from "../../controllers/objects/live-checks.ts";
import type { PublicationOptions } from "../../controllers/publication/publication-controller.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import type { Source } from "../../sources/source.ts";
import type { Origins } from "./origins.ts";
import type { OwnerUses } from "./owner-use.ts";

/** Knows the generated entries whose source object wants a change that the cluster refuses. */
export interface RefusedChanges {
  /** Why the entry (`namespace/name`) is not changed; null = nothing is refused. */
  of(entry: string): string | null;
  /** Calls `listener` for each entry of which this begins or ends. Answers how to stop. */
  onChange(listener: (entry: string) => void): () => void;
}

/** Everything that the controller works with, of the target cluster. */
export interface EntryControllerOptions extends PublicationOptions {
  /** The source `dnsentry`. */
  readonly source: Source;
  /** Types of the DNSProviders that are served; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  readonly clock: Clock;
  readonly dnsClasses: DnsClasses;
  /** Namespace in which entries are generated for objects of other namespaces; null = none. */
  readonly targetNamespace: string | null;
  /** The owner id of --owner. */
  readonly ownerId: string;
  /** Seconds. */
  readonly defaultTtlSeconds: number;
  /** Ids of zones that are never opened (`--blocked-zone`). */
  readonly blockedZones: readonly string[];
  /** Knows the source objects of generated entries. */
  readonly origins: Origins;
  readonly live: LiveChecks;
  readonly refused: RefusedChanges;
  /** Counts entries by owner id; absent = they are not counted. */
  readonly owners?: OwnerUses;
  /** Reports when a source object loses its last address, or gets one. */
  readonly waits: EntryWaits;
}
