/**
 * Settings of an azure-dns or azure-private-dns account: the Secret's keys as Gardener has them,
 * and `providerConfig`. Checks and parses only; problems name the key and never its value.
 */
import { textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import {
  type FieldChecks,
  isAmbient,
  isSafeOrigin,
  originCheck,
  originOf,
  type SecretKeys,
  type SecretRow,
  type SecretValues,
  secretProblem,
  settingsParser,
} from "../shared/settings.ts";
import { isTokenUrl } from "../shared/token-http.ts";

/** Settings that were checked. */
export interface AzureOptions {
  readonly subscription: string;
  readonly credentials: AzureCredentials;
  /** Of the resource manager: `https://host[:port]`, without a path. */
  readonly origin: string;
  /** Where tokens are asked for. */
  readonly authority: string;
  /** The resource that tokens are for. */
  readonly audience: string;
  /** The one resource group whose zones are served; null = all. */
  readonly group: string | null;
}

/** An application with one proof: secret or foreign token; or the program's identity. */
export type AzureCredentials =
  | {
      readonly is: (typeof PROOFS)[number][0];
      readonly tenant: string;
      readonly client: string;
      readonly proof: string;
    }
  | { readonly is: "ambient"; readonly client: string | null };

/** One of the vendor's clouds. */
interface Cloud {
  readonly authority: string;
  readonly manager: string;
}

const cloud = (authority: string, manager: string): Cloud => ({
  authority: `https://${authority}`,
  manager: `https://${manager}`,
});

const PUBLIC_CLOUD = cloud("login.microsoftonline.com", "management.azure.com");
/** Gardener's names; docs "National clouds". */
const CLOUDS: Readonly<Record<string, Cloud>> = {
  AzurePublic: PUBLIC_CLOUD,
  AzureChina: cloud("login.chinacloudapi.cn", "management.chinacloudapi.cn"),
  AzureGovernment: cloud("login.microsoftonline.us", "management.usgovcloudapi.net"),
};

/** Hosts that may be sent a credential. */
export const TOKEN_HOSTS: ReadonlySet<string> = new Set([
  ...Object.values(CLOUDS).map(({ authority }) => new URL(authority).hostname),
  "login.partner.microsoftonline.cn",
]);

/** What proves an application, and the key of the Secret that has it. */
const PROOFS = [
  ["secret", "AZURE_CLIENT_SECRET"],
  ["assertion", "AZURE_CLIENT_ASSERTION"],
] as const;

const AMBIENT = "AZURE_USE_DEFAULT_CREDENTIALS";
const WRITE_ID = "write the id, such as 01234567-89ab-cdef-0123-456789abcdef";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A tenant may also be named by one of its domains. */
const TENANT = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9-]+(\.[a-z0-9-]+)+)$/i;
const idRow = (other: string, form: RegExp): SecretRow => {
  return { other, isLoose: true, checks: [[form, "is no id of Azure", WRITE_ID]] };
};
const WRITE_CLOUD = `write ${Object.keys(CLOUDS).join(", ")}`;

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  // Azure would repeat what is no id, which may be a secret in the wrong place.
  AZURE_SUBSCRIPTION_ID: { ...idRow("subscriptionID", UUID), missing: WRITE_ID },
  AZURE_TENANT_ID: idRow("tenantID", TENANT),
  AZURE_CLIENT_ID: idRow("clientID", UUID),
  AZURE_CLIENT_SECRET: "clientSecret",
  AZURE_CLIENT_ASSERTION: "token",
  AZURE_CLOUD: {
    other: "cloud",
    checks: [[(value) => Object.hasOwn(CLOUDS, value), "is no cloud that is known", WRITE_CLOUD]],
  },
  [AMBIENT]: "useDefaultCredentials",
};

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  resourceGroup: [
    (value) => typeof value === "string" && /^[\w().-]{1,90}$/.test(value),
    "must be the name of a resource group",
  ],
  endpoint: originCheck("https://management.example.com"),
  authorityHost: [
    isAuthority,
    `must be the address of one of ${[...TOKEN_HOSTS].join(", ")}, without a path`,
  ],
};

function isAuthority(value: unknown): value is string {
  return isSafeOrigin(value) && isTokenUrl(value, TOKEN_HOSTS);
}

/** All problems at once. `mayBorrow`: the account may use the program's own identity (Z-29). */
export const parseOptions = settingsParser<AzureOptions>(
  KEYS,
  CONFIG_CHECKS,
  ({ values, fields: { endpoint, authorityHost, resourceGroup }, mayBorrow, problems }) => {
    const { manager, authority } = CLOUDS[values["AZURE_CLOUD"] ?? ""] ?? PUBLIC_CLOUD;
    return {
      credentials: credentialsOf(values, mayBorrow, problems),
      subscription: values["AZURE_SUBSCRIPTION_ID"] ?? "",
      origin: originOf(endpoint, manager),
      authority: originOf(authorityHost, authority),
      audience: manager,
      group: textOf(resourceGroup),
    };
  },
);

function credentialsOf(
  values: SecretValues,
  mayBorrow: boolean,
  problems: Problem[],
): AzureCredentials {
  const hasProof = PROOFS.some(([, key]) => values[key] !== undefined);
  const others = hasProof ? "a proof of an application" : null;
  const ambient = { key: AMBIENT, others, mayBorrow, instead: "an application" };
  if (!isAmbient(values, ambient, problems)) return applicationOf(values, problems);
  return { is: "ambient", client: values["AZURE_CLIENT_ID"] ?? null };
}

function applicationOf(values: SecretValues, problems: Problem[]): AzureCredentials {
  const { AZURE_TENANT_ID: tenant = "", AZURE_CLIENT_ID: client = "" } = values;
  for (const id of ["AZURE_TENANT_ID", "AZURE_CLIENT_ID"])
    if (values[id] === undefined) problems.push(secretProblem(id, "is missing", WRITE_ID));
  const [first, ...more] = PROOFS.filter(([, key]) => values[key] !== undefined);
  const [is, key] = first ?? PROOFS[0];
  const problem = (trouble: string, remedy: string): void => {
    problems.push(secretProblem(PROOFS[0][1], trouble, remedy));
  };
  if (first === undefined) problem("is missing", "write a secret of the application");
  if (more.length > 0) problem("is given with another proof of the application", ONE_PROOF);
  return { is, tenant, client, proof: values[key] ?? "" };
}

const ONE_PROOF = `leave all but one of ${PROOFS.map(([, key]) => key).join(", ")} out`;
