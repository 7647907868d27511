/**
 * A session whose calls are counted, with the names of Gardener's external-dns-management for them
 * (`list_zones`, `update_records` …) and ours for those that it has no name for. Changes no call.
 */
import type { Zone } from "../../model/zone.ts";
import { type ProviderSession, sessionAround } from "../../providers/provider.ts";

/** Called for each call; `zone`: its id, null = of no zone. `by` is 1 or more. */
export type CountRequest = (request: string, zone: string | null, by?: number) => void;

/** Where the provider takes one record set a call: the counted name, by what is done to it. */
const BY_OPERATION = {
  create: "create_records",
  replace: "update_records",
  remove: "delete_records",
} as const;

/** The same session to whoever calls it. Failed calls count, too. */
export function countedSession(session: ProviderSession, count: CountRequest): ProviderSession {
  const pages = new ZonePages(count);
  const countedAs =
    (request: string) =>
    <A extends readonly [Zone, ...unknown[]], T>(method: (...call: A) => T) =>
    (...call: A): T => {
      count(request, call[0].id);
      return method(...call);
    };
  return sessionAround(session, {
    zones: (method) => (signal) => {
      count("list_zones", null);
      return pages.during("zones", () => method(signal));
    },
    pace: (method) => (before) =>
      method(() => {
        pages.isRead();
        return before();
      }),
    records: (method) => async (zone, names, signal) => {
      count("list_records", zone.id);
      const snapshot = await pages.during("records", () => method(zone, names, signal));
      const further = (snapshot.pages ?? 1) - 1;
      if (further > 0) count("list_records_pages", zone.id, further);
      return snapshot;
    },
    apply: (method) => (zone, groups, signal) => {
      const isOneCall = session.capabilities.atomicity === "zone";
      const requests = isOneCall
        ? ["update_records"]
        : groups.flatMap(({ changes }) => changes.map(({ op }) => BY_OPERATION[op]));
      for (const request of requests) count(request, zone.id);
      return method(zone, groups, signal);
    },
    changeToken: countedAs("get_change_token"),
    changesSince: countedAs("list_changes"),
    propagationOf: countedAs("get_change"),
  });
}

/**
 * Counts the further pages of listings of zones; a session says of each page only that it is read
 * (`pace`). While records are read at the same time, the page is theirs: their count comes with the
 * answer (`pages`).
 */
class ZonePages {
  readonly #count: CountRequest;
  readonly #running = { zones: 0, records: 0 };

  constructor(count: CountRequest) {
    this.#count = count;
  }

  async during<T>(what: "zones" | "records", call: () => Promise<T>): Promise<T> {
    this.#running[what] += 1;
    try {
      return await call();
    } finally {
      this.#running[what] -= 1;
    }
  }

  isRead(): void {
    const { zones, records } = this.#running;
    if (zones > 0 && records === 0) this.#count("list_zones_pages", null);
  }
}
