/**
 * The calls of Alibaba Cloud DNS that are used. All are signed POSTs to one address. A key that is
 * refused is asked for anew once where it is the program's own.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { JsonApi } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import {
  countOf,
  itemsOf,
  type Listing,
  listNumbered,
  type Pacing,
  type Page,
} from "../shared/pages.ts";
import { type RefusalRow, type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import { AliDnsKeys } from "./keys.ts";
import type { AliDnsOptions } from "./options.ts";
import { type AccessKey, queryOf, signedHeaders } from "./sign-request.ts";

const VERSION = "2015-01-09";

/** What is asked. */
export interface AliDnsCall {
  readonly action: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The apex of the zone that it changes; null = it reads. */
  readonly changes: DnsName | null;
}

/** What is listed, and where the answer has it: `{"Domains": {"Domain": […]}}`. */
export interface ListedCall extends Omit<AliDnsCall, "changes"> {
  /** For messages. */
  readonly what: string;
  readonly outer: string;
  readonly inner: string;
  readonly perPage: number;
  readonly idOf: (item: unknown) => string | null;
}

/** One for each session. Calls may be made concurrently. */
export class AliDnsApi extends JsonApi<AccessKey> {
  constructor(options: AliDnsOptions, environment: ProviderEnvironment) {
    const { origin } = options;
    const { clock, crypto, random } = environment;
    const isBorrowed = options.key === null;
    const client = environment.http({ origin });
    super({
      proofs: new AliDnsKeys(options),
      // The API took the key for a wrong one.
      isProofRefused: ({ json }) => isBorrowed && KEY.test(textOf(fieldsOf(json)["Code"]) ?? ""),
      // The path of a call is its action and its query.
      route: ({ path }, key) => {
        const [action = "", query = ""] = path.split("?");
        const of = { host: new URL(origin).host, action, version: VERSION, query, key };
        const once = { nowMs: clock.nowMs(), nonce: random.uuid() };
        const headers = signedHeaders({ ...of, ...once }, crypto);
        return { client, path: query === "" ? "/" : `/?${query}`, headers };
      },
      // Nothing that was done has a code.
      isFailure: ({ json }) => textOf(fieldsOf(json)["Code"]) !== null,
      toRefusal: (answer) => toRefusal(answer, isBorrowed),
      close: () => client.close(),
    });
  }

  /** Complete or thrown. */
  list(listed: ListedCall, { pace, signal }: Pacing): Promise<Listing> {
    const { what, idOf, action, outer, inner, perPage } = listed;
    const page = async (number: number): Promise<Page> => {
      const paging = { PageNumber: String(number), PageSize: String(perPage) };
      const parameters = { ...listed.parameters, ...paging };
      const answer = await this.send({ action, parameters, changes: null }, signal);
      const total = countOf(answer["TotalCount"]);
      const items = listedIn(answer[outer], inner, total);
      // The answer has the size that counts: it may be smaller than what was asked for.
      const size = Math.min(countOf(answer["PageSize"]) || perPage, perPage);
      const isLast = total === null ? items.length < size : number * size >= total;
      return { items, isLast: isLast || items.length === 0, total };
    };
    return listNumbered({ what, page, idOf, pace });
  }

  /** Throws RefusedCall, or OperationError where nobody answers. */
  send({ action, parameters, changes }: AliDnsCall, signal: AbortSignal): Promise<Fields> {
    const path = `${action}?${queryOf(parameters)}`;
    return this.fields({ method: "POST", path, body: null, changes }, signal);
  }
}

/** An empty list may be left out. */
function listedIn(outer: unknown, inner: string, total: number | null): readonly unknown[] {
  return itemsOf(fieldsOf(outer)[inner] ?? (total === 0 ? [] : null));
}

// What Alibaba Cloud DNS refuses, and what that means.

/** `{"RequestId", "HostId", "Code", "Message", "Recommend"}`; the ids change with each call. */
function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const fields = fieldsOf(json);
  const reason = textOf(fields["Code"]) ?? "";
  // A wrong signature is told with what was to be signed; a wrong key may be repeated.
  const message = (textOf(fields["Message"]) ?? reason)
    .replace(/[,;.]?\s*(server )?(string ?to ?sign|canonical ?request|accesskeyid)\b.*$/is, "")
    .replace(/\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b/gi, "…")
    .replace(/\.$/, "");
  const shown = json === undefined ? text : `${message}${reason && ` (${reason})`}`;
  return new RefusedCall({ status, text: shown, retryAfterMs, reason, isOwnIdentity });
}

/** "Common error codes": the key, its token or its rights are at fault, whatever the status. */
const KEY =
  /^(InvalidAccessKeyId|InvalidAccessKeySecret|InvalidSecurityToken|MissingSecurityToken|SignatureDoesNotMatch|IncompleteSignature|Forbidden|NoPermission|UserDisable)\b/;

/**
 * What the user can do about a refused record; the codes are those of the error tables of
 * "AddDomainRecord", "UpdateDomainRecord" and "DeleteDomainRecord".
 */
const REMEDIES: Readonly<Record<string, string>> = {
  DomainForbidden: "the vendor has barred changes to the zone; its console or its support says why",
  DomainRecordLocked: "unlock the record in Alibaba Cloud DNS",
  IncorrectDomainUser: "the zone has left this account; use a key of the account that has it",
  "QuotaExceeded.ARecord":
    "write fewer addresses for the name, or choose an edition of Alibaba Cloud DNS that takes more",
  "QuotaExceeded.Record": "write fewer values for the name",
  "RecordForbidden.BlackHole":
    "the vendor answers no queries for an attacked name; wait until its defence ends, or choose an edition with more of it",
};

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy:
    "correct the Secret of the DNSProvider, or give its RAM user the rights that the page of alicloud-dns names",
  rows: [
    {
      reason: /^DomainRecordConflict$/,
      is: "changed",
      code: "AliDnsConflict",
      remedy:
        "delete what conflicts in Alibaba Cloud DNS (a CNAME stands alone, and other products of the vendor may hold the name), or choose another name",
    },
    // Our own word, before anything was sent.
    { reason: /^disabled$/, is: "refused", code: "AliDnsDisabled" },
    {
      reason: /^(DomainRecordDuplicate|DomainRecordNotBelongToUser|InvalidRR\.NoExist)$/,
      is: "changed",
    },
    // Whatever the status: the vendor does not know what became of the call.
    { reason: /^(InternalError|ServiceUnavailable|UnKnownError|UnknownError)\b/, is: "unsure" },
    { reason: KEY, is: "key" },
    // "Notice on API throttling".
    { reason: /^Throttling\b/, is: "throttled" },
    // Further tries may succeed: a batch of somebody else runs, or the clock is wrong.
    {
      reason:
        /^(LastOperationNotFinished|RecordForbidden\.DNSChange|SignatureNonceUsed|InvalidTimeStamp\b.*)$/,
      is: "later",
    },
    ...Object.entries(REMEDIES).map(([code, remedy]): RefusalRow => {
      const reason = new RegExp(`^${code.replace(".", String.raw`\.`)}$`);
      return { status: /^4/, reason, is: "refused", remedy };
    }),
    { status: /^4/, reason: /./, is: "refused" },
  ],
};
