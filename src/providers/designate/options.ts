/**
 * Settings of an openstack-designate account: the Secret's keys as Gardener and openrc files have
 * them. Checks and parses only; problems name the key and never its value.
 */
import type { HttpTls } from "@zonekeeper/base/ports/http";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import {
  type SecretKeys,
  type SecretRow,
  type SecretValues,
  secretProblem,
  settingsParser,
  type TlsKeys,
  tlsOf,
  tlsSecretKeys,
  trustCheck,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface DesignateOptions {
  /** Keystone: `https://host[:port][/path]`, without `/v3`. */
  readonly authUrl: string;
  /** What Keystone is sent as `auth`. */
  readonly auth: Fields;
  /** Null = the catalog has one. */
  readonly region: string | null;
  readonly endpointType: string;
  /** For Keystone and Designate; null = the certificates that this program trusts anyway. */
  readonly tls: HttpTls | null;
}

const loose = (other: string): SecretRow => ({ other, isLoose: true });

/** Texts of several lines, each with its other spelling. */
const PEM_KEYS: TlsKeys = {
  ca: ["CACERT", "caCert"],
  cert: ["CLIENTCERT", "clientCert"],
  key: ["CLIENTKEY", "clientKey"],
};

const ADDRESS = "write the address of Keystone, such as https://keystone.example.org:5000/v3";

const ENDPOINT_KIND = "write public, internal or admin, or leave it out";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  OS_AUTH_URL: {
    other: "authURL",
    missing: ADDRESS,
    checks: [
      [/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/, "is no http or https address", ADDRESS],
      [/^(?!.*\/v2(\.0)?\/?$)/, "is of version 2, which Keystone ended", ADDRESS],
    ],
  },
  OS_USERNAME: loose("username"),
  OS_PASSWORD: loose("password"),
  OS_DOMAIN_NAME: loose("domainName"),
  OS_DOMAIN_ID: "domainID",
  OS_USER_DOMAIN_NAME: loose("userDomainName"),
  OS_USER_DOMAIN_ID: "userDomainID",
  OS_PROJECT_NAME: loose("tenantName"),
  OS_PROJECT_ID: "tenantID",
  OS_PROJECT_DOMAIN_NAME: loose("projectDomainName"),
  OS_PROJECT_DOMAIN_ID: "projectDomainID",
  OS_APPLICATION_CREDENTIAL_ID: "applicationCredentialID",
  OS_APPLICATION_CREDENTIAL_NAME: loose("applicationCredentialName"),
  OS_APPLICATION_CREDENTIAL_SECRET: loose("applicationCredentialSecret"),
  OS_REGION_NAME: "regionName",
  // openrc files have `public`, older ones `publicURL`.
  OS_INTERFACE: {
    other: "interface",
    checks: [[/^(public|internal|admin)(URL)?$/, "is no kind of endpoint", ENDPOINT_KIND]],
  },
  INSECURE: { other: "insecure", checks: [trustCheck("CACERT")] },
  ...tlsSecretKeys(PEM_KEYS),
};

/** All problems at once. */
export const parseOptions = settingsParser<DesignateOptions>(KEYS, {}, ({ values, problems }) => {
  const hasCredential = Object.keys(values).some((key) => key.startsWith(CREDENTIAL));
  return {
    authUrl: (values["OS_AUTH_URL"] ?? "").replace(/\/+$/, "").replace(/\/v3$/, ""),
    auth: (hasCredential ? credentialAuth : passwordAuth)(values, problems),
    region: values["OS_REGION_NAME"] ?? null,
    endpointType: (values["OS_INTERFACE"] ?? "public").replace(/URL$/, ""),
    tls: tlsOf(values, PEM_KEYS, problems),
  };
});

const CREDENTIAL = "OS_APPLICATION_CREDENTIAL_";
const WITH_CREDENTIAL = "is given with an application credential";
const DOMAIN = "write the domain of the user, such as Default, or OS_USER_DOMAIN_NAME";

/** The credential's user and project are those of its creator. */
function credentialAuth(values: SecretValues, problems: Problem[]): Fields {
  const id = values[`${CREDENTIAL}ID`];
  const name = values[`${CREDENTIAL}NAME`];
  const secret = required(`${CREDENTIAL}SECRET`, values, problems);
  if (values["OS_PASSWORD"] !== undefined)
    problems.push(secretProblem("OS_PASSWORD", WITH_CREDENTIAL, "leave one of them out"));
  const named = (): Fields => ({
    name: name ?? required(`${CREDENTIAL}ID`, values, problems),
    user: userOf(values, problems),
  });
  const credential = { ...(id === undefined ? named() : { id }), secret };
  return {
    identity: { methods: ["application_credential"], application_credential: credential },
  };
}

function passwordAuth(values: SecretValues, problems: Problem[]): Fields {
  const password = required("OS_PASSWORD", values, problems);
  const user = { ...userOf(values, problems), password };
  const id = values["OS_PROJECT_ID"];
  const project =
    id === undefined
      ? {
          name: required("OS_PROJECT_NAME", values, problems),
          domain: domainOf(["OS_PROJECT_DOMAIN", "OS_DOMAIN", "OS_USER_DOMAIN"], values),
        }
      : { id };
  return { identity: { methods: ["password"], password: { user } }, scope: { project } };
}

function userOf(values: SecretValues, problems: Problem[]): Fields {
  const domain = domainOf(["OS_USER_DOMAIN", "OS_DOMAIN"], values);
  if (domain === null) problems.push(secretProblem("OS_DOMAIN_NAME", "is missing", DOMAIN));
  return { name: required("OS_USERNAME", values, problems), domain };
}

/** The first that is given, its id before its name; null = none is. */
function domainOf(prefixes: readonly string[], values: SecretValues): Fields | null {
  for (const prefix of prefixes) {
    const [id, name] = [values[`${prefix}_ID`], values[`${prefix}_NAME`]];
    if (id !== undefined) return { id };
    if (name !== undefined) return { name };
  }
  return null;
}

function required(key: string, values: SecretValues, problems: Problem[]): string {
  const value = values[key];
  if (value === undefined)
    problems.push(secretProblem(key, "is missing", `write ${WHAT[key] ?? "it"}`));
  return value ?? "";
}

const WHAT: Readonly<Record<string, string>> = {
  OS_USERNAME: "the name of the user, or an application credential with its id",
  OS_PASSWORD: "the password of the user, or an application credential",
  OS_PROJECT_NAME: "the name of the project that has the zones, or OS_PROJECT_ID",
  OS_APPLICATION_CREDENTIAL_ID: "the id of the application credential",
  OS_APPLICATION_CREDENTIAL_SECRET: "the secret of the application credential",
};
