/** One call of a JSON API over the HTTP port. It repeats nothing, and judges no status. */
import { jsonIn } from "@zonekeeper/base/json-text";
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient, VendorRequest } from "../../ports/vendor-http.ts";
import { collectBody } from "./collect-body.ts";
import { retryAfterMs } from "./failed-calls.ts";

/** What is sent. */
export interface JsonCall extends Omit<VendorRequest, "body"> {
  /** Null = none. */
  readonly body: Fields | readonly Fields[] | null;
}

/** What came. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** True for 200 to 299. */
  readonly isGood: boolean;
  readonly text: string;
  /** Undefined = the text is no JSON. */
  readonly json: unknown;
  /** Milliseconds; null = the answer does not say. */
  readonly retryAfterMs: number | null;
}

/** Throws OperationError where nobody answers, or nothing may be changed. */
export async function callJson(
  client: VendorClient,
  { headers, body, ...call }: JsonCall,
): Promise<JsonAnswer> {
  const response = await client.send({
    ...call,
    headers: {
      accept: "application/json",
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === null ? null : new TextEncoder().encode(JSON.stringify(body)),
  });
  const { status } = response;
  const text = new TextDecoder().decode(await collectBody(response.body));
  return {
    status,
    headers: response.headers,
    isGood: status >= 200 && status < 300,
    text,
    json: jsonIn(text),
    retryAfterMs: retryAfterMs(response.headers),
  };
}
