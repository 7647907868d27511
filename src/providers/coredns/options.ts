/**
 * Settings of a coredns-etcd account: where etcd is, how it is asked, and which zones CoreDNS
 * answers from it. Checks and parses only; problems name the key and never its value.
 */
import type { HttpTls } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../../model/problem.ts";
import {
  type FieldChecks,
  isOrigin,
  isSafeOrigin,
  type SecretKeys,
  type SecretValues,
  secretProblem,
  settingsParser,
  type TlsKeys,
  tlsOf,
  tlsSecretKeys,
  zonesCheck,
  zonesOf,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface CoreDnsOptions {
  /** Members of one cluster, `http[s]://host[:port]` without a path; not empty. */
  readonly servers: readonly string[];
  /** Null = etcd asks nobody who they are, or a certificate says it. */
  readonly user: { readonly name: string; readonly password: string } | null;
  readonly tls: HttpTls | null;
  /** Not empty, without duplicates. */
  readonly zones: readonly DnsName[];
  /** `path` of the plug-in with a slash before it: `/skydns`. */
  readonly prefix: string;
}

/** Texts of several lines, each with its other spelling. */
const PEM_KEYS: TlsKeys = {
  ca: ["TrustedCaCert", "trustedCaCert"],
  cert: ["ClientCert", "clientCert"],
  key: ["ClientKey", "clientKey"],
};
/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  Server: "server",
  Username: { other: "username", isLoose: true },
  Password: { other: "password", isLoose: true },
  ...tlsSecretKeys(PEM_KEYS),
};
const PREFIX_DEFAULT = "/skydns";

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  zones: zonesCheck(1),
  prefix: [
    (value) => prefixOf(value) !== null,
    "must be the path of the plug-in etcd, such as /skydns",
  ],
};

/** All problems at once. */
export const parseOptions = settingsParser<CoreDnsOptions>(
  KEYS,
  CONFIG_CHECKS,
  ({ values, fields: { zones, prefix }, problems }) => {
    const servers = serversOf(values, problems);
    const user = userOf(values, servers, problems);
    const tls = tlsOf(values, PEM_KEYS, problems);
    if (tls !== null && servers.some((server) => server.startsWith("http:")))
      problems.push(
        secretProblem("Server", "is an http address with certificates beside it", "write https"),
      );
    return { servers, user, tls, zones: zonesOf(zones) ?? [], prefix: prefixOf(prefix) ?? "" };
  },
);

/** Null = it is no path. */
function prefixOf(value: unknown): string | null {
  if (value === undefined || value === null) return PREFIX_DEFAULT;
  if (typeof value !== "string" || !/^\/?[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/.test(value))
    return null;
  return `/${value.replace(/^\/|\/$/g, "")}`;
}

function serversOf({ Server: text }: SecretValues, problems: Problem[]): readonly string[] {
  const servers = (text ?? "").split(",");
  if (servers.every(isOrigin))
    return [...new Set(servers.map((server) => server.replace(/\/$/, "")))];
  const trouble = text === undefined ? "is missing" : "is no address of etcd, or no list of them";
  const remedy = "write it such as https://etcd.example.org:2379, members of one cluster by commas";
  problems.push(secretProblem("Server", trouble, remedy));
  return [];
}

function userOf(
  { Username: name, Password: password }: SecretValues,
  servers: readonly string[],
  problems: Problem[],
): CoreDnsOptions["user"] {
  if (name === undefined && password === undefined) return null;
  if (name === undefined || password === undefined) {
    const key = name === undefined ? "Username" : "Password";
    problems.push(secretProblem(key, "is missing", "write both, or leave both out"));
  }
  if (!servers.every(isSafeOrigin))
    problems.push(secretProblem("Password", "would be sent as it is", "write an https address"));
  return { name: name ?? "", password: password ?? "" };
}
