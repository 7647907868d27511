/** What the DNSEntry controller works with. Types only. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import type { LiveChecks } from "../../controllers/objects/live-checks.ts";
import type { PublicationOptions } from "../../controllers/publication/publication-controller.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import type { Source } from "../../sources/source.ts";
import type { Origins } from "./origins.ts";
import type { OwnerUses } from "./owner-use.ts";

/** Changes of entries, made for their source objects, that the cluster refuses. */
export interface RefusedChanges {
  /** Why the entry (`namespace/name`) is not changed; null = nothing is refused. */
  of(entry: string): string | null;
  /** Calls `listener` for each entry of which this begins or ends. Answers how to stop. */
  onChange(listener: (entry: string) => void): () => void;
}

/** What the controller works with, of the target cluster. */
export interface EntryControllerOptions extends PublicationOptions {
  /** The source `dnsentry`. */
  readonly source: Source;
  /** Of the DNSProviders that are served; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  readonly clock: Clock;
  readonly dnsClasses: DnsClasses;
  /** Where entries of other namespaces are generated; null = nowhere. */
  readonly targetNamespace: string | null;
  /** That of `--owner`. */
  readonly ownerId: string;
  /** Seconds. */
  readonly defaultTtlSeconds: number;
  /** Ids of zones that are never open. */
  readonly blockedZones: readonly string[];
  /** Knows the source objects of generated entries. */
  readonly origins: Origins;
  readonly live: LiveChecks;
  readonly refused: RefusedChanges;
  /** Absent = nobody counts. */
  readonly owners?: OwnerUses;
  /** Reports when a source object loses its last address, or gets one. */
  readonly waits: EntryWaits;
}
