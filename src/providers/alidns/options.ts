/**
 * Settings of an alicloud-dns account: the Secret's keys as Gardener has them, and
 * `providerConfig`. Checks and parses only; problems name the key and never its value.
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
} from "../shared/settings.ts";
import type { AccessKey } from "./sign-request.ts";

/** Settings that were checked. */
export interface AliDnsOptions {
  /** Null = the program's own identity. */
  readonly key: AccessKey | null;
  /** `https://host[:port]`, without a path. */
  readonly origin: string;
}

const ORIGIN_DEFAULT = "https://alidns.aliyuncs.com";
const ID = "ACCESS_KEY_ID";
const SECRET = "ACCESS_KEY_SECRET";
const TOKEN = "SECURITY_TOKEN";
const AMBIENT = "USE_DEFAULT_CREDENTIALS";
/** What examples of Gardener call the secret. */
const SECRET_IN_EXAMPLES = "SECRET_ACCESS_KEY";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  [ID]: "accessKeyID",
  [SECRET]: "accessKeySecret",
  [TOKEN]: "securityToken",
  [AMBIENT]: "useDefaultCredentials",
};

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  endpoint: originCheck(ORIGIN_DEFAULT),
};

const parseRenamed = settingsParser<AliDnsOptions>(
  KEYS,
  CONFIG_CHECKS,
  ({ values, fields: { endpoint }, mayBorrow, problems }) => {
    const isKeyGiven = [ID, SECRET, TOKEN].some((name) => values[name] !== undefined);
    const others = isKeyGiven ? "an AccessKey" : null;
    const ambient = { key: AMBIENT, others, mayBorrow, instead: "an AccessKey" };
    const key = isAmbient(values, ambient, problems) ? null : accessKeyIn(values, problems);
    return { key, origin: originOf(endpoint, ORIGIN_DEFAULT) };
  },
);

/** All problems at once. `mayBorrow`: the account may use the program's own identity (Z-29). */
export const parseOptions: typeof parseRenamed = ({ secret, config }, mayBorrow) => {
  const { [SECRET_IN_EXAMPLES]: value, ...others } = secret;
  const isRenamed = value !== undefined && others[SECRET] === undefined;
  const renamed = isRenamed ? { ...others, [SECRET]: value } : secret;
  return parseRenamed({ secret: renamed, config }, mayBorrow);
};

function accessKeyIn(values: SecretValues, problems: Problem[]): AccessKey {
  for (const name of [ID, SECRET]) {
    if (values[name] !== undefined) continue;
    const remedy = "write the AccessKey of a RAM user with rights on the zones";
    problems.push(secretProblem(name, "is missing", remedy));
  }
  return {
    id: values[ID] ?? "",
    secret: values[SECRET] ?? "",
    securityToken: values[TOKEN] ?? null,
  };
}
