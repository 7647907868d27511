/**
 * Settings of an aws-route53 account: the Secret's keys as Gardener has them, and `providerConfig`.
 * Checks and parses only; problems name the key and never its value.
 */
import type { Problem } from "../../model/problem.ts";
import { fail, ok, type Result } from "../../model/result.ts";
import type { ProviderSettings } from "../provider.ts";

/** Settings that were checked. */
export interface Route53Options {
  /** Null = the ways that the program's own surroundings offer (IRSA, Pod Identity, instance). */
  readonly credentials: StaticCredentials | null;
  readonly region: string;
  /** `https://host[:port]` of a compatible service; null = that of the region. */
  readonly endpoint: string | null;
  /** Only zones of this kind; null = both. */
  readonly zoneType: "public" | "private" | null;
}

/** A key of an IAM user, or of a session. */
export interface StaticCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Keys of the Secret, each with its other spelling. */
const KEYS: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: "accessKeyID",
  AWS_SECRET_ACCESS_KEY: "secretAccessKey",
  AWS_SESSION_TOKEN: "sessionToken",
  AWS_REGION: "region",
  AWS_USE_CREDENTIALS_CHAIN: "useCredentialsChain",
};
/** Route 53 is one service of the whole partition (AWS General Reference, "Route 53 endpoints"). */
const REGION_DEFAULT = "us-east-1";

/** All problems at once. `mayBorrow`: the account may use the program's own identity (Z-29). */
export function parseOptions(
  { secret, config }: ProviderSettings,
  mayBorrow: boolean,
): Result<Route53Options, readonly Problem[]> {
  const problems: Problem[] = [];
  const values = readSecret(secret, problems);
  const fields = readConfig(config, problems);
  const credentials = credentialsOf(values, mayBorrow, problems);
  const region = values["AWS_REGION"] ?? REGION_DEFAULT;
  if (!/^[a-z]{2}(-[a-z]+)+-\d+$/.test(region))
    problems.push(secretProblem("AWS_REGION", "is no region", "write one such as eu-central-1"));
  return problems.length > 0 ? fail(problems) : ok({ credentials, region, ...fields });
}

type Values = Readonly<Record<string, string>>;

function readSecret(secret: Values, problems: Problem[]): Values {
  const values: Record<string, string> = {};
  for (const [given, value] of Object.entries(secret)) {
    const key = Object.keys(KEYS).find((name) => name === given || KEYS[name] === given);
    if (key === undefined)
      problems.push(
        secretProblem(given, "is not known", `possible are ${Object.keys(KEYS).join(", ")}`),
      );
    else if (values[key] !== undefined)
      problems.push(secretProblem(given, `is given twice, as ${KEYS[key]} too`, "leave one out"));
    else values[key] = checked(given, value, problems);
  }
  return values;
}

function checked(key: string, value: string, problems: Problem[]): string {
  const text = value.replace(/\n$/, "");
  if (text === "" || /[^\x21-\x7e]/.test(text))
    problems.push(
      secretProblem(
        key,
        text === "" ? "is empty" : "holds blanks or other characters that no such value has",
        "write the value alone, without quotes, blanks or line ends",
      ),
    );
  return text;
}

function credentialsOf(
  values: Values,
  mayBorrow: boolean,
  problems: Problem[],
): StaticCredentials | null {
  const accessKeyId = values["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = values["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = values["AWS_SESSION_TOKEN"];
  const chain = values["AWS_USE_CREDENTIALS_CHAIN"];
  if (chain !== undefined) {
    checkChain({ chain, hasKey: accessKeyId !== undefined, mayBorrow }, problems);
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
  if (secretAccessKey === undefined)
    problems.push(
      secretProblem("AWS_SECRET_ACCESS_KEY", "is missing", "write the secret of the access key"),
    );
  return {
    accessKeyId: accessKeyId ?? "",
    secretAccessKey: secretAccessKey ?? "",
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
}

function checkChain(
  given: { readonly chain: string; readonly hasKey: boolean; readonly mayBorrow: boolean },
  problems: Problem[],
): void {
  const problem = (trouble: string, remedy: string): void => {
    problems.push(secretProblem("AWS_USE_CREDENTIALS_CHAIN", trouble, remedy));
  };
  if (given.chain !== "true") problem("must be true or absent", "correct it");
  if (given.hasKey) problem("is given with an access key", "leave one of them out");
  if (!given.mayBorrow)
    problem(
      "would use this program's own identity, which this namespace may not",
      "write an access key, or ask whoever runs this program for --provider-trusted-namespaces",
    );
}

const UNKNOWN_FIELD = "is not known; known are endpoint, zoneType and batchSize";

/** What each field must be. Gardener's `batchSize` is taken and has no effect. */
const CONFIG_CHECKS: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  endpoint: [isOrigin, "must be an address such as https://route53.example.com, without a path"],
  zoneType: [(value) => value === "public" || value === "private", "must be public or private"],
  batchSize: [(value) => typeof value === "number", "must be a number"],
};

function readConfig(
  config: unknown,
  problems: Problem[],
): Pick<Route53Options, "endpoint" | "zoneType"> {
  const fields = toFields(config, problems);
  for (const [field, value] of Object.entries(fields)) {
    const [isRight, trouble] = CONFIG_CHECKS[field] ?? [() => false, UNKNOWN_FIELD];
    if (value !== undefined && !isRight(value)) problems.push(configProblem(field, trouble));
  }
  const { endpoint, zoneType } = fields;
  return {
    endpoint: typeof endpoint === "string" ? endpoint.replace(/\/$/, "") : null,
    zoneType: zoneType === "public" || zoneType === "private" ? zoneType : null,
  };
}

function toFields(config: unknown, problems: Problem[]): Readonly<Record<string, unknown>> {
  if (config === undefined || config === null) return {};
  if (typeof config === "object" && !Array.isArray(config)) return { ...config };
  problems.push(configProblem("", "must be an object"));
  return {};
}

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^/?#@\s]+\/?$/.test(value);
}

function secretProblem(key: string, trouble: string, remedy: string): Problem {
  return {
    code: "InvalidProviderSecret",
    subject: key,
    message: `the key ${key} of the Secret ${trouble}: ${remedy}`,
    field: `data.${key}`,
  };
}

function configProblem(field: string, trouble: string): Problem {
  const where = field === "" ? "providerConfig" : `the field ${field} of providerConfig`;
  return {
    code: "InvalidProviderConfig",
    subject: field === "" ? "providerConfig" : field,
    message: `${where} ${trouble}`,
    field: field === "" ? "spec.providerConfig" : `spec.providerConfig.${field}`,
  };
}
