/**
 * The words of the conversation: one step is one HTTP request that is held with both servers.
 * `{{step.path}}` in a path or body stands for what that server answered before, e.g.
 * `{{made.metadata.resourceVersion}}`.
 */

/** JSON as steps and answers hold it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;
/** An object of it. */
export interface JsonRecord {
  readonly [key: string]: Json;
}

/**
 * Who asks: the admin, a user without rights, nobody, or somebody with a token that is not known.
 */
export type Caller = "admin" | "controller" | "nobody" | "stranger";

/** One request. */
export interface Step {
  /** Unique in the whole conversation; differences name it. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
  /** With query. */
  readonly path: string;
  /** Lower-case names; content-type defaults to JSON where there is a body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a Uint8Array or `raw` text as it is. */
  readonly body?: Json | Uint8Array;
  readonly raw?: string;
  /** Default `admin`. */
  readonly as?: Caller;
  /** A watch: as many lines are read; fewer when the server ends it, or none comes for 3 s. */
  readonly lines?: number;
  /**
   * Asked again until the status is this, because a server may do it a moment later; the last
   * answer counts.
   */
  readonly until?: number;
  /** The events of a watch may come in any order (those that say what is there already). */
  readonly unordered?: true;
}

/** How often a step with `until` is asked, and how long between two askings. */
export const UNTIL = { times: 100, everyMs: 100 } as const;

/**
 * Steps that belong together, held in order; each topic begins on the same servers and cleans up
 * after itself.
 */
export interface Topic {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** One server's answer to a step, before anything is made equal. */
export interface Answer {
  readonly status: number;
  /** Without parameters: `application/json`. */
  readonly contentType: string;
  /** The headers of it that clients read. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; a list of JSON for a watch; text where it is neither. */
  readonly body: Json;
}

/** The media types of patches. */
export const PATCH = {
  merge: { "content-type": "application/merge-patch+json" },
  strategic: { "content-type": "application/strategic-merge-patch+json" },
  json: { "content-type": "application/json-patch+json" },
  apply: { "content-type": "application/apply-patch+yaml" },
} as const;

/** An object of JSON, else null. */
export function recordOf(value: Json | undefined): JsonRecord | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : null;
}
