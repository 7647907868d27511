/**
 * Settings of a powerdns account: the Secret's keys as Gardener has them. Checks and parses only;
 * problems name the key and never its value.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import {
  readConfig,
  readSecret,
  type SecretKeys,
  type SecretValues,
  secretProblem,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface PowerDnsOptions {
  /** `https://host[:port][/path]`, without a slash at its end. */
  readonly server: string;
  readonly apiKey: string;
  /** Id of the server behind the API; PowerDNS knows `localhost` only, a proxy may know more. */
  readonly serverId: string;
  /** PEM; null = the certificates that this program trusts anyway. */
  readonly caCertificate: string | null;
}

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  Server: "server",
  ApiKey: "apiKey",
  VirtualHost: "virtualHost",
  InsecureSkipVerify: "insecureSkipVerify",
  TrustedCaCert: { other: "trustedCaCert", isFile: true },
};
const CA = "TrustedCaCert";
const SERVER_ID_DEFAULT = "localhost";

/** All problems at once. */
export function parseOptions({
  secret,
  config,
}: ProviderSettings): Result<PowerDnsOptions, readonly Problem[]> {
  const problems: Problem[] = [];
  const values = readSecret(secret, KEYS, problems);
  readConfig(config, {}, problems);
  const options = {
    server: serverOf(values, problems),
    apiKey: keyOf(values, problems),
    serverId: values["VirtualHost"] ?? SERVER_ID_DEFAULT,
    caCertificate: values[CA] ?? null,
  };
  if (!/^[A-Za-z0-9._-]+$/.test(options.serverId))
    problems.push(secretProblem("VirtualHost", "is no server id", "leave it out, or correct it"));
  checkTrust(values, options, problems);
  return problems.length > 0 ? fail(problems) : ok(options);
}

function serverOf(values: SecretValues, problems: Problem[]): string {
  const server = values["Server"];
  const remedy = "write the address of the API, such as https://pdns.example.org:8081";
  if (server === undefined) problems.push(secretProblem("Server", "is missing", remedy));
  else if (!/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(server))
    problems.push(secretProblem("Server", "is no http or https address", remedy));
  else if (/\/api(\/|$)/.test(server))
    problems.push(secretProblem("Server", "holds the path of the API", remedy));
  return (server ?? "").replace(/\/+$/, "");
}

function keyOf(values: SecretValues, problems: Problem[]): string {
  const key = values["ApiKey"];
  if (key === undefined)
    problems.push(secretProblem("ApiKey", "is missing", "write the api-key of pdns.conf"));
  return key ?? "";
}

/** A key that anybody in between may read is none. */
function checkTrust(
  values: SecretValues,
  { caCertificate, server }: PowerDnsOptions,
  problems: Problem[],
): void {
  if (caCertificate !== null && !/-----BEGIN CERTIFICATE-----[\s\S]+-----END/.test(caCertificate))
    problems.push(secretProblem(CA, "is no PEM text", "write it with its BEGIN and END lines"));
  if (caCertificate !== null && server.startsWith("http:"))
    problems.push(
      secretProblem(CA, "is given with an http address", "write https, or leave it out"),
    );
  const skip = values["InsecureSkipVerify"];
  if (skip !== undefined && skip !== "false")
    problems.push(
      secretProblem(
        "InsecureSkipVerify",
        "is not supported",
        "write the certificate to trust as TrustedCaCert in its place",
      ),
    );
}
