/**
 * The calls of Alibaba Cloud DNS that are used, over the HTTP port. All are signed POSTs to one
 * address. A key that is refused is asked for anew once where it is the program's own; nothing else
 * is repeated.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { type Fields, fieldsOf, isFields, listOf, textOf } from "../../model/object-fields.ts";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { callJson } from "../shared/json-call.ts";
import type { Page } from "../shared/pages.ts";
import { RefusedCall } from "../shared/refused-call.ts";
import { countOf } from "./convert.ts";
import { isAboutKey, toRefusal } from "./failures.ts";
import { AliDnsKeys } from "./keys.ts";
import { CALL_TIMEOUT_MS } from "./limits.ts";
import type { AliDnsOptions } from "./options.ts";
import { queryOf, signedHeaders } from "./sign-request.ts";

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
export class AliDnsApi {
  readonly #origin: string;
  readonly #isBorrowed: boolean;
  readonly #keys: AliDnsKeys;
  readonly #client: VendorClient;
  readonly #environment: Pick<ProviderEnvironment, "clock" | "crypto" | "random">;
  readonly #stopped = new AbortController();

  constructor(options: AliDnsOptions, environment: ProviderEnvironment) {
    this.#origin = options.origin;
    this.#isBorrowed = options.key === null;
    this.#keys = new AliDnsKeys(options);
    this.#client = environment.http({ origin: options.origin });
    this.#environment = environment;
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
  async send(call: AliDnsCall, signal: AbortSignal): Promise<Fields> {
    try {
      return await this.#call(call, signal);
    } catch (error) {
      if (!this.#isBorrowed || !(error instanceof RefusedCall) || !isAboutKey(error)) throw error;
      this.#keys.forget();
      return this.#call(call, signal);
    }
  }

  close(): void {
    this.#stopped.abort();
    this.#client.close();
  }

  async #call({ action, parameters, changes }: AliDnsCall, signal: AbortSignal): Promise<Fields> {
    const query = queryOf(parameters);
    const { clock, crypto, random } = this.#environment;
    const headers = signedHeaders(
      {
        host: new URL(this.#origin).host,
        action,
        version: VERSION,
        query,
        key: await this.#keys.key(),
        nowMs: clock.nowMs(),
        nonce: random.uuid(),
      },
      crypto,
    );
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const answer = await callJson(this.#client, {
      method: "POST",
      path: query === "" ? "/" : `/?${query}`,
      headers,
      body: null,
      changes,
      signal: AbortSignal.any([signal, this.#stopped.signal, timeout]),
    });
    if (answer.isGood && !isFields(answer.json))
      throw new Error("the answer is not JSON, or not whole");
    const fields = fieldsOf(answer.json);
    // Nothing that was done has a code.
    if (!answer.isGood || textOf(fields["Code"]) !== null)
      throw toRefusal(answer, this.#isBorrowed);
    return fields;
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
