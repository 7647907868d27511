/**
 * Credentials of a role: AssumeRole of AWS STS with the credentials of somebody who may assume it.
 * Keeps nothing; the SDK asks again before they expire.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { OpenVendorHttp, VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { collectBody } from "../shared/collect-body.ts";
import { retryAfterMs, throttled } from "../shared/failed-calls.ts";
import { shownText } from "./failures.ts";
import type { AssumedRole, StaticCredentials } from "./options.ts";
import { signedHeaders } from "./sign-request.ts";

/** Credentials with their end. */
export interface RoleCredentials extends StaticCredentials {
  readonly expiration: Date;
}

/** What a role is assumed with. */
export interface RoleOptions {
  readonly role: AssumedRole;
  readonly region: string;
  /** `https://host[:port]`; null = STS of the region. */
  readonly stsEndpoint: string | null;
  /** Of who assumes it. */
  readonly source: () => Promise<StaticCredentials>;
}

const CALL_TIMEOUT_MS = 30_000;
const STATUS_TOO_MANY = 429;
/** Shown as the name of the session in CloudTrail. */
const SESSION_NAME = "zonekeeper";

/** One for each session. */
export class RoleAssumer {
  readonly #options: RoleOptions;
  readonly #environment: Pick<ProviderEnvironment, "clock" | "crypto">;
  readonly #origin: URL;
  readonly #open: OpenVendorHttp;
  #client: VendorClient | null = null;

  constructor(
    options: RoleOptions,
    environment: Pick<ProviderEnvironment, "clock" | "crypto" | "http">,
  ) {
    this.#options = options;
    this.#environment = environment;
    this.#open = environment.http;
    this.#origin = new URL(options.stsEndpoint ?? endpointOf(options.region));
  }

  /** Throws OperationError: `ProviderCredentials` where STS refuses. */
  async assume(): Promise<RoleCredentials> {
    const { role, region, source } = this.#options;
    const body = new URLSearchParams({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: role.arn,
      RoleSessionName: SESSION_NAME,
      ...(role.externalId === null ? {} : { ExternalId: role.externalId }),
    }).toString();
    const credentials = await source();
    const { host } = this.#origin;
    const nowMs = this.#environment.clock.nowMs();
    const signed = { method: "POST", host, body, service: "sts", region, credentials, nowMs };
    this.#client ??= this.#open({ origin: this.#origin.origin });
    const response = await this.#client.send({
      changes: null,
      method: "POST",
      path: "/",
      headers: signedHeaders(signed, this.#environment.crypto),
      body: new TextEncoder().encode(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const text = new TextDecoder().decode(await collectBody(response.body));
    const found = credentialsIn(text);
    if (response.status === 200 && found !== null) return found;
    throw this.#refused(text, response.status, retryAfterMs(response.headers));
  }

  close(): void {
    this.#client?.close();
  }

  #refused(text: string, status: number, afterMs: number | null): OperationError {
    const [code, reason] = [
      fieldIn(text, "Code") ?? `HTTP status ${status}`,
      fieldIn(text, "Message"),
    ];
    const message = `the role ${this.#options.role.arn} cannot be assumed: ${code}${reason === null ? "" : `: ${shownText(reason.replaceAll("&#39;", "'"))}`}`;
    if (/Throttling|RequestLimitExceeded/.test(code) || status === STATUS_TOO_MANY)
      return throttled(message, afterMs, null);
    const isRefusal = status >= 400 && status < 500;
    return new OperationError({
      code: isRefusal ? "ProviderCredentials" : "ProviderUnavailable",
      message: isRefusal
        ? `${message}; let the role trust the identity and the external id of the Secret, or correct it`
        : message,
      retry: "backoff",
      nothingSent: true,
    });
  }
}

/** AWS General Reference, "STS endpoints". */
function endpointOf(region: string): string {
  return `https://sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

function credentialsIn(text: string): RoleCredentials | null {
  const [accessKeyId, secretAccessKey] = [
    fieldIn(text, "AccessKeyId"),
    fieldIn(text, "SecretAccessKey"),
  ];
  const [sessionToken, expiration] = [fieldIn(text, "SessionToken"), fieldIn(text, "Expiration")];
  const end = new Date(expiration ?? Number.NaN);
  if (accessKeyId === null || secretAccessKey === null || sessionToken === null) return null;
  if (Number.isNaN(end.getTime())) return null;
  return { accessKeyId, secretAccessKey, sessionToken, expiration: end };
}

/** Its text; null = there is no such element. */
function fieldIn(text: string, name: string): string | null {
  return new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(text)?.[1] ?? null;
}
