/**
 * What requests and answers of the local API have in common: the headers by which it tells programs
 * what its text tells people, how a request is refused, and how names and limits in queries are
 * read.
 */
import { type DnsName, parseZoneName } from "@zonekeeper/dns/names/dns-name";

/**
 * In requests: the token. A header of its own, because the API server keeps `authorization` for
 * itself when it passes a request on to a Pod.
 */
export const TOKEN_HEADER = "x-zonekeeper-token";
/**
 * In requests with a token of a user of the cluster: the namespaces whose names are asked for,
 * separated by commas.
 */
export const NAMESPACES_HEADER = "x-zonekeeper-namespaces";
/**
 * In answers of `/api/v1/plan` and `/api/v1/registry/migrate`: number of names that are not as
 * wanted.
 */
export const OPEN_NAMES_HEADER = "zonekeeper-open-names";
/**
 * In answers of `/api/v1/explain`: `settled`, `open`, `unknown` or `trouble`, over all zones that
 * could hold the name.
 */
export const NAME_VERDICT_HEADER = "zonekeeper-name-verdict";
/**
 * In answers: number of zones, providers and names about which nothing is known: not read, failed,
 * or without a provider.
 */
export const UNKNOWN_ZONES_HEADER = "zonekeeper-unknown-zones";
/**
 * In answers to a POST to `/api/v1/ownership` that did nothing: `unseen` = no preview was shown
 * before, `changed` = the preview showed another state.
 */
export const SHOWN_HEADER = "zonekeeper-shown";
/**
 * In answers of `/api/v1/ownership`: number of records that a person named and that stay as they
 * are.
 */
export const REFUSED_HEADER = "zonekeeper-refused-records";
/** In answers of `/api/v1/registry/migrate`: number of names whose markers cannot be rewritten. */
export const STUCK_NAMES_HEADER = "zonekeeper-stuck-names";

/** Why a request is not answered. */
export interface Refusal {
  /** Of HTTP. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** True for a refusal. */
export function isRefusal(answer: object): answer is Refusal {
  return "status" in answer;
}

/** Thrown where a request is refused; the API answers it with code and message. */
export class Refused extends Error implements Refusal {
  readonly status: number;
  readonly code: string;

  constructor({ status, code, message }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The refusal of a query that is not understood. */
export function invalidQuery(message: string): Refused {
  return new Refused({ status: 400, code: "InvalidQuery", message });
}

/** The name; null = not given. Refuses a text that is no name, and names the field. */
export function askedName(field: string, text: string | undefined): DnsName | null {
  if (text === undefined) return null;
  const name = parseZoneName(text);
  if (name.ok) return name.value;
  throw invalidQuery(`${field}: ${name.error}`);
}

/** How many things are asked for: 1 to `most`. Refuses another text. */
export function askedLimit(text: string, most: number): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw invalidQuery(`limit: ${text} is no number from 1 to ${most}`);
}
