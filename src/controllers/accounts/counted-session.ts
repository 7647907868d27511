/**
 * A session whose calls are counted, with the names of Gardener's external-dns-management for them
 * (`list_zones`, `update_records` …) and ours for those that it has no name for. Changes no call.
 */
import type { ChangeGroup } from "../../plan/changes.ts";
import type { ProviderSession } from "../../providers/provider.ts";

/** Called for each call; `zone`: its id, null = of no zone. `by` is 1 or more. */
export type CountRequest = (request: string, zone: string | null, by?: number) => void;

/** One record set a call: named by what is done to it. */
const BY_OPERATION = {
  create: "create_records",
  replace: "update_records",
  remove: "delete_records",
} as const;

/** The same session to whoever calls it. Failed calls count, too. */
export function countedSession(session: ProviderSession, count: CountRequest): ProviderSession {
  const pages = new ZonePages(count);
  return {
    ...optionalMethods(session, count, pages),
    get capabilities() {
      return session.capabilities;
    },
    ...(session.rateKey === undefined ? {} : { rateKey: session.rateKey }),
    zones: (signal) => {
      count("list_zones", null);
      return pages.during("zones", () => session.zones(signal));
    },
    records: async (zone, names, signal) => {
      count("list_records", zone.id);
      const read = () => session.records(zone, names, signal);
      const snapshot = await pages.during("records", read);
      const further = (snapshot.pages ?? 1) - 1;
      if (further > 0) count("list_records_pages", zone.id, further);
      return snapshot;
    },
    audit: (set, zone) => session.audit(set, zone),
    normalize: (set, zone) => session.normalize(set, zone),
    apply: (zone, groups, signal) => {
      const isOneCall = session.capabilities.atomicity === "zone";
      const requests = isOneCall ? ["update_records"] : requestsOf(groups);
      for (const request of requests) count(request, zone.id);
      return session.apply(zone, groups, signal);
    },
    close: () => session.close(),
  };
}

/** A method that the session lacks must stay missing: callers ask whether it is there. */
function optionalMethods(session: ProviderSession, count: CountRequest, pages: ZonePages) {
  const pace = session.pace?.bind(session);
  const propagationOf = session.propagationOf?.bind(session);
  return {
    ...changeMethods(session, count),
    ...(session.capabilitiesOf && { capabilitiesOf: session.capabilitiesOf.bind(session) }),
    ...(session.onChangeHint && { onChangeHint: session.onChangeHint.bind(session) }),
    ...(pace && {
      pace: (before: () => Promise<void>) =>
        pace(() => {
          pages.isRead();
          return before();
        }),
    }),
    ...(propagationOf && {
      propagationOf: (...call: Parameters<typeof propagationOf>) => {
        count("get_change", call[0].id);
        return propagationOf(...call);
      },
    }),
  };
}

function changeMethods(session: ProviderSession, count: CountRequest) {
  const changeToken = session.changeToken?.bind(session);
  const changesSince = session.changesSince?.bind(session);
  return {
    ...(changeToken && {
      changeToken: (...call: Parameters<typeof changeToken>) => {
        count("get_change_token", call[0].id);
        return changeToken(...call);
      },
    }),
    ...(changesSince && {
      changesSince: (...call: Parameters<typeof changesSince>) => {
        count("list_changes", call[0].id);
        return changesSince(...call);
      },
    }),
  };
}

function requestsOf(groups: readonly ChangeGroup[]): readonly string[] {
  return groups.flatMap(({ changes }) => changes.map(({ op }) => BY_OPERATION[op]));
}

/**
 * Further pages of listings of zones. A page that is read while records are read, too, counts as
 * theirs: they say how many there were.
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
