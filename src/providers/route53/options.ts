/**
 * Settings of an aws-route53 account: the Secret's keys as Gardener has them, and `providerConfig`.
 * Checks and parses only; problems name the key and never its value.
 */
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

const WRITE_ID = "write the id of the access key, such as AKIA followed by 16 letters and digits";
const WRITE_SECRET = "write the secret of the access key";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  AWS_ACCESS_KEY_ID: {
    other: "accessKeyID",
    checks: [[/^[A-Za-z0-9]{16,128}$/, "is no access key id", WRITE_ID]],
  },
  AWS_SECRET_ACCESS_KEY: "secretAccessKey",
  AWS_SESSION_TOKEN: "sessionToken",
  // A part of host names, of STS too, whatever regions there are.
  AWS_REGION: {
    other: "region",
    checks: [[/^[a-z0-9-]+$/, "is no region", "write one such as eu-central-1"]],
  },
  AWS_USE_CREDENTIALS_CHAIN: "useCredentialsChain",
  // IAM reference, "IAM identifiers". Messages show it: what is none may be a secret.
  AWS_ROLE_ARN: {
    other: "roleARN",
    checks: [
      [
        /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
        "is no ARN of a role",
        "write arn:aws:iam::123456789012:role/NAME",
      ],
    ],
  },
  AWS_EXTERNAL_ID: "externalID",
};
/** Route 53 is one service of the whole partition (AWS General Reference, "Route 53 endpoints"). */
const REGION_DEFAULT = "us-east-1";

/** What each field must be. Gardener's `batchSize` is taken and has no effect. */
const CONFIG_CHECKS: FieldChecks = {
  endpoint: originCheck("https://route53.example.com"),
  stsEndpoint: originCheck("https://sts.example.com"),
  zoneType: ZONE_TYPE_CHECK,
  batchSize: [(value) => typeof value === "number", "must be a number"],
};

/** All problems at once. `mayBorrow`: the account may use the program's own identity (Z-29). */
export const parseOptions = settingsParser<Route53Options>(
  KEYS,
  CONFIG_CHECKS,
  ({ values, fields, mayBorrow, problems }) => {
    const { endpoint, stsEndpoint, zoneType } = fields;
    return {
      credentials: credentialsOf(values, mayBorrow, problems),
      role: roleOf(values, problems),
      region: values["AWS_REGION"] ?? REGION_DEFAULT,
      endpoint: originOf(endpoint, null),
      stsEndpoint: originOf(stsEndpoint, null),
      zoneType: zoneTypeOf(zoneType),
    };
  },
);

const KEY_FIELDS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];

/** Null = the program's own. */
function credentialsOf(
  values: SecretValues,
  mayBorrow: boolean,
  problems: Problem[],
): StaticCredentials | null {
  const hasKey = KEY_FIELDS.some((key) => values[key] !== undefined);
  const ambient = {
    key: "AWS_USE_CREDENTIALS_CHAIN",
    others: hasKey ? "an access key, its secret or its token" : null,
    mayBorrow,
    instead: "an access key",
  };
  if (isAmbient(values, ambient, problems)) return null;
  const [accessKeyId, secretAccessKey, sessionToken] = KEY_FIELDS.map((key) => values[key]);
  if (accessKeyId === undefined)
    problems.push(secretProblem("AWS_ACCESS_KEY_ID", "is missing", WRITE_ID));
  if (secretAccessKey === undefined)
    problems.push(secretProblem("AWS_SECRET_ACCESS_KEY", "is missing", WRITE_SECRET));
  return {
    accessKeyId: accessKeyId ?? "",
    secretAccessKey: secretAccessKey ?? "",
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
}

function roleOf(values: SecretValues, problems: Problem[]): AssumedRole | null {
  const { AWS_ROLE_ARN: arn, AWS_EXTERNAL_ID: externalId } = values;
  if (externalId !== undefined && arn === undefined) {
    const remedy = "write AWS_ROLE_ARN, or leave it out";
    problems.push(secretProblem("AWS_EXTERNAL_ID", "is given without a role", remedy));
  }
  return arn === undefined ? null : { arn, externalId: externalId ?? null };
}
