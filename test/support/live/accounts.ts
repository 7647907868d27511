/**
 * Which real accounts the live tests may use: one row a provider. `ZONEKEEPER_LIVE_ROUTE53` names
 * the zone; credentials come from the file that `ZONEKEEPER_LIVE_ROUTE53_FILE` names, or from what
 * surrounds the test. Nothing here prints a value.
 */
import { readFileSync } from "node:fs";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { parseAllDocuments } from "yaml";
import type { ProviderSettings } from "../../../src/providers/provider.ts";

/** One provider. */
export interface LiveRow {
  /** As the variable ends: `ROUTE53`. */
  readonly name: string;
  /** As in `DNSProvider.spec.type`. */
  readonly type: string;
  /** The Secret without a file; `$NAME` is a variable of the environment. Null = a file must be. */
  readonly ambient: Readonly<Record<string, string>> | null;
}

/** A zone that may be written, and how to reach it. */
export interface LiveAccount {
  readonly type: string;
  readonly zone: string;
  readonly settings: ProviderSettings;
  /** For each step; real back ends take minutes at times (PENDING, throttling). */
  readonly patienceMs: number;
}

const PATIENCE_MS = 240_000;

type Environment = Readonly<Record<string, string | undefined>>;

const AZURE = {
  AZURE_SUBSCRIPTION_ID: "$AZURE_SUBSCRIPTION_ID",
  AZURE_USE_DEFAULT_CREDENTIALS: "true",
};

/** Sorted by name. */
export const LIVE_ROWS: readonly LiveRow[] = [
  { name: "ALIDNS", type: "alicloud-dns", ambient: { USE_DEFAULT_CREDENTIALS: "true" } },
  { name: "AZURE", type: "azure-dns", ambient: AZURE },
  { name: "AZURE_PRIVATE", type: "azure-private-dns", ambient: AZURE },
  {
    name: "CLOUDFLARE",
    type: "cloudflare-dns",
    ambient: { CLOUDFLARE_API_TOKEN: "$CLOUDFLARE_API_TOKEN" },
  },
  { name: "COREDNS", type: "coredns-etcd", ambient: null },
  {
    name: "DESIGNATE",
    type: "openstack-designate",
    ambient: {
      OS_AUTH_URL: "$OS_AUTH_URL",
      OS_APPLICATION_CREDENTIAL_ID: "$OS_APPLICATION_CREDENTIAL_ID",
      OS_APPLICATION_CREDENTIAL_SECRET: "$OS_APPLICATION_CREDENTIAL_SECRET",
    },
  },
  {
    name: "GOOGLE",
    type: "google-clouddns",
    ambient: { GOOGLE_PROJECT: "$GOOGLE_PROJECT", GOOGLE_USE_DEFAULT_CREDENTIALS: "true" },
  },
  { name: "INFOBLOX", type: "infoblox-dns", ambient: null },
  { name: "POWERDNS", type: "powerdns", ambient: null },
  { name: "RFC2136", type: "rfc2136", ambient: null },
  { name: "ROUTE53", type: "aws-route53", ambient: { AWS_USE_CREDENTIALS_CHAIN: "true" } },
  { name: "WEBHOOK", type: "external-dns-webhook", ambient: null },
];

/** Null = the variable is not set. Throws where it is, and something is missing or wrong. */
export function liveAccount(
  { name, type, ambient }: LiveRow,
  env: Environment,
): LiveAccount | null {
  const variable = variableOf(name);
  const zone = env[variable];
  if (zone === undefined || zone === "") return null;
  const file = env[`${variable}_FILE`];
  const account = { type, zone, patienceMs: PATIENCE_MS };
  if (file !== undefined) return { ...account, settings: settingsIn(file, variable) };
  if (ambient === null)
    throw new Error(
      `${variable}_FILE is missing: name a file with the Secret (and DNSProvider) of ${type}`,
    );
  return { ...account, settings: { secret: surrounding(ambient, env, variable), config: null } };
}

/** `ZONEKEEPER_LIVE_ROUTE53`. */
export function variableOf(name: string): string {
  return `ZONEKEEPER_LIVE_${name}`;
}

function surrounding(
  ambient: Readonly<Record<string, string>>,
  env: Environment,
  variable: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(ambient).map(([key, value]) => {
      const found = value.startsWith("$") ? env[value.slice(1)] : value;
      if (found === undefined)
        throw new Error(`${value.slice(1)} is missing: set it, or ${variable}_FILE`);
      return [key, found];
    }),
  );
}

/** As `kubectl apply` takes it: one Secret, and a DNSProvider where it needs `providerConfig`. */
function settingsIn(file: string, variable: string): ProviderSettings {
  const objects = objectsIn(file, variable);
  const secret = objects.find(({ kind }) => kind === "Secret");
  if (secret === undefined)
    throw new Error(`${variable}_FILE: there is no Secret in the file; write one`);
  const encoded = Object.entries(fieldsOf(secret["data"])).map(([key, value]) => {
    return [key, Buffer.from(textOf(value) ?? "", "base64").toString()] as const;
  });
  const plain = Object.entries(fieldsOf(secret["stringData"])).map(([key, value]) => {
    return [key, textOf(value) ?? ""] as const;
  });
  const provider = objects.find(({ kind }) => kind === "DNSProvider");
  const config = fieldsOf(provider?.["spec"])["providerConfig"] ?? null;
  return { secret: Object.fromEntries([...encoded, ...plain]), config };
}

function objectsIn(file: string, variable: string): readonly Fields[] {
  try {
    const documents = parseAllDocuments(readFileSync(file, "utf8"));
    if (documents.every(({ errors }) => errors.length === 0))
      return documents.map((one) => fieldsOf(one.toJS()));
  } catch {
    // Told below: an error of the parser has a line of the file in it.
  }
  throw new Error(`${variable}_FILE cannot be read, or is no YAML`);
}
