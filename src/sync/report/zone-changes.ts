/** Hands changes that zones have taken from us to the log, and to the journal if one is kept. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type ChangeHistory,
  type ChangeQuery,
  NO_HISTORY,
  type ZoneChange,
} from "../contract/zone-change.ts";
import { ChangeJournal, type JournalStorage } from "./change-journal.ts";
import { ChangeLog } from "./change-log.ts";

/** Where changes go, and what completes them. */
export interface ZoneChangesOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly identity: { readonly mainOwner: string };
  /** The field manager that has edited the object of a change last. Absent = nobody knows. */
  readonly editorOf?: (change: ZoneChange) => string | undefined;
  /** Hears of each record that a zone has removed for us. Absent = nobody does. */
  readonly onRemoved?: (change: ZoneChange) => void;
  /** Where the history of zones is kept. Absent = nowhere. */
  readonly journal?: JournalStorage;
}

/** The changes of all zones of an engine. */
export class ZoneChanges {
  readonly #log: ChangeLog;
  readonly #journal: ChangeJournal | null;
  readonly #options: Pick<ZoneChangesOptions, "editorOf" | "onRemoved">;

  constructor(options: ZoneChangesOptions) {
    const { clock, log, identity, journal } = options;
    this.#options = options;
    this.#log = new ChangeLog({ clock, log });
    const { mainOwner: owner } = identity;
    this.#journal =
      journal === undefined ? null : new ChangeJournal({ ...journal, owner, clock, log });
  }

  /** Takes changes that a zone has taken; answers them with the editor of their objects. */
  applied(all: readonly ZoneChange[]): readonly ZoneChange[] {
    const changes = all.map((change) => {
      const editor = change.cause === "edit" ? this.#options.editorOf?.(change) : undefined;
      return editor === undefined ? change : { ...change, editor };
    });
    this.#log.applied(changes);
    this.#journal?.note(changes);
    for (const change of changes) if (change.is === "removed") this.#options.onRemoved?.(change);
    return changes;
  }

  /** Changes of the journal that match; empty where none is kept. Never rejects. */
  async history(
    query: ChangeQuery,
    zones: readonly { readonly apex: DnsName }[],
  ): Promise<ChangeHistory> {
    const apexes = zones.map(({ apex }) => apex);
    return this.#journal?.history(query, apexes) ?? NO_HISTORY;
  }

  /** Logs and stores the changes that wait; resolves within two seconds. */
  async close(): Promise<void> {
    this.#log.close();
    await this.#journal?.stop();
  }
}
