/** Looking names up as a stub resolver does. Its answers may change values, never remove a record (Z-1). */
import type { DnsName } from "../model/dns-name.ts";

/** `unknown` = no trustworthy answer came (timeout, SERVFAIL). */
export type Resolution =
  | { readonly state: "addresses"; readonly addresses: readonly string[] }
  | { readonly state: "absent" }
  | { readonly state: "unknown"; readonly reason: string };

/** Resolves host names to addresses. */
export interface Resolver {
  addresses(name: DnsName): Promise<Resolution>;
}
