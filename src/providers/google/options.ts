/**
 * Settings of a google-clouddns account: `serviceaccount.json` as Gardener has it, and
 * `providerConfig`. Checks and parses only; problems name the key and never its value.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { type Fields, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import {
  type FieldChecks,
  isAmbient,
  originCheck,
  originOf,
  type SecretKeys,
  type SecretValues,
  secretProblem,
  settingsParser,
  ZONE_TYPE_CHECK,
  zoneTypeOf,
} from "../shared/settings.ts";
import { isTokenUrl } from "../shared/token-http.ts";

/** Settings that were checked. */
export interface GoogleOptions {
  /** Null = that of the node, where the program's own identity is used. */
  readonly project: string | null;
  readonly credentials: GoogleCredentials;
  /** `https://host[:port]`, without a path. */
  readonly origin: string;
  /** Only zones of this kind; null = both. */
  readonly zoneType: "public" | "private" | null;
}

/** A key of a service account, a foreign token to exchange, or the program's own identity. */
export type GoogleCredentials =
  | {
      readonly is: "key";
      readonly email: string;
      readonly privateKey: string;
      readonly keyId: string | null;
      readonly tokenUrl: string;
    }
  | {
      readonly is: "external";
      readonly audience: string;
      readonly subjectTokenType: string;
      readonly subjectToken: string;
      readonly tokenUrl: string;
      /** Null = the exchanged token is used as it is. */
      readonly impersonationUrl: string | null;
    }
  | { readonly is: "ambient" };

/** The vendor's own. */
const ORIGIN_DEFAULT = "https://dns.googleapis.com";
const TOKEN_URL_DEFAULT = "https://oauth2.googleapis.com/token";
const EXCHANGE_URL_DEFAULT = "https://sts.googleapis.com/v1/token";
/** Hosts that may be sent a credential. */
export const TOKEN_HOSTS: ReadonlySet<string> = new Set([
  "oauth2.googleapis.com",
  "accounts.google.com",
  "www.googleapis.com",
  "sts.googleapis.com",
  "iamcredentials.googleapis.com",
]);

/** The Secret's key of a key file. */
export const ACCOUNT = "serviceaccount.json";
const TOKEN = "GOOGLE_SUBJECT_TOKEN";
const DEFAULT_CREDENTIALS = "GOOGLE_USE_DEFAULT_CREDENTIALS";
/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  [ACCOUNT]: { other: ACCOUNT, isFile: true },
  GOOGLE_PROJECT: "project",
  [TOKEN]: "token",
  [DEFAULT_CREDENTIALS]: "useDefaultCredentials",
};

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  endpoint: originCheck("https://dns.example.com"),
  zoneType: ZONE_TYPE_CHECK,
};

/** All problems at once. `mayBorrow`: the account may use the program's own identity (Z-29). */
export const parseOptions = settingsParser<GoogleOptions>(
  KEYS,
  CONFIG_CHECKS,
  ({ values, fields: { endpoint, zoneType }, mayBorrow, problems }) => {
    const account = parseAccount(values[ACCOUNT], problems);
    const others = [ACCOUNT, TOKEN].find((key) => values[key] !== undefined) ?? null;
    const ambient = { key: DEFAULT_CREDENTIALS, others, mayBorrow, instead: "a key file" };
    const credentials = isAmbient(values, ambient, problems)
      ? AMBIENT
      : credentialsOf(account, values, problems);
    const project = projectOf(account, values, problems);
    const origin = originOf(endpoint, ORIGIN_DEFAULT);
    return credentials && { project, credentials, origin, zoneType: zoneTypeOf(zoneType) };
  },
);

const OTHER_FILE =
  "is no key file of Google's: its type is neither service_account nor external_account";
const TO_EXCHANGE = "write the token to exchange; credential_source is not read";
const TOKEN_REMEDY = `write one of ${[...TOKEN_HOSTS].join(", ")}`;
const PROJECT_REMEDY = "write the id of the project that has the zones";
const AMBIENT: GoogleCredentials = { is: "ambient" };

