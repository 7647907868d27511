import { expect, test } from "vitest";
import { namesElsewhere, unreadNames } from "./other-dialects.ts";

const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";

function objectWith(annotations: Readonly<Record<string, string>>, fields: object = {}) {
  return { apiVersion: "v1", kind: "Service", metadata: { name: "web", annotations }, ...fields };
}

test.each([
  ["external-dns.kubernetes.io/hostname", "www.example.org"],
  [HOSTNAME, " api.example.org, WWW.Example.Org. "],
  ["external-dns.alpha.kubernetes.io/internal-hostname", "www.example.org"],
  ["external-dns.kubernetes.io/hostname", "bücher.example", "xn--bcher-kva.example"],
])("the annotation %s: %s", (key, text, name = "www.example.org") => {
  const names = new Map<string, string>(namesElsewhere(objectWith({ [key]: text })));
  expect(names.get(name)).toBe(`the annotation ${key}`);
});

test("the hosts of an Ingress, and where both name one: the annotation", () => {
  const rules = [{}, { host: 3 }, { host: "www.example.org" }, { host: "api.example.org" }];
  const names = namesElsewhere(objectWith({ [HOSTNAME]: "api.example.org" }, { spec: { rules } }));
  expect(Object.fromEntries(names)).toEqual({
    "api.example.org": `the annotation ${HOSTNAME}`,
    "www.example.org": "spec.rules",
  });
});

test("hosts that an annotation of ours leaves out are left out on purpose", () => {
  const spec = { rules: [{ host: "www.example.org" }] };
  const chosen = { "dns.gardener.cloud/dnsnames": "a.example.org", [HOSTNAME]: "b.example.org" };
  expect([...unreadNames(objectWith(chosen, { spec })).keys()]).toEqual(["b.example.org"]);
  const empty = { "dns.gardener.cloud/dnsnames": " " };
  expect([...unreadNames(objectWith(empty, { spec })).keys()]).toEqual(["www.example.org"]);
});

test.each([
  ["texts that are no names", objectWith({ [HOSTNAME]: "www..example.org,," })],
  ["rules that are no list", objectWith({}, { spec: { rules: "www.example.org" } })],
  ["nothing", objectWith({})],
])("%s name nothing", (_, object) => {
  expect(namesElsewhere(object)).toEqual(new Map());
});
