/**
 * Settings of a powerdns account: the Secret's keys as Gardener has them. Checks and parses only;
 * problems name the key and never its value.
 */
import {
  CERTIFICATE_CHECK,
  type SecretKeys,
  secretProblem,
  settingsParser,
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

const ADDRESS = "write the address of the API, such as https://pdns.example.org:8081";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  Server: {
    other: "server",
    missing: ADDRESS,
    checks: [
      [/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/, "is no http or https address", ADDRESS],
      [/^(?!.*\/api(\/|$))/, "holds the path of the API", ADDRESS],
    ],
  },
  ApiKey: { other: "apiKey", missing: "write the api-key of pdns.conf" },
  VirtualHost: {
    other: "virtualHost",
    checks: [[/^[A-Za-z0-9._-]+$/, "is no server id", "leave it out, or correct it"]],
  },
  TrustedCaCert: { other: "trustedCaCert", isFile: true, checks: [CERTIFICATE_CHECK] },
  InsecureSkipVerify: { other: "insecureSkipVerify" },
};
const SERVER_ID_DEFAULT = "localhost";

/** All problems at once. */
export const parseOptions = settingsParser<PowerDnsOptions>(KEYS, {}, ({ values, problems }) => {
  const { Server: server = "", TrustedCaCert: caCertificate = null } = values;
  // Gardener's page has people write it for http, where there is no certificate to verify.
  if ((values["InsecureSkipVerify"] ?? "false") !== "false" && !server.startsWith("http:")) {
    const remedy = "write the certificate to trust as TrustedCaCert in its place";
    problems.push(secretProblem("InsecureSkipVerify", "is not supported", remedy));
  }
  if (caCertificate !== null && server.startsWith("http:")) {
    const remedy = "write https, or leave it out";
    problems.push(secretProblem("TrustedCaCert", "is given with an http address", remedy));
  }
  return {
    server: server.replace(/\/+$/, ""),
    apiKey: values["ApiKey"] ?? "",
    serverId: values["VirtualHost"] ?? SERVER_ID_DEFAULT,
    caCertificate,
  };
});
