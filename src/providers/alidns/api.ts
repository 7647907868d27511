/**
 * The calls of Alibaba Cloud DNS that are used. All are signed POSTs to one address. A key that is
 * refused is asked for anew once where it is the program's own.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { JsonApi } from "../shared/json-api.ts";
import { countOf, type Page } from "../shared/pages.ts";
import { isAboutKey, toRefusal } from "./failures.ts";
import { AliDnsKeys } from "./keys.ts";
import { CALL_TIMEOUT_MS } from "./limits.ts";
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

/** What a listing answers: `{"Domains": {"Domain": […]}}`. */
export interface ListedCall extends Omit<AliDnsCall, "changes"> {
  readonly outer: string;
  readonly inner: string;
  readonly perPage: number;
}

/** One for each session. Calls may be made concurrently. */
export class AliDnsApi extends JsonApi<AccessKey> {
  constructor(options: AliDnsOptions, environment: ProviderEnvironment) {
    const { origin } = options;
    const { clock, crypto, random } = environment;
    const isBorrowed = options.key === null;
    const client = environment.http({ origin });
    super({
      timeoutMs: CALL_TIMEOUT_MS,
      proofs: new AliDnsKeys(options),
      isProofRefused: (answer) => isBorrowed && isAboutKey(answer),
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

  /** Page `number`, from 1. */
  async page(
    { action, parameters, outer, inner, perPage }: ListedCall,
    number: number,
    signal: AbortSignal,
  ): Promise<Page> {
    const paging = { PageNumber: String(number), PageSize: String(perPage) };
    const call = { action, parameters: { ...parameters, ...paging }, changes: null };
    const answer = await this.send(call, signal);
    const total = countOf(answer["TotalCount"]);
    const items = itemsOf(answer[outer], inner, total);
    // The answer has the size that counts: it may be smaller than what was asked for.
    const size = Math.min(countOf(answer["PageSize"]) || perPage, perPage);
    const isLast = total === null ? items.length < size : number * size >= total;
    return { items, isLast: isLast || items.length === 0, total };
  }

  /** Throws RefusedCall, or OperationError where nobody answers. */
  send({ action, parameters, changes }: AliDnsCall, signal: AbortSignal): Promise<Fields> {
    const path = `${action}?${queryOf(parameters)}`;
    return this.fields({ method: "POST", path, body: null, changes }, signal);
  }
}

/** A list of one may come as the thing itself, and an empty one as nothing. */
function itemsOf(outer: unknown, inner: string, total: number | null): readonly unknown[] {
  const value = isFields(outer) ? outer[inner] : outer;
  if (isFields(value)) return [value];
  const isNothing = value === undefined || value === null || value === "";
  if (isNothing && total !== 0 && !isFields(outer)) throw new Error("the answer holds no list");
  const items = isNothing ? [] : listOf(value);
  if (items === null) throw new Error("the answer holds no list");
  return items;
}
