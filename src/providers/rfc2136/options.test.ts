import { describe, expect, test } from "vitest";
import { namedZones, parseOptions } from "./options.ts";

const SECRET = {
  Server: "192.0.2.53",
  Zone: "Example.ORG.",
  TSIGKeyName: "Key.example.org.",
  TSIGSecret: "c2VjcmV0LXZhbHVl",
};
const problemsOf = (secret: Readonly<Record<string, string>>, config: unknown = null) => {
  const parsed = parseOptions({ secret, config });
  return parsed.ok ? [] : parsed.error;
};

test("a key in the wrong case is named, with the right one", () => {
  const { Server, Zone, ...rest } = SECRET;
  const messages = problemsOf({ ...rest, server: Server, ZONE: Zone }).map((one) => one.message);
  expect(messages).toEqual([
    "the key server of the Secret is not known: write it as Server",
    "the key ZONE of the Secret is not known: write it as Zone",
  ]);
});

test("a key in the wrong case beside the right one is left alone, one that is not known is told", () => {
  expect(problemsOf({ ...SECRET, server: "192.0.2.1" })).toEqual([]);
  const messages = problemsOf({ ...SECRET, Sever: "192.0.2.1" }).map((one) => one.message);
  expect(messages).toEqual([
    expect.stringMatching(/^the key Sever of the Secret is not known: possible are Server, /),
  ]);
});

test("the zones that settings name are known, whatever else is wrong", () => {
  const config = { zones: ["b.test"], nonsense: 1 };
  expect(namedZones({ secret: { Zone: "Example.ORG." }, config })).toEqual([
    "example.org",
    "b.test",
  ]);
  expect(namedZones({ secret: {}, config: null })).toEqual([]);
});

test("zones are taken in their own letters", () => {
  const config = { zones: ["Größe.example"] };
  const parsed = parseOptions({ secret: { ...SECRET, Zone: "bücher.example." }, config });
  const zones = ["xn--bcher-kva.example", "xn--gre-6ka8i.example"];
  expect(parsed).toMatchObject({ ok: true, value: { zones } });
});

test("Gardener's keys are enough; the algorithm is hmac-sha256", () => {
  expect(parseOptions({ secret: SECRET, config: undefined })).toEqual({
    ok: true,
    value: {
      server: { host: "192.0.2.53", port: 53 },
      zones: ["example.org"],
      key: {
        name: "key.example.org",
        algorithm: "hmac-sha256",
        secret: new TextEncoder().encode("secret-value"),
      },
      tls: null,
    },
  });
});

test.each([
  ["ns.example.org", "ns.example.org", 53],
  ["ns.example.org:5353", "ns.example.org", 5353],
  ["[2001:db8::1]:5353", "2001:db8::1", 5353],
  ["[2001:db8::1]", "2001:db8::1", 53],
  ["2001:db8::1", "2001:db8::1", 53],
])("server %s", (text, host, port) => {
  const parsed = parseOptions({ secret: { ...SECRET, Server: text }, config: null });
  expect(parsed.ok && parsed.value.server).toEqual({ host, port });
});

test("providerConfig may name server and more zones, each once", () => {
  const config = { server: "127.0.0.1:5300", zones: ["b.test", "example.org."] };
  const parsed = parseOptions({ secret: SECRET, config });
  expect(parsed.ok && parsed.value).toMatchObject({
    server: { host: "127.0.0.1", port: 5300 },
    zones: ["example.org", "b.test"],
  });
});

describe("what is missing or malformed is named, and its value is not", () => {
  const without = (key: keyof typeof SECRET) => {
    const { [key]: _, ...rest } = SECRET;
    return rest;
  };
  test.each<[string, Record<string, string>, unknown, string]>([
    ["no server", without("Server"), null, "Server"],
    ["a URL as server", { ...SECRET, Server: "dns://x/marksthespot" }, null, "Server"],
    ["port 0", { ...SECRET, Server: "marksthespot:0" }, null, "Server"],
    ["no zone", without("Zone"), null, "Zone"],
    ["an impossible zone", { ...SECRET, Zone: "marksthespot/+aGk=" }, null, "Zone"],
    ["an impossible zone of the config", SECRET, { zones: ["a b.test"] }, "zones"],
    ["no key name", without("TSIGKeyName"), null, "TSIGKeyName"],
    ["no secret", without("TSIGSecret"), null, "TSIGSecret"],
    ["a secret that is not base64", { ...SECRET, TSIGSecret: "marksthespot!" }, null, "TSIGSecret"],
    [
      "an unknown algorithm",
      { ...SECRET, TSIGSecretAlgorithm: "marksthespot" },
      null,
      "TSIGSecretAlgorithm",
    ],
    [
      "hmac-md5 without leave",
      { ...SECRET, TSIGSecretAlgorithm: "HMAC-MD5.SIG-ALG.REG.INT." },
      null,
      "TSIGSecretAlgorithm",
    ],
    ["allowMd5 as text", SECRET, { allowMd5: "yes" }, "allowMd5"],
    ["unsigned without leave", { Server: "a", Zone: "b.test" }, {}, "TSIGKeyName"],
    ["half a key, with leave", without("TSIGSecret"), { allowUnsigned: true }, "TSIGSecret"],
    ["a config that is a list", SECRET, [], "providerConfig"],
    ["an unknown field", SECRET, { marksthespot: 1 }, "marksthespot"],
    ["zones as text", SECRET, { zones: "a.test" }, "zones"],
    ["a server that is a number", SECRET, { server: 5 }, "server"],
    ["allowUnsigned as text", SECRET, { allowUnsigned: "yes" }, "allowUnsigned"],
  ])("%s", (title, secret, config, subject) => {
    const problems = problemsOf(secret, config);
    expect(problems.map((problem) => problem.subject)).toContain(subject);
    if (title !== "an unknown field")
      expect(JSON.stringify(problems)).not.toContain("marksthespot");
  });

  test("all at once", () => {
    expect(problemsOf({}).map((problem) => problem.subject)).toEqual([
      "Server",
      "Zone",
      "TSIGKeyName",
      "TSIGSecret",
    ]);
  });
});

test("unsigned only with leave", () => {
  const secret = { Server: "a", Zone: "b.test" };
  const parsed = parseOptions({ secret, config: { allowUnsigned: true } });
  expect(parsed.ok && parsed.value.key).toBeNull();
});

test("hmac-md5 only with leave", () => {
  const secret = { ...SECRET, TSIGSecretAlgorithm: "hmac-md5" };
  const parsed = parseOptions({ secret, config: { allowMd5: true } });
  expect(parsed.ok && parsed.value.key?.algorithm).toBe("hmac-md5");
});
