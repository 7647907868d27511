/**
 * Settings of an aws-route53 account: the Secret's keys as Gardener has them, and `providerConfig`.
 * Checks and parses only; problems name the key and never its value.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import {
  configProblem,
  type FieldChecks,
  isSafeOrigin,
  readConfig,
  readSecret,
  type SecretKeys,
  type SecretValues,
  secretProblem,
  zoneTypeOf,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface Route53Options {
  /** Null = the ways that the program's own surroundings offer (IRSA, Pod Identity, instance). */
  readonly credentials: StaticCredentials | null;
  /** Assumed with the credentials above; null = they are used themselves. */
  readonly role: AssumedRole | null;
  readonly region: string;
  /** `https://host[:port]` of a compatible service; null = that of the region. */
  readonly endpoint: string | null;
  /** As `endpoint`, of STS; null = that of the region. */
  readonly stsEndpoint: string | null;
  /** Only zones of this kind; null = both. */
  readonly zoneType: "public" | "private" | null;
  /** `endpoint` is an emulator, which takes no deletion and creation of one set in a call. */
  readonly isEmulator: boolean;
}

/** A key of an IAM user, or of a session. */
export interface StaticCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A role of IAM, perhaps of another account. */
export interface AssumedRole {
  readonly arn: string;
  /** Null = the role asks for none. */
  readonly externalId: string | null;
}

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  AWS_ACCESS_KEY_ID: "accessKeyID",
  AWS_SECRET_ACCESS_KEY: "secretAccessKey",
  AWS_SESSION_TOKEN: "sessionToken",
  AWS_REGION: "region",
  AWS_USE_CREDENTIALS_CHAIN: "useCredentialsChain",
  AWS_ROLE_ARN: "roleARN",
  AWS_EXTERNAL_ID: "externalID",
};
/** Route 53 is one service of the whole partition (AWS General Reference, "Route 53 endpoints"). */
const REGION_DEFAULT = "us-east-1";
/** A country or partition, a direction and a number: so are all regions of all partitions. */
const REGION =
  /^([a-z]{2}|us-gov|(us|eu)-iso[a-z]?|eusc-[a-z]{2})-(central|(north|south)(east|west)?|east|west)-\d{1,2}$/;

/** All problems at once. `mayBorrow`: the account may use the program's own identity (Z-29). */
export function parseOptions(
  { secret, config }: ProviderSettings,
  mayBorrow: boolean,
): Result<Route53Options, readonly Problem[]> {
  const problems: Problem[] = [];
  const values = readSecret(secret, KEYS, problems);
  const { endpoint, stsEndpoint, zoneType, emulator } = readConfig(config, CONFIG_CHECKS, problems);
  const credentials = credentialsOf(values, mayBorrow, problems);
  const role = roleOf(values, problems);
  const region = values["AWS_REGION"] ?? REGION_DEFAULT;
  if (!REGION.test(region))
    problems.push(secretProblem("AWS_REGION", "is no region", "write one such as eu-central-1"));
  const isEmulator = emulator === true;
  if (isEmulator && !isOtherService(endpoint))
    problems.push(configProblem("emulator", "goes with an endpoint that is not AWS's"));
  if (problems.length > 0) return fail(problems);
  return ok({
    isEmulator,
    credentials,
    role,
    region,
    endpoint: isSafeOrigin(endpoint) ? endpoint.replace(/\/$/, "") : null,
    stsEndpoint: isSafeOrigin(stsEndpoint) ? stsEndpoint.replace(/\/$/, "") : null,
    zoneType: zoneTypeOf(zoneType),
  });
}

/** True for an endpoint that is not one of AWS itself. */
export function isOtherService(endpoint: unknown): boolean {
  if (!isSafeOrigin(endpoint)) return false;
  return !/(^|\.)(amazonaws\.com(\.cn)?|api\.aws)$/i.test(new URL(endpoint).hostname);
}