function accountProblem(trouble: string, remedy: string): Problem {
  return secretProblem(ACCOUNT, trouble, remedy);
}

function parseAccount(text: string | undefined, problems: Problem[]): Fields | null {
  // A blank one is told already.
  if (text === undefined || text.trim() === "") return null;
  const value = jsonIn(text);
  if (isFields(value)) return value;
  problems.push(accountProblem("is no JSON object", "write the key file as it was downloaded"));
  return null;
}

/** Null = there is a problem. */
function credentialsOf(
  account: Fields | null,
  values: SecretValues,
  problems: Problem[],
): GoogleCredentials | null {
  if (account === null) {
    if (problems.every(({ subject }) => subject !== ACCOUNT))
      problems.push(accountProblem("is missing", "write the key file of a service account"));
    return null;
  }
  const token = values[TOKEN];
  const type = textOf(account["type"]);
  if (type === "external_account") return externalOf(account, token, problems);
  if (token !== undefined)
    problems.push(secretProblem(TOKEN, "is for external accounts only", "leave it out"));
  if (type === "service_account") return keyFileIn(account, problems);
  problems.push(accountProblem(OTHER_FILE, "write the key file of a service account"));
  return null;
}

function keyFileIn(account: Fields, problems: Problem[]): GoogleCredentials {
  const email = textOf(account["client_email"]) ?? "";
  const privateKey = textOf(account["private_key"]) ?? "";
  const tokenUrl = textOf(account["token_uri"]) ?? TOKEN_URL_DEFAULT;
  if (!/^[^@\s]+@[^@\s]+$/.test(email))
    problems.push(accountProblem("has no client_email", "write the whole key file"));
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+-----END/.test(privateKey))
    problems.push(accountProblem("has no private_key", "write the whole key file"));
  checkTokenUrl("token_uri", tokenUrl, problems);
  return { is: "key", email, privateKey, keyId: textOf(account["private_key_id"]), tokenUrl };
}

/** The token comes with the Secret: a file or a program of this host is never asked for it. */
function externalOf(
  account: Fields,
  subjectToken: string | undefined,
  problems: Problem[],
): GoogleCredentials {
  const audience = textOf(account["audience"]) ?? "";
  const tokenUrl = textOf(account["token_url"]) ?? EXCHANGE_URL_DEFAULT;
  const impersonationUrl = textOf(account["service_account_impersonation_url"]);
  if (audience === "")
    problems.push(accountProblem("has no audience", "write that of the identity pool's provider"));
  if (subjectToken === undefined)
    problems.push(secretProblem(TOKEN, "is missing beside an external account", TO_EXCHANGE));
  checkTokenUrl("token_url", tokenUrl, problems);
  if (impersonationUrl !== null)
    checkTokenUrl("service_account_impersonation_url", impersonationUrl, problems);
  return {
    is: "external",
    audience,
    subjectTokenType:
      textOf(account["subject_token_type"]) ?? "urn:ietf:params:oauth:token-type:jwt",
    subjectToken: subjectToken ?? "",
    tokenUrl,
    impersonationUrl,
  };
}

function checkTokenUrl(field: string, url: string, problems: Problem[]): void {
  if (!isTokenUrl(url, TOKEN_HOSTS))
    problems.push(
      accountProblem(`has a ${field} that is no token address of Google's`, TOKEN_REMEDY),
    );
}

function projectOf(
  account: Fields | null,
  values: SecretValues,
  problems: Problem[],
): string | null {
  const project = values["GOOGLE_PROJECT"] ?? (textOf(account?.["project_id"]) || null);
  if (project !== null || values[DEFAULT_CREDENTIALS] !== undefined) return project;
  const noProject = "is missing, and the key file has no project_id";
  if (problems.every(({ subject }) => subject !== ACCOUNT))
    problems.push(secretProblem("GOOGLE_PROJECT", noProject, PROJECT_REMEDY));
  return null;
}
