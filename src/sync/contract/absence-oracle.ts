/** What is known about the objects that markers name (Z-2, Z-3). Interfaces only. */
import type { DnsName } from "../../model/dns-name.ts";

/** An object as the API server of one cluster has it now. */
export interface LiveObject {
  readonly cluster: string;
  /**
   * `metadata.generation`; null where it is another object of that name than the one that was heard
   * of.
   */
  readonly generation: number | null;
  /**
   * Of an object that contributes through others: whether it is complete and does not list the
   * name. Absent = what it wants is what it contributed in that generation.
   */
  omits?(name: DnsName): boolean;
}

/** What API servers say about an object when they are asked now. */
export type LiveAnswer =
  | { readonly is: "absent" }
  /** Wherever it was found; at least one. */
  | { readonly is: "alive"; readonly objects: readonly LiveObject[] }
  /** `code` is a hold reason: `KindGone` = not served or not allowed, `NotSynced` = no answer. */
  | {
      readonly is: "unknown";
      readonly code: "NotSynced" | "KindGone";
      /** For people. */
      readonly message: string;
    };

/**
 * Answers about objects that markers name, and about whether absence can be known at all (Z-2,
 * Z-3).
 */
export interface AbsenceOracle {
  /**
   * `open` when every enabled kind that could name things is listed completely and live; else which
   * and why.
   */
  gate(): { readonly open: true } | { readonly open: false; readonly reason: string };
  /**
   * The object in a marker's `resource`; `cluster` null = this one. `unknown` when its kind is not
   * watched and live.
   */
  object(cluster: string | null, resource: string): "alive" | "absent" | "unknown";
  /**
   * For objects that contribute through others made from them (a Service through its DNSEntries):
   * true when the object is alive and what it says now is complete and does not list the name
   * (Z-2). No method = never known.
   */
  omits?(cluster: string | null, resource: string, name: DnsName): boolean;
  /**
   * For the same objects: true when one is seen alive whose source, looked at now, lists the name
   * or cannot tell that it does not. No method = never known.
   */
  lists?(cluster: string | null, resource: string, name: DnsName): boolean;
  /**
   * True when the object is alive and its source, looked at now, lists the name without any address
   * for it. Asked before a grace that is over lets its record go (Z-4). No method = never known,
   * and nothing goes.
   */
  lacksTargets?(cluster: string | null, resource: string, name: DnsName): boolean;
  /**
   * Asks the API servers that may hold the object, past every cache; never rejects for want of an
   * answer. Asked before a removal is sent that rests on what was heard before its record was read
   * (Z-2, ADR 0021). No method = that is proof enough.
   */
  askNow?(cluster: string | null, resource: string): Promise<LiveAnswer>;
}