/** Null = it may be one. */
function secretTrouble(secretAccessKey: string | undefined): string | null {
  if (secretAccessKey === undefined) return "is missing";
  // Long-term and temporary ids (IAM User Guide, "unique identifiers").
  return /^A[KS]IA[A-Z0-9]{16}$/.test(secretAccessKey)
    ? "holds the id of an access key, and no secret"
    : null;
}

function credentialsOf(
  values: SecretValues,
  mayBorrow: boolean,
  problems: Problem[],
): StaticCredentials | null {
  const accessKeyId = values["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = values["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = values["AWS_SESSION_TOKEN"];
  const chain = values["AWS_USE_CREDENTIALS_CHAIN"];
  if (chain !== undefined) {
    checkChain(
      {
        chain,
        hasKey: [accessKeyId, secretAccessKey, sessionToken].some((one) => one !== undefined),
        mayBorrow,
      },
      problems,
    );
    return null;
  }
  if (accessKeyId === undefined || !/^[A-Za-z0-9]{16,128}$/.test(accessKeyId))
    problems.push(
      secretProblem(
        "AWS_ACCESS_KEY_ID",
        accessKeyId === undefined ? "is missing" : "is no access key id",
        "write the id of the access key, such as AKIA followed by 16 letters and digits",
      ),
    );
  const trouble = secretTrouble(secretAccessKey);
  if (trouble !== null)
    problems.push(
      secretProblem("AWS_SECRET_ACCESS_KEY", trouble, "write the secret of the access key"),
    );
  return {
    accessKeyId: accessKeyId ?? "",
    secretAccessKey: secretAccessKey ?? "",
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
}

/** IAM reference, "IAM identifiers"; API reference of STS, AssumeRole: ExternalId. */
const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;
const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/;

function roleOf(values: SecretValues, problems: Problem[]): AssumedRole | null {
  const { AWS_ROLE_ARN: arn, AWS_EXTERNAL_ID: externalId } = values;
  const problem = (key: string, trouble: string, remedy: string): void => {
    problems.push(secretProblem(key, trouble, remedy));
  };
  if (arn !== undefined && !ROLE_ARN.test(arn))
    problem("AWS_ROLE_ARN", "is no ARN of a role", "write arn:aws:iam::123456789012:role/NAME");
  if (externalId !== undefined && arn === undefined)
    problem("AWS_EXTERNAL_ID", "is given without a role", "write AWS_ROLE_ARN, or leave it out");
  if (externalId !== undefined && !EXTERNAL_ID.test(externalId))
    problem("AWS_EXTERNAL_ID", "is no external id", "write the one that the role's trust asks for");
  return arn === undefined ? null : { arn, externalId: externalId ?? null };
}

function checkChain(
  given: { readonly chain: string; readonly hasKey: boolean; readonly mayBorrow: boolean },
  problems: Problem[],
): void {
  const problem = (trouble: string, remedy: string): void => {
    problems.push(secretProblem("AWS_USE_CREDENTIALS_CHAIN", trouble, remedy));
  };
  if (given.chain !== "true") problem("must be true or absent", "correct it");
  if (given.hasKey)
    problem("is given with an access key, its secret or its token", "leave one of them out");
  if (!given.mayBorrow)
    problem(
      "would use this program's own identity, which this namespace may not",
      "write an access key, or ask whoever runs this program for --provider-trusted-namespaces",
    );
}

/** What each field must be. Gardener's `batchSize` is taken and has no effect. */
const CONFIG_CHECKS: FieldChecks = {
  endpoint: [
    isSafeOrigin,
    "must be an address such as https://route53.example.com, without a path; http is for loopback only",
  ],
  stsEndpoint: [
    isSafeOrigin,
    "must be an address such as https://sts.example.com, without a path; http is for loopback only",
  ],
  zoneType: [(value) => zoneTypeOf(value) !== null, "must be public or private"],
  emulator: [(value) => typeof value === "boolean", "must be true or false"],
  batchSize: [(value) => typeof value === "number", "must be a number"],
};
