/**
 * Settings of an infoblox-dns account: who asks, from the Secret, and where, from `providerConfig`
 * or the Secret, as Gardener has them. Checks and parses only; problems name the key or the field
 * and never a value.
 */
import { type Fields, fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { countOf } from "../shared/pages.ts";
import {
  CERTIFICATE,
  configProblem,
  type FieldChecks,
  isSafeOrigin,
  otherOf,
  type SecretKeys,
  type SecretValues,
  secretProblem,
  settingsParser,
} from "../shared/settings.ts";
import { PAGE_SIZE } from "./limits.ts";

/** Settings that were checked. */
export interface InfobloxOptions {
  /** `https://host[:port]`, without a path. */
  readonly server: string;
  readonly user: string;
  readonly password: string;
  /** Of WAPI, such as `2.10`. */
  readonly version: string;
  /** DNS view. */
  readonly view: string;
  /** PEM; null = the certificates that this program trusts anyway. */
  readonly caCertificate: string | null;
  /** Milliseconds for one call, with its answer. */
  readonly timeoutMs: number;
  /** Objects of one page. */
  readonly pageSize: number;
  /** What new objects get as `extattrs`; null = nothing. */
  readonly extraAttributes: Fields | null;
}

const USER = "write that of a user with API access";
/** Keys of the Secret, each with its other spelling, which is the field of `providerConfig`. */
const KEYS: SecretKeys = {
  USERNAME: { other: "username", isLoose: true, missing: USER },
  PASSWORD: { other: "password", isLoose: true, missing: USER },
  HOST: "host",
  PORT: "port",
  SSL_VERIFY: "sslVerify",
  VERSION: "version",
  VIEW: { other: "view", isLoose: true },
  HTTP_POOL_CONNECTIONS: "httpPoolConnections",
  HTTP_REQUEST_TIMEOUT: "httpRequestTimeout",
  MAX_RESULTS: "maxResults",
  PROXY_URL: "proxyUrl",
  CA_CERT: { other: "caCert", isFile: true },
};

/** What is not given. */
const DEFAULTS: Fields = {
  port: 443,
  version: "2.10",
  view: "default",
  httpRequestTimeout: 60,
  maxResults: PAGE_SIZE,
};

/** What each field must be; a number may be written as text. */
const CHECKS: FieldChecks = {
  host: [isHost, "must be the host name of the Grid Master, such as infoblox.example.org"],
  port: countCheck(65_535, "must be a port from 1 to 65535"),
  sslVerify: [
    (value) => String(value) === "true",
    "must be true: write the certificate to trust as caCert in place of false",
  ],
  version: [
    (value) => typeof value === "string" && /^2(\.\d{1,3}){1,2}$/.test(value),
    'must be a version of WAPI from 2.0 on, such as "2.10"',
  ],
  view: [(value) => typeof value === "string" && value !== "", "must be the name of a DNS view"],
  httpPoolConnections: countCheck(1000, "must be a number from 1 to 1000"),
  httpRequestTimeout: countCheck(600, "must be seconds from 1 to 600"),
  maxResults: countCheck(1_000_000, "must be a number from 1 to 1000000"),
  proxyUrl: [(value) => value === "", "is not supported: leave it out"],
  caCert: [
    (value) => typeof value === "string" && CERTIFICATE.test(value),
    "must be a PEM text with its BEGIN and END lines",
  ],
  extAttrs: [
    (value) =>
      isFields(value) && Object.values(value).every((one) => /^(string|number)$/.test(typeof one)),
    "must be an object of texts or numbers, such as {Site: Berlin}",
  ],
};

/** All problems at once. */
export const parseOptions = settingsParser<InfobloxOptions>(
  KEYS,
  CHECKS,
  ({ values: { USERNAME: user = "", PASSWORD: password = "", ...others }, fields, problems }) => {
    const given = Object.entries(fields).filter(([, value]) => value !== null);
    const inSecret = fromSecret(others, fields, problems);
    const all: Fields = { ...DEFAULTS, ...Object.fromEntries(given), ...inSecret };
    const { host, port, caCert, extAttrs } = all;
    if (host === undefined)
      problems.push(configProblem("host", `is missing; it ${textOfCheck("host")}`));
    const isOrigin = /^https?:/.test(String(host));
    // WAPI, "Extensible attributes": `{"Site": {"value": "Berlin"}}`.
    const attributes = Object.entries(fieldsOf(extAttrs)).map(([name, value]) => [name, { value }]);
    return {
      ...{ user, password },
      server: isOrigin ? String(host).replace(/\/$/, "") : `https://${host}:${port}`,
      version: String(all["version"]),
      view: String(all["view"]),
      caCertificate: textOf(caCert),
      timeoutMs: Number(all["httpRequestTimeout"]) * 1000,
      pageSize: Math.min(Number(all["maxResults"]), PAGE_SIZE),
      extraAttributes: isFields(extAttrs) ? Object.fromEntries(attributes) : null,
    };
  },
);

/** By field; what the Secret gives beside a field of `providerConfig` becomes a problem. */
function fromSecret(values: SecretValues, fields: Fields, problems: Problem[]): Fields {
  const given = Object.entries(values).flatMap(([key, value]) => {
    const field = otherOf(KEYS[key]);
    const [isRight] = CHECKS[field] ?? [() => false];
    if (fields[field] !== undefined)
      problems.push(
        secretProblem(key, `is given as ${field} of providerConfig, too`, "choose one"),
      );
    else if (!isRight(value))
      problems.push(secretProblem(key, "is not what it should be", `it ${textOfCheck(field)}`));
    return [[field, value] as const];
  });
  return Object.fromEntries(given);
}

function textOfCheck(field: string): string {
  return CHECKS[field]?.[1] ?? "";
}

/** A host alone; or an origin, for the certificate checks of people who write `https://`. */
function isHost(value: unknown): boolean {
  if (isSafeOrigin(value)) return true;
  return typeof value === "string" && /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\])$/.test(value);
}

function countCheck(most: number, must: string): FieldChecks[string] {
  return [
    (value) => {
      const count = countOf(value) ?? 0;
      return Number.isInteger(count) && count >= 1 && count <= most;
    },
    must,
  ];
}
