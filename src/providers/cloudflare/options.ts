/**
 * Settings of a cloudflare-dns account: the Secret's keys as Gardener has them, and
 * `providerConfig`. Checks and parses only; problems name the key and never its value.
 */
import type { Problem } from "../../model/problem.ts";
import {
  type FieldChecks,
  originCheck,
  originOf,
  type SecretKeys,
  type SecretValues,
  secretProblem,
  settingsParser,
  ZONE_TYPE_CHECK,
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

/** A global key has 37 hexadecimal digits, and is often taken for a token. */
const NO_GLOBAL_KEY = /^(?![0-9a-f]{37}$)/;

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  CLOUDFLARE_API_TOKEN: {
    other: "apiToken",
    checks: [
      [
        NO_GLOBAL_KEY,
        "holds a global API key",
        "write an API token, or the key as CLOUDFLARE_API_KEY with CLOUDFLARE_EMAIL",
      ],
    ],
  },
  CLOUDFLARE_API_KEY: "apiKey",
  CLOUDFLARE_EMAIL: "email",
};

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  endpoint: originCheck("https://api.example.com"),
  zoneType: ZONE_TYPE_CHECK,
};

/** All problems at once. */
export const parseOptions = settingsParser<CloudflareOptions>(
  KEYS,
  CONFIG_CHECKS,
  ({ values, fields: { endpoint, zoneType }, problems }) => ({
    credentials: credentialsOf(values, problems),
    origin: originOf(endpoint, ORIGIN_DEFAULT),
    zoneType: zoneTypeOf(zoneType),
  }),
);

function credentialsOf(values: SecretValues, problems: Problem[]): CloudflareCredentials {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_KEY: key, CLOUDFLARE_EMAIL: email } = values;
  const problem = (of: string, trouble: string, remedy: string): void => {
    problems.push(secretProblem(of, trouble, remedy));
  };
  const isUserGiven = (key ?? email) !== undefined;
  if (token !== undefined) {
    const other = key === undefined ? "CLOUDFLARE_EMAIL" : "CLOUDFLARE_API_KEY";
    if (isUserGiven)
      problem(other, "is given with an API token", "leave the key and its email out");
    return { token };
  }
  if (!isUserGiven) {
    const remedy = "write an API token that may read the zone and edit its DNS";
    problem("CLOUDFLARE_API_TOKEN", "is missing", remedy);
  } else if (key === undefined)
    problem("CLOUDFLARE_API_KEY", "is missing beside the email", "write the global key");
  else if (email === undefined) {
    const remedy = "write the address of the key's user, or an API token in place of both";
    problem("CLOUDFLARE_EMAIL", "is missing beside the key", remedy);
  }
  return { key: key ?? "", email: email ?? "" };
}
