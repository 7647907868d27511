/**
 * A registry of a plug-in. What it throws, what cannot be its answer and an answer that does not
 * come is a problem of the zone that was read, or of the name that was planned: their records stay,
 * and all others go on (principle 5). ADR 0114.
 */
import { messageOf, type OperationError } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type {
  ExternalStore,
  MigrationFeature,
  Ownership,
  PermitFeature,
  ZoneMarkers,
} from "../../ownership/ownership.ts";
import type { RegistryRow } from "../../ownership/registry.ts";
import { heldGroup } from "../../ownership/shared/held-group.ts";
import { holdAt } from "../../plan/hold-at.ts";
import type { Blocker } from "../../plan/rules.ts";
import { CALL_TIMEOUT_MS, PluginCalls } from "./plugin-calls.ts";
import type { LoadedPlugin } from "./plugin-module.ts";
import {
  wrongBlocker,
  wrongMoves,
  wrongNames,
  wrongPrepared,
  wrongRegistry,
  wrongViews,
} from "./registry-answers.ts";
import { UNWATCHED, type Watch } from "./watched-calls.ts";

/** The row as the program may use it. `timeoutMs`: of one call. */
export function guardRegistry(
  row: RegistryRow,
  plugin: LoadedPlugin,
  timeoutMs: number = CALL_TIMEOUT_MS,
  watch: Watch = UNWATCHED,
): RegistryRow {
  const { name, doc } = row;
  return {
    name,
    doc,
    open: (context) => {
      const calls = new PluginCalls(plugin, { clock: context.clock, timeoutMs, watch });
      const open = attempt(calls, () => {
        if (plugin.leftOff !== undefined) throw calls.failed(plugin.leftOff);
        const opened = row.open(context);
        calls.check("open", typeof opened === "function" ? null : "it must be a function");
        return opened;
      });
      return (zone) => {
        const registry = attempt(calls, () => {
          if ("failed" in open) throw open.failed;
          const opened = open.value(zone);
          calls.check("open", wrongRegistry(opened));
          return new GuardedRegistry(opened, calls, context.log);
        });
        return "failed" in registry ? unopened(name, registry.failed) : registry.value;
      };
    },
  };
}

type Attempt<T> = { readonly value: T } | { readonly failed: OperationError };

function attempt<T>(calls: PluginCalls, open: () => T): Attempt<T> {
  try {
    return { value: calls.atOnce("open", open) };
  } catch (error) {
    return { failed: calls.operation("open", error) };
  }
}

/** Nobody can say whose a record of the zone is: it is not read, and nothing is written. */
function unopened(format: string, failed: OperationError): Ownership {
  const refuse = () => Promise.reject(failed);
  return {
    format,
    read: refuse,
    affected: (name) => [name],
    related: (name) => [name],
    prepare: refuse,
    confirm: async () => undefined,
    externalStore: { isStale: true, refresh: refuse, recordIntents: refuse, resync: refuse },
  };
}

class GuardedRegistry implements Ownership {
  readonly format: string;
  readonly zoneMarkers: ZoneMarkers | undefined;
  readonly permits: PermitFeature | undefined;
  readonly migration: MigrationFeature | undefined;
  readonly externalStore: ExternalStore;
  readonly #registry: Ownership;
  readonly #calls: PluginCalls;
  readonly #log: Log;
  /** An outcome did not reach it: the zone is read as a whole before anything else is written. */
  #isUnconfirmed = false;

  constructor(registry: Ownership, calls: PluginCalls, log: Log) {
    this.format = registry.format;
    this.#registry = registry;
    this.#calls = calls;
    this.#log = log;
    const { zoneMarkers, permits, migration, externalStore } = registry;
    this.zoneMarkers = zoneMarkers && this.#markers(zoneMarkers);
    this.permits = permits && {
      namesOfPermits: (sets) =>
        this.#names("namesOfPermits", () => permits.namesOfPermits(sets), null),
    };
    this.migration = migration && this.#migration(migration);
    this.externalStore = this.#store(externalStore);
  }

