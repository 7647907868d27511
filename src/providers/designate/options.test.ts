/** Settings of openstack-designate: what is missing or wrong, and never its value. */
import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

const password = "pass wörd";
const credentialSecret = "s3cret of it";
const url = { OS_AUTH_URL: "https://keystone.example.org:5000/v3/" };
const user = { OS_USERNAME: "u 1", OS_PASSWORD: password, OS_DOMAIN_NAME: "My Domain" };
const right = { ...url, ...user, OS_PROJECT_NAME: "p 1" };
const credential = {
  OS_APPLICATION_CREDENTIAL_ID: "0123",
  OS_APPLICATION_CREDENTIAL_SECRET: credentialSecret,
};
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test("a user with its domain and project, in both spellings", () => {
  const domain = { name: "My Domain" };
  const identity = { methods: ["password"], password: { user: { name: "u 1", domain, password } } };
  const rest = { region: null, endpointType: "public", tls: null };
  expect(parseOptions({ secret: right, config: null })).toEqual({
    ok: true,
    value: {
      authUrl: "https://keystone.example.org:5000",
      auth: { identity, scope: { project: { name: "p 1", domain } } },
      ...rest,
    },
  });
  const other = {
    authURL: "http://10.0.0.1/identity",
    username: "u 1",
    password,
    userDomainID: "d1",
    tenantID: "p1",
    regionName: "r1",
    interface: "internalURL",
    caCert: pem,
    insecure: "false",
  };
  expect(parseOptions({ secret: other, config: {} })).toMatchObject({
    value: {
      authUrl: "http://10.0.0.1/identity",
      auth: {
        identity: { password: { user: { domain: { id: "d1" } } } },
        scope: { project: { id: "p1" } },
      },
      region: "r1",
      endpointType: "internal",
      tls: { ca: pem },
    },
  });
});

test("an application credential by id, or by name with its user; it has its project already", () => {
  const byId = parseOptions({ secret: { ...url, ...credential }, config: null });
  const secret = credentialSecret;
  const methods = ["application_credential"];
  expect(byId.ok && byId.value.auth).toEqual({
    identity: { methods, application_credential: { id: "0123", secret } },
  });
  const named = {
    ...url,
    OS_APPLICATION_CREDENTIAL_NAME: "dns",
    OS_APPLICATION_CREDENTIAL_SECRET: secret,
    OS_USERNAME: "u1",
    OS_USER_DOMAIN_NAME: "Default",
  };
  const byName = parseOptions({ secret: named, config: null });
  const of = { name: "u1", domain: { name: "Default" } };
  expect(byName.ok && byName.value.auth).toEqual({
    identity: { methods, application_credential: { name: "dns", user: of, secret } },
  });
});

test("project and user may be of different domains", () => {
  const secret = { ...right, OS_USER_DOMAIN_ID: "a", OS_PROJECT_DOMAIN_NAME: "b" };
  const parsed = parseOptions({ secret, config: null });
  expect(parsed.ok && parsed.value.auth).toMatchObject({
    identity: { password: { user: { domain: { id: "a" } } } },
    scope: { project: { domain: { name: "b" } } },
  });
});

test.each([
  [{ ...user, OS_PROJECT_ID: "p" }, null, "OS_AUTH_URL", "is missing"],
  [{ ...right, OS_AUTH_URL: "keystone:5000" }, null, "OS_AUTH_URL", "no http or https"],
  [{ ...right, OS_AUTH_URL: "https://a:b@k" }, null, "OS_AUTH_URL", "no http or https"],
  [{ ...right, OS_AUTH_URL: "https://k:5000/v2.0" }, null, "OS_AUTH_URL", "version 2"],
  [{ ...url, ...user }, null, "OS_PROJECT_NAME", "is missing"],
  [{ ...right, OS_USERNAME: undefined }, null, "OS_USERNAME", "is missing"],
  [{ ...right, OS_PASSWORD: undefined }, null, "OS_PASSWORD", "is missing"],
  [{ ...right, OS_PASSWORD: `${password} ` }, null, "OS_PASSWORD", "blanks"],
  [{ ...right, OS_DOMAIN_NAME: undefined }, null, "OS_DOMAIN_NAME", "is missing"],
  [{ ...right, OS_PROJECT_ID: "p 1" }, null, "OS_PROJECT_ID", "blanks"],
  [{ ...right, ...credential }, null, "OS_PASSWORD", "with an application credential"],
  [
    { ...url, OS_APPLICATION_CREDENTIAL_ID: "1" },
    null,
    "OS_APPLICATION_CREDENTIAL_SECRET",
    "is missing",
  ],
  [{ ...right, OS_INTERFACE: "outer" }, null, "OS_INTERFACE", "no kind of endpoint"],
  [{ ...right, CACERT: "MIIB" }, null, "CACERT", "no PEM text"],
  [{ ...right, CLIENTCERT: pem }, null, "CLIENTKEY", "is missing"],
  [{ ...right, clientKey: pem }, null, "CLIENTCERT", "is missing"],
  [{ ...right, CLIENTCERT: pem, CLIENTKEY: "MIIB" }, null, "CLIENTKEY", "no PEM text"],
  [{ ...right, INSECURE: "true" }, null, "INSECURE", "not supported"],
  [{ ...right, username: "u2" }, null, "username", "is given twice"],
  [{ ...right, OS_TENANT: "x" }, null, "OS_TENANT", "is not known"],
  [right, { endpoint: "x" }, "endpoint", "is not known"],
])("%o %o: %s %s", (given, config, subject, text) => {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const secret = Object.fromEntries(entries) as Record<string, string>;
  const parsed = parseOptions({ secret, config });
  const messages = parsed.ok ? [] : parsed.error.map(({ message }) => message);
  expect(messages.find((one) => one.includes(subject) && one.includes(text))).toBeDefined();
  expect(JSON.stringify(messages)).not.toMatch(/pass wörd|s3cret|MIIB/);
});
