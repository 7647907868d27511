/**
 * Readers: people and programs with a token of a user of the cluster. Asks the API server who they
 * are (TokenReview) and whether they may see or order names of their namespaces
 * (SubjectAccessReview), by the rights on DNSEntries that teams have already. What is not certain
 * is refused. A token is kept as a hash, and sent to the API server only.
 */
import { createHash } from "node:crypto";
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { Access } from "@zonekeeper/kube/client/access/reviews";
import { POD } from "@zonekeeper/kube/objects/kinds";
import { DNS_ENTRY } from "../../../model/kinds.ts";
import type { Instance, UserReviews } from "../../compose/instance.ts";
import type { Refusal } from "../exchange.ts";
import { countNames, type ReaderScope, viewOf } from "./reader-view.ts";

/** A token, and the namespaces that are asked for. */
export interface GivenToken {
  readonly token: string;
  /** Empty = everything is asked for. */
  readonly namespaces: readonly string[];
}

/** A reader who was let in. */
export interface Reader {
  /** The instance as the reader may see it. */
  readonly instance: Instance;
  /** Equal for readers who see the same. */
  readonly key: string;
}

/**
 * The right that a route needs: to read names of the given namespaces, to order about them, or
 * (`whole`) to see everything.
 */
export type ReaderUse = "read" | "order" | "whole";

const NAMESPACES_MAX = 32;
/** Most characters of a token; those of service accounts have some 1 000. */
const TOKEN_MAX = 16_384;
/**
 * Milliseconds for which an answer about a reader counts; for orders the API server is asked each
 * time.
 */
const KEPT_MS = 30_000;
/**
 * For the number of names that a reader sees: so many milliseconds, and so many times what counting
 * took.
 */
const COUNTS_KEPT_MS = 10_000;
const COUNTS_KEPT_TIMES = 50;
const KEPT_MAX = 1_024;
/** Most reviews at a time; more are refused. */
const ASKING_MAX = 32;

/** The routes that readers may use. All others need the token of the API. */
export const READER_ROUTES: Readonly<Record<string, ReaderUse>> = {
  "GET /api/v1/session": "read",
  "POST /api/v1/session/end": "read",
  "GET /api/v1/leading": "read",
  "GET /api/v1/zones": "read",
  "GET /api/v1/names": "read",
  "GET /api/v1/explain/:name": "read",
  "GET /api/v1/plan": "read",
  "GET /api/v1/holds": "read",
  "GET /api/v1/held-sets/:hash": "read",
  "GET /api/v1/restore/:hash": "read",
  "GET /api/v1/history": "read",
  "GET /api/v1/series": "read",
  "GET /api/v1/undo": "read",
  "GET /api/v1/imports": "read",
  "GET /api/v1/events": "read",
  "GET /api/v1/pause": "read",
  "GET /api/v1/ownership": "read",
  "POST /api/v1/approve/:hash": "order",
  "POST /api/v1/undo": "order",
  "POST /api/v1/pause": "order",
  "POST /api/v1/resume": "order",
  "GET /api/v1/clusters": "whole",
  "GET /api/v1/export/external-dns": "whole",
};

interface Kept {
  untilMs: number;
  readonly made: Promise<unknown>;
}

/** There is one for each listener. */
export class ClusterReaders {
  readonly #instance: Instance;
  readonly #nowMs: () => number;
  readonly #kept = new BoundedMap<string, Kept>(KEPT_MAX);
  #asking = 0;

  constructor(instance: Instance, nowMs: () => number = () => performance.now()) {
    this.#instance = instance;
    this.#nowMs = nowMs;
  }

  /** True = tokens of users of the cluster are accepted. */
  get isOpen(): boolean {
    return this.#instance.reviews !== undefined;
  }

  /**
   * The reader, or why it is refused. `use` undefined = the route is not for readers. Never
   * rejects.
   */
  async admit(given: GivenToken, use: ReaderUse | undefined): Promise<Reader | Refusal> {
    const { reviews } = this.#instance;
    if (reviews === undefined) return UNKNOWN_TOKEN;
    if (reviews === null) return failed("the cluster has not told its id yet");
    const wrong = troubleWith(given);
    if (wrong !== null) return wrong;
    try {
      return await this.#admit(reviews, given, use);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      // A message of the API server may repeat the token.
      return failed(`the API server does not answer it (${error.code})`);
    }
  }

