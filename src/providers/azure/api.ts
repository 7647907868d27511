/** The calls of Azure's resource manager that are used. */
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { type ApiCall, JsonApi } from "../shared/json-api.ts";
import { itemsOf, type Listing, listLinked, type Pacing } from "../shared/pages.ts";
import { unlessRefused } from "../shared/refused-call.ts";
import { isNoSet, toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, type Flavour, SETS_PER_PAGE } from "./flavours.ts";
import type { AzureOptions } from "./options.ts";
import { AzureTokens } from "./tokens.ts";

const STATUS_NO_CONTENT = 204;

/** One for each session. Calls may be made concurrently. */
export class AzureApi extends JsonApi<string> {
  readonly #origin: string;
  readonly #version: string;

  constructor(
    options: AzureOptions,
    { apiVersion }: Pick<Flavour, "apiVersion">,
    { http }: Pick<ProviderEnvironment, "http">,
  ) {
    const client = http({ origin: options.origin });
    const proofs = new AzureTokens(options, { http });
    const isOwnIdentity = options.credentials.is === "ambient";
    super({
      timeoutMs: CALL_TIMEOUT_MS,
      proofs,
      route: ({ path }, token) => ({ client, path, headers: { authorization: `Bearer ${token}` } }),
      toRefusal: (answer) => toRefusal(answer, isOwnIdentity),
      close: () => {
        proofs.close();
        client.close();
      },
    });
    this.#origin = options.origin;
    this.#version = apiVersion;
  }

  /** Complete or thrown: RefusedCall, or OperationError where nobody answers. */
  list(path: string, { pace, signal }: Pacing): Promise<Listing> {
    const first = `${this.#withVersion(path)}&$top=${SETS_PER_PAGE}`;
    return listLinked(async (next: string | null) => {
      const { value, nextLink } = await this.get(next ?? first, signal);
      return { items: itemsOf(value), next: this.#nextPath(textOf(nextLink)) };
    }, pace);
  }

  /** One record set; null = there is none. A zone that is not there has no answer to that. */
  getSet(path: string, signal: AbortSignal): Promise<Fields | null> {
    return unlessRefused(() => this.get(this.#withVersion(path), signal), isNoSet);
  }

  /** Changes something. Null = there was nothing to delete. */
  async write(call: ApiCall, signal: AbortSignal): Promise<Fields | null> {
    const sent = { ...call, path: this.#withVersion(call.path) };
    if (call.method !== "DELETE") return this.fields(sent, signal);
    const { status, json } = await this.call(sent, signal);
    return status === STATUS_NO_CONTENT ? null : fieldsOf(json);
  }

  #withVersion(path: string): string {
    return `${path}?api-version=${this.#version}`;
  }

  /** A link to another host would take the token there. */
  #nextPath(link: string | null): string | null {
    if (link === null) return null;
    const url = new URL(link, this.#origin);
    if (url.origin !== new URL(this.#origin).origin)
      throw new Error("the next page is at another host");
    return `${url.pathname}${url.search}`;
  }
}
