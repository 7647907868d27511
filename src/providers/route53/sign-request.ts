/**
 * AWS Signature Version 4 of a request with a form as its body (IAM User Guide, "Create a signed
 * AWS API request"). For STS alone: requests to Route 53 are signed by the SDK. Pure.
 */
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { StaticCredentials } from "./options.ts";

/** What is signed. */
export interface SignedRequest {
  readonly method: string;
  readonly host: string;
  /** `a=1&b=2`, sorted and encoded; empty = none. */
  readonly query?: string;
  readonly body: string;
  readonly service: string;
  readonly region: string;
  readonly credentials: StaticCredentials;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

const CONTENT_TYPE = "application/x-www-form-urlencoded; charset=utf-8";
const ALGORITHM = "AWS4-HMAC-SHA256";

/** The headers of the request to `/`, all but `host`. */
export function signedHeaders(request: SignedRequest, crypto: Crypto): HttpHeaders {
  const time = new Date(request.nowMs).toISOString().replace(/[-:]|\.\d+/g, "");
  const { credentials, region, service } = request;
  const token = credentials.sessionToken;
  const headers: Record<string, string> = {
    "content-type": CONTENT_TYPE,
    host: request.host,
    "x-amz-date": time,
    ...(token === undefined ? {} : { "x-amz-security-token": token }),
  };
  const names = Object.keys(headers).sort().join(";");
  const lines = Object.entries(headers)
    .sort()
    .map(([name, value]) => `${name}:${value}\n`);
  const hash = (text: string): string => hex(crypto.hash("sha256", bytes(text)));
  const body = hash(request.body);
  const canonical = [request.method, "/", request.query ?? "", lines.join(""), names, body];
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, time, scope, hash(canonical.join("\n"))].join("\n");
  const key = scope
    .split("/")
    .reduce(
      (secret, part) => crypto.hmac("sha256", secret, bytes(part)),
      bytes(`AWS4${credentials.secretAccessKey}`),
    );
  const signature = hex(crypto.hmac("sha256", key, bytes(text)));
  const { host: _host, ...sent } = headers;
  const credential = `Credential=${credentials.accessKeyId}/${scope}`;
  return {
    ...sent,
    authorization: `${ALGORITHM} ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function hex(data: Uint8Array): string {
  return [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