  async #admit(
    reviews: UserReviews,
    { token, namespaces }: GivenToken,
    use: ReaderUse | undefined,
  ): Promise<Reader | Refusal> {
    const hash = createHash("sha256").update(token).digest("base64");
    const user = await this.#known(`user ${hash}`, KEPT_MS, () =>
      this.#review(() => reviews.userOf(token)),
    );
    if (user === null) return UNKNOWN_TOKEN;
    const isOrder = use === "order";
    const isAllowed = (access: Access): Promise<boolean> =>
      this.#known(`${hash} ${JSON.stringify(access)}`, isOrder ? 0 : KEPT_MS, () =>
        this.#review(() => reviews.isAllowed(user, access)),
      );
    if (namespaces.length === 0) {
      const mayAll = await isAllowed({ ...EVERYTHING, namespace: reviews.namespace });
      if (!mayAll)
        return refused(`name your namespaces, or get pods/proxy in ${reviews.namespace}`);
      if (use === undefined || isOrder)
        return refused(
          "who sees everything by a token of the cluster orders nothing: name the namespaces whose names are meant, or use the token of the API",
        );
      // No namespace is called so.
      return { instance: this.#instance, key: "*" };
    }
    if (use === undefined || use === "whole")
      return refused("this is not about names of namespaces: it needs the token of the API");
    const verb = isOrder ? "update" : "get";
    const allowed = await Promise.all(
      namespaces.map((namespace) => isAllowed({ ...ENTRIES, verb, namespace })),
    );
    const denied = namespaces.filter((_, index) => allowed[index] !== true);
    if (denied.length > 0)
      return refused(`you may not ${verb} dnsentries.dns.gardener.cloud in ${denied.join(", ")}`);
    const scope = { cluster: reviews.cluster, namespaces: new Set(namespaces) };
    const key = [...scope.namespaces].sort().join(",");
    const counts: ReaderScope["counts"] = await this.#known(`count ${key}`, COUNTS_KEPT_MS, () =>
      this.#countNames(key, scope),
    );
    return { instance: viewOf(this.#instance, { ...scope, counts }), key };
  }

  /**
   * Counts the names of a scope, which reads every name. The longer it takes, the longer the count
   * is kept.
   */
  async #countNames(key: string, scope: Omit<ReaderScope, "counts">) {
    const fromMs = this.#nowMs();
    const counts = await countNames(this.#instance.work, scope);
    const tookMs = this.#nowMs() - fromMs;
    const kept = this.#kept.get(`count ${key}`);
    if (kept !== undefined) kept.untilMs += COUNTS_KEPT_TIMES * tookMs;
    return counts;
  }

  /** The kept answer, or a new one; callers at the same time share it. A failure is not kept. */
  #known<T>(key: string, keptMs: number, make: () => Promise<T>): Promise<T>;
  #known(key: string, keptMs: number, make: () => Promise<unknown>): Promise<unknown> {
    const known = this.#kept.get(key);
    if (keptMs > 0 && known !== undefined && known.untilMs > this.#nowMs()) return known.made;
    const made = make();
    this.#kept.set(key, { untilMs: this.#nowMs() + keptMs, made });
    made.catch(() => this.#kept.delete(key));
    return made;
  }

  async #review<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#asking >= ASKING_MAX) throw retryable("TooManyReviews", "");
    this.#asking += 1;
    try {
      return await ask();
    } finally {
      this.#asking -= 1;
    }
  }
}

/** As a header or a form has them: separated by commas. */
export function namespacesIn(text: string): readonly string[] {
  return [...new Set(text.split(",").map((one) => one.trim()))].filter(Boolean);
}

const ENTRIES = { kind: DNS_ENTRY, subresource: null, name: null } as const;
const EVERYTHING = { kind: POD, subresource: "proxy", verb: "get", name: null } as const;

const UNKNOWN_TOKEN: Refusal = {
  status: 401,
  code: "Unauthorized",
  message: "this is neither the token of the API nor one that the cluster knows now",
};

function failed(why: string): Refusal {
  const message = `whose the token is cannot be said now: ${why}. Nothing was done; try again`;
  return { status: 503, code: "ReviewFailed", message };
}

function refused(message: string): Refusal {
  return { status: 403, code: "ReaderRefused", message };
}

function troubleWith({ token, namespaces }: GivenToken): Refusal | null {
  if (token.length > TOKEN_MAX || !/^[\x21-\x7e]+$/.test(token)) return UNKNOWN_TOKEN;
  const wrong = namespaces.find((one) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(one));
  if (wrong === undefined && namespaces.length <= NAMESPACES_MAX) return null;
  const message =
    wrong === undefined
      ? `${namespaces.length} namespaces are named; ${NAMESPACES_MAX} at most are looked at together`
      : `${JSON.stringify(wrong.slice(0, 100))} is no name of a namespace`;
  return { status: 400, code: "InvalidQuery", message };
}