  async read(sets: readonly RecordSet[]): ReturnType<Ownership["read"]> {
    const views = await this.#calls.within("read", () => this.#registry.read(sets));
    this.#calls.check("read", wrongViews(views, sets, this.zoneMarkers !== undefined));
    return [...views].sort(compareKeys);
  }

  affected(name: string): readonly string[] {
    return this.#names("affected", () => this.#registry.affected(name), name);
  }

  related(name: string, unused?: ReadonlySet<string>): readonly string[] {
    return this.#names("related", () => this.#registry.related(name, unused), name);
  }

  async prepare(...given: Parameters<Ownership["prepare"]>): ReturnType<Ownership["prepare"]> {
    const [plan] = given;
    try {
      const prepared = await this.#calls.within("prepare", () => this.#registry.prepare(...given));
      this.#calls.check("prepare", wrongPrepared(prepared, plan, this.related(plan.name)));
      return prepared;
    } catch (error) {
      return heldGroup(plan, this.#blocker(error));
    }
  }

  async confirm(...given: Parameters<Ownership["confirm"]>): Promise<void> {
    try {
      await this.#calls.within("confirm", () => this.#registry.confirm(...given));
    } catch (error) {
      this.#isUnconfirmed = true;
      this.#blocker(error);
    }
  }

  #markers(markers: ZoneMarkers): ZoneMarkers {
    const blocker = (what: "refuses" | "blockerOf", call: () => Blocker | null): Blocker | null => {
      try {
        const answered = this.#calls.atOnce(what, call);
        this.#calls.check(what, wrongBlocker(answered));
        return answered;
      } catch (error) {
        return this.#blocker(error);
      }
    };
    return {
      beginnings: markers.beginnings,
      learn: (sets) => this.#calls.atOnce("learn", () => markers.learn(sets)),
      dependentNames: (name) =>
        this.#names("dependentNames", () => markers.dependentNames(name), null),
      refuses: (set) => blocker("refuses", () => markers.refuses(set)),
      blockerOf: (set, content) => blocker("blockerOf", () => markers.blockerOf(set, content)),
    };
  }

  #migration(migration: MigrationFeature): MigrationFeature {
    return {
      outdated: (name, content, target) => {
        try {
          const moves = this.#calls.atOnce("outdated", () =>
            migration.outdated(name, content, target),
          );
          this.#calls.check("outdated", wrongMoves(moves, name));
          return moves;
        } catch (error) {
          const hold = { ...this.#blocker(error), provenance: null };
          const key = { name, type: "TXT", setIdentifier: null };
          return { name, changes: [], holds: [holdAt(key, hold)] };
        }
      },
    };
  }

  /** Also where it keeps nothing outside of the zone. */
  #store(store: ExternalStore | undefined): ExternalStore {
    const calls = this.#calls;
    const staleness = () => calls.atOnce("isStale", () => store?.isStale === true);
    const isStale = (): boolean => {
      try {
        return this.#isUnconfirmed || staleness();
      } catch {
        // `refresh` says so.
        return true;
      }
    };
    return {
      get isStale() {
        return isStale();
      },
      refresh: async () => {
        const names = await calls.within("refresh", () => store?.refresh() ?? []);
        calls.check("refresh", wrongNames(names, null));
        calls.check("refresh", staleness() ? "the store is stale as before" : null);
        this.#isUnconfirmed = false;
        return names;
      },
      recordIntents: (groups) =>
        calls.within("recordIntents", () => store?.recordIntents(groups) ?? undefined),
      resync: (...given) => calls.within("resync", () => store?.resync(...given) ?? undefined),
    };
  }

  /** `self`: a name that must be among them; null = none. */
  #names(
    what: "affected" | "related" | "dependentNames" | "namesOfPermits",
    call: () => readonly string[],
    self: string | null,
  ): readonly string[] {
    const names = this.#calls.atOnce(what, call);
    this.#calls.check(what, wrongNames(names, self));
    return names;
  }

  /** Logs it, too: no object may want what is held for it. */
  #blocker(error: unknown): Blocker {
    const message = messageOf(error);
    this.#log.warn("a registry of a plug-in failed", { code: "PluginFailed", message });
    return { code: "PluginFailed", message };
  }
}
