/**
 * One call of a JSON API over the HTTP port, and the whole body of an answer, bounded. It repeats
 * nothing, and judges no status.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import type { HttpHeaders, HttpResponse } from "@zonekeeper/base/ports/http";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient, VendorRequest } from "../../ports/vendor-http.ts";
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
  return wholeAnswer(response);
}

/** Throws for more than 16 MB. */
export async function wholeAnswer({ status, headers, body }: HttpResponse): Promise<JsonAnswer> {
  const text = new TextDecoder().decode(await collectBody(body));
  const isGood = status >= 200 && status < 300;
  return { status, headers, isGood, text, json: jsonIn(text), retryAfterMs: retryAfterMs(headers) };
}

/** Answers are a page or an error; more is no answer of an API. */
const BODY_BYTES_MAX = 16_000_000;

/** Throws for more than 16 MB. */
export async function collectBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error(`the answer has more than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
