/**
 * Lists in pages. The rest of a list is kept as it was when the list began, for a limited time and number
 * of lists; a token that is no longer known is answered 410 and the client lists again.
 */
import type { Clock } from "../../ports/clock.ts";
import { badRequest, expired } from "./api-error.ts";
import type { ListMeta } from "./object-forms.ts";
import type { StoredObject } from "./served-kind.ts";

/** Some objects of a list, with the metadata of the answer. */
export interface Page {
  readonly objects: readonly StoredObject[];
  readonly meta: ListMeta;
}

/** What a list is of. */
export interface ListKind {
  readonly revision: number;
  /** True = pages say how many objects remain; false where a selector left some out (meta/v1 ListMeta). */
  readonly counted: boolean;
}

interface Snapshot extends ListKind {
  readonly objects: readonly StoredObject[];
  readonly endsAtMs: number;
}

/** How long a snapshot is kept. */
const SNAPSHOT_MS = 5 * 60_000;
/** Snapshots kept at most; the oldest goes first. */
const SNAPSHOTS_MAX = 32;

/** The lists that are being read page by page. */
export class Pages {
  readonly #clock: Clock;
  readonly #snapshots = new Map<string, Snapshot>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The first `limit` objects (0 = all). */
  first(objects: readonly StoredObject[], limit: number, list: ListKind): Page {
    const { revision, counted } = list;
    if (limit === 0 || objects.length <= limit)
      return { objects, meta: { resourceVersion: String(revision) } };
    this.#count += 1;
    const id = `${revision}.${this.#count}`;
    const endsAtMs = this.#clock.monotonicMs() + SNAPSHOT_MS;
    this.#snapshots.set(id, { objects, revision, counted, endsAtMs });
    this.#drop();
    return this.next(tokenOf(id, 0), limit);
  }

  /**
   * The objects that `token` points at. The same token gives the same answer. Throws ApiError 410, and 400 for a
   * token that is none.
   */
  next(token: string, limit: number): Page {
    const [id = "", offset = ""] = readToken(token);
    if (!/^\d+$/.test(offset)) throw badRequest("continue key is not valid");
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined || snapshot.endsAtMs < this.#clock.monotonicMs())
      throw expired("the provided continue parameter is too old; start a new list without it");
    const start = Number(offset);
    const end = limit === 0 ? snapshot.objects.length : start + limit;
    const remaining = snapshot.objects.length - end;
    const count = snapshot.counted ? { remainingItemCount: remaining } : {};
    const more = remaining > 0 ? { continue: tokenOf(id, end), ...count } : {};
    return {
      objects: snapshot.objects.slice(start, end),
      meta: { resourceVersion: String(snapshot.revision), ...more },
    };
  }

  #drop(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [id, snapshot] of this.#snapshots)
      if (snapshot.endsAtMs < nowMs || this.#snapshots.size > SNAPSHOTS_MAX)
        this.#snapshots.delete(id);
  }
}

const tokenOf = (id: string, offset: number): string => btoa(`${id}/${offset}`);

function readToken(token: string): readonly string[] {
  try {
    return atob(token).split("/");
  } catch {
    return [];
  }
}
