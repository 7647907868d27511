/**
 * Settings of a cloudflare-dns account: the Secret's keys as Gardener has them, and
 * `providerConfig`. Checks and parses only; problems name the key and never its value.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import {
  type FieldChecks,
  isOrigin,
  isSafeOrigin,
  readConfig,
  readSecret,
  type SecretKeys,
  type SecretValues,
  secretProblem,
  zoneTypeOf,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface CloudflareOptions {
  readonly credentials: CloudflareCredentials;
  /** `https://host[:port]`, without a path. */
  readonly origin: string;
  /** Only zones of this kind; null = both. */
  readonly zoneType: "public" | "private" | null;
}

/** An API token, or the global key of a user. */
export type CloudflareCredentials =
  | { readonly token: string }
  | { readonly key: string; readonly email: string };

/** The vendor's own. */
const ORIGIN_DEFAULT = "https://api.cloudflare.com";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  CLOUDFLARE_API_TOKEN: "apiToken",
  CLOUDFLARE_API_KEY: "apiKey",
  CLOUDFLARE_EMAIL: "email",
};

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  endpoint: [
    isSafeOrigin,
    "must be an address such as https://api.example.com, without a path; http is for loopback only",
  ],
  zoneType: [(value) => zoneTypeOf(value) !== null, "must be public or private"],
};

/** All problems at once. */
export function parseOptions({
  secret,
  config,
}: ProviderSettings): Result<CloudflareOptions, readonly Problem[]> {
  const problems: Problem[] = [];
  const values = readSecret(secret, KEYS, problems);
  const { endpoint, zoneType } = readConfig(config, CONFIG_CHECKS, problems);
  const credentials = credentialsOf(values, problems);
  if (problems.length > 0) return fail(problems);
  return ok({
    credentials,
    origin: isOrigin(endpoint) ? endpoint.replace(/\/$/, "") : ORIGIN_DEFAULT,
    zoneType: zoneTypeOf(zoneType),
  });
}

function credentialsOf(values: SecretValues, problems: Problem[]): CloudflareCredentials {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_KEY: key, CLOUDFLARE_EMAIL: email } = values;
  if (token !== undefined) {
    if (key !== undefined || email !== undefined)
      problems.push(
        secretProblem(
          key === undefined ? "CLOUDFLARE_EMAIL" : "CLOUDFLARE_API_KEY",
          "is given with an API token",
          "leave the key and its email out",
        ),
      );
    checkToken(token, problems);
    return { token };
  }
  if (key === undefined && email === undefined)
    problems.push(
      secretProblem(
        "CLOUDFLARE_API_TOKEN",
        "is missing",
        "write an API token that may read the zone and edit its DNS",
      ),
    );
  else checkKey(key, email, problems);
  return { key: key ?? "", email: email ?? "" };
}

/** A global key has 37 hexadecimal digits, and is often taken for a token. */
const GLOBAL_KEY = /^[0-9a-f]{37}$/;

function checkToken(token: string, problems: Problem[]): void {
  if (GLOBAL_KEY.test(token))
    problems.push(
      secretProblem(
        "CLOUDFLARE_API_TOKEN",
        "holds a global API key",
        "write an API token, or the key as CLOUDFLARE_API_KEY with CLOUDFLARE_EMAIL",
      ),
    );
  else if (!/^[A-Za-z0-9_.-]{20,}$/.test(token))
    problems.push(
      secretProblem(
        "CLOUDFLARE_API_TOKEN",
        "is no API token",
        "write the token alone: 40 or more letters, digits, - and _",
      ),
    );
}

function checkKey(key: string | undefined, email: string | undefined, problems: Problem[]): void {
  if (key === undefined)
    problems.push(
      secretProblem("CLOUDFLARE_API_KEY", "is missing beside the email", "write the global key"),
    );
  else if (!/^[0-9A-Za-z_-]{20,}$/.test(key))
    problems.push(secretProblem("CLOUDFLARE_API_KEY", "is no global API key", "correct it"));
  if (email === undefined)
    problems.push(
      secretProblem(
        "CLOUDFLARE_EMAIL",
        "is missing beside the key",
        "write the address of the key's user, or an API token in place of both",
      ),
    );
  else if (!/^[^@]+@[^@]+$/.test(email))
    problems.push(secretProblem("CLOUDFLARE_EMAIL", "is no email address", "correct it"));
}
