/** Settings of infoblox-dns: what is missing, wrong or given twice, and never its value. */
import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

const password = "s3cret grid password";
const right = { USERNAME: "zonekeeper", PASSWORD: password };
const host = "infoblox.example.org";
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test("the defaults, and all settings from either place", () => {
  expect(parseOptions({ secret: right, config: { host } })).toEqual({
    ok: true,
    value: {
      server: "https://infoblox.example.org:443",
      user: "zonekeeper",
      password,
      version: "2.10",
      view: "default",
      caCertificate: null,
      timeoutMs: 60_000,
      pageSize: 1000,
      extraAttributes: null,
    },
  });
  const all = {
    server: "https://10.0.0.1:8443",
    version: "2.12.3",
    view: "inner view",
    caCertificate: pem,
    timeoutMs: 5000,
    pageSize: 500,
  };
  const config = {
    host: "10.0.0.1",
    port: 8443,
    version: "2.12.3",
    view: "inner view",
    caCert: pem,
    httpRequestTimeout: 5,
    httpPoolConnections: 10,
    maxResults: 500,
    sslVerify: true,
    proxyUrl: "",
    extAttrs: { Site: "Berlin" },
  };
  const extraAttributes = { Site: { value: "Berlin" } };
  expect(parseOptions({ secret: right, config })).toMatchObject({
    value: { ...all, extraAttributes },
  });
  const secret = {
    username: "zonekeeper",
    password,
    HOST: "10.0.0.1",
    PORT: "8443",
    VERSION: "2.12.3",
    VIEW: "inner view",
    CA_CERT: pem,
    HTTP_REQUEST_TIMEOUT: "5",
    MAX_RESULTS: "500",
    SSL_VERIFY: "true",
  };
  expect(parseOptions({ secret, config: null })).toMatchObject({ value: all });
});

test("an address as people copy it", () => {
  const server = (text: string) => parseOptions({ secret: right, config: { host: text } });
  expect(server("https://gm.example.org:8443/")).toMatchObject({
    value: { server: "https://gm.example.org:8443" },
  });
  expect(server("[2001:db8::1]")).toMatchObject({ value: { server: "https://[2001:db8::1]:443" } });
});

test.each([
  [{ PASSWORD: password }, { host }, "USERNAME", "is missing"],
  [{ USERNAME: "x" }, { host }, "PASSWORD", "is missing"],
  [{ ...right, PASSWORD: `${password} ` }, { host }, "PASSWORD", "blanks"],
  [{ ...right, username: "x" }, { host }, "username", "is given twice"],
  [{ ...right, token: "x" }, { host }, "token", "is not known"],
  [right, null, "host", "is missing"],
  [right, { host: null }, "host", "is missing"],
  [right, { host: "http://gm.example.org" }, "host", "host name of the Grid Master"],
  [right, { host: "https://gm.example.org/wapi" }, "host", "host name of the Grid Master"],
  [right, { host: "me:pw@gm" }, "host", "host name of the Grid Master"],
  [right, { host, port: 0 }, "port", "from 1 to 65535"],
  [right, { host, sslVerify: false }, "sslVerify", "certificate to trust as caCert"],
  [right, { host, version: "1.4" }, "version", "a version of WAPI"],
  [right, { host, version: 2.1 }, "version", "a version of WAPI"],
  [right, { host, view: "" }, "view", "the name of a DNS view"],
  [right, { host, httpRequestTimeout: 601 }, "httpRequestTimeout", "from 1 to 600"],
  [right, { host, proxyUrl: "http://proxy" }, "proxyUrl", "is not supported"],
  [right, { host, caCert: "MIIB" }, "caCert", "PEM text"],
  [right, { host, extAttrs: { Site: { value: 1 } } }, "extAttrs", "texts or numbers"],
  [right, { host, user: "x" }, "user", "is not known"],
  [{ ...right, HOST: "x" }, { host }, "HOST", "of providerConfig, too"],
  [{ ...right, HOST: "a/b" }, null, "HOST", "host name of the Grid Master"],
  [{ ...right, SSL_VERIFY: "false" }, { host }, "SSL_VERIFY", "certificate to trust as caCert"],
  [{ ...right, PORT: "https" }, { host }, "PORT", "from 1 to 65535"],
  [{ ...right, CA_CERT: "MIIB" }, { host }, "CA_CERT", "PEM text"],
])("%o %o: %s %s", (secret, config, subject, text) => {
  const parsed = parseOptions({ secret: secret as Record<string, string>, config });
  const messages = parsed.ok ? [] : parsed.error.map(({ message }) => message);
  expect(messages.find((one) => one.includes(subject) && one.includes(text))).toBeDefined();
  expect(JSON.stringify(messages)).not.toContain(password);
});
