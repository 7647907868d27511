/**
 * Credentials of a role: AssumeRole of AWS STS with the credentials of somebody who may assume it,
 * signed by the SDK. Keeps nothing; the SDK asks again before they expire.
 */
import type { Route53Client } from "@aws-sdk/client-route-53";
import type { OperationError } from "@zonekeeper/base/operation-error";
import {
  badCredentials,
  incomplete,
  retryAfterMs,
  throttled,
  unsent,
} from "../shared/failed-calls.ts";
import { shownText } from "./failures.ts";
import type { AssumedRole, StaticCredentials } from "./options.ts";
import type { RequestHandler } from "./request-handler.ts";

/** What a role is assumed with. */
export interface RoleOptions {
  readonly role: AssumedRole;
  readonly region: string;
  /** `https://host[:port]`; null = STS of the region. */
  readonly stsEndpoint: string | null;
  /** Signs as who assumes it, and sends nothing else. */
  readonly caller: Route53Client;
  readonly handler: RequestHandler;
}

/** Credentials with their end. */
interface RoleCredentials extends StaticCredentials {
  readonly expiration: Date;
}

const CALL_TIMEOUT_MS = 30_000;
const STATUS_TOO_MANY = 429;
/** Shown as the name of the session in CloudTrail. */
const SESSION_NAME = "zonekeeper";

/** Throws OperationError: `ProviderCredentials` where STS refuses. */
export async function assumeRole(options: RoleOptions): Promise<RoleCredentials> {
  const { role, region, caller, handler } = options;
  const signer = await caller.config.signer({
    name: "sigv4",
    signingName: "sts",
    signingRegion: region,
    properties: {},
  });
  const request = await signer.sign(requestOf(options));
  const abortSignal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const { response } = await handler.handle(request, { abortSignal, changes: null });
  const text = new TextDecoder().decode(response.body);
  const found = credentialsIn(text);
  if (response.statusCode === 200 && found !== null) return found;
  throw refused(role, text, response);
}

function requestOf({ role, region, stsEndpoint }: RoleOptions) {
  // AWS General Reference, "STS endpoints".
  const own = `https://sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  const { protocol, hostname, port, host } = new URL(stsEndpoint ?? own);
  return {
    method: "POST",
    protocol,
    hostname,
    ...(port === "" ? {} : { port: Number(port) }),
    path: "/",
    query: {},
    headers: { host, "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: new URLSearchParams({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: role.arn,
      RoleSessionName: SESSION_NAME,
      ...(role.externalId === null ? {} : { ExternalId: role.externalId }),
    }).toString(),
  };
}

function refused(
  role: AssumedRole,
  text: string,
  { statusCode: status, headers }: { readonly statusCode: number; readonly headers: object },
): OperationError {
  const code = fieldIn(text, "Code") ?? `HTTP status ${status}`;
  const reason = fieldIn(text, "Message");
  const shown = reason === null ? "" : `: ${shownText(reason.replaceAll("&#39;", "'"))}`;
  const message = `the role ${role.arn} cannot be assumed: ${code}${shown}`;
  if (/Throttling|RequestLimitExceeded/.test(code) || status === STATUS_TOO_MANY)
    return throttled(message, retryAfterMs(headers), null);
  if (status < 400 || status >= 500) return unsent(incomplete(message));
  return badCredentials(
    `${message}; let the role trust the identity and the external id of the Secret, or correct it`,
  );
}

function credentialsIn(text: string): RoleCredentials | null {
  const accessKeyId = fieldIn(text, "AccessKeyId");
  const secretAccessKey = fieldIn(text, "SecretAccessKey");
  const sessionToken = fieldIn(text, "SessionToken");
  const expiration = new Date(fieldIn(text, "Expiration") ?? Number.NaN);
  if (accessKeyId === null || secretAccessKey === null || sessionToken === null) return null;
  if (Number.isNaN(expiration.getTime())) return null;
  return { accessKeyId, secretAccessKey, sessionToken, expiration };
}

/** Its text; null = there is no such element. */
function fieldIn(text: string, name: string): string | null {
  return new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(text)?.[1] ?? null;
}
