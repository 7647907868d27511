import { describe, expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { readRegistry } from "./ownership-options.ts";
import { resolveOptions } from "./resolve-options.ts";
import { TXT_OPTIONS } from "./txt-options.ts";

function read(flags: Readonly<Record<string, string>>) {
  const resolved = resolveOptions({
    command: "run",
    flags: { owner: "me", ...flags },
    environment: {},
    file: null,
    plugIns: PLUG_INS,
  });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return readRegistry(resolved.value);
}

const NO_ALIASES = new Map<string, string>();

test("Z-30 former ids of clusters, with the present ones", () => {
  const aliases = read({ "cluster-alias": "old=eu-1,older=eu-1" });
  expect(aliases.ok && [...aliases.value.clusterAliases]).toEqual([
    ["old", "eu-1"],
    ["older", "eu-1"],
  ]);
});

test("txt is the default; each other format is named", () => {
  expect(read({})).toEqual({
    ok: true,
    value: { format: "txt", owns: [], clusterAliases: NO_ALIASES },
  });
  for (const format of ["gardener", "mesh", "configmap"])
    expect(read({ registry: format })).toEqual({
      ok: true,
      value: { format, owns: [], clusterAliases: NO_ALIASES },
    });
});

test("noop takes the domains that are ours", () => {
  expect(read({ registry: "noop" })).toEqual({
    ok: true,
    value: { format: "noop", owns: [], clusterAliases: NO_ALIASES },
  });
  expect(read({ registry: "noop", "noop-owns": "Apps.example.org.,bücher.example" })).toEqual({
    ok: true,
    value: {
      format: "noop",
      owns: ["apps.example.org", "xn--bcher-kva.example"],
      clusterAliases: NO_ALIASES,
    },
  });
});

test.each<[Readonly<Record<string, string>>, RegExp]>([
  [{ registry: "noop", "noop-owns": "a..b" }, /InvalidOption.*a\.\.b/],
  [{ "cluster-alias": "old" }, /--cluster-alias.*is not old=new/],
  [{ "cluster-alias": "a=b=c" }, /is not old=new/],
  [{ "cluster-alias": "=c" }, /is not old=new/],
  [{ "cluster-alias": "a=b,a=c" }, /a has two new ids/],
  [{ "noop-owns": "example.org" }, /ConflictingOptions.*registry is txt/],
  [{ registry: "mesh", "noop-owns": "example.org" }, /--noop-owns.*registry is mesh/],
])("%s is refused", (flags, message) => {
  const result = read(flags);
  expect(result.ok ? "" : JSON.stringify(result.error)).toMatch(message);
});

const WITH_TXT_ALONE: Readonly<Record<string, string>> = {
  "marker-signing": "require",
  "marker-signing-keys-file": "/keys/signing",
  "txt-encrypt-enabled": "true",
  "txt-encrypt-aes-key": "0123456789abcdef0123456789abcdef",
  "txt-encrypt-aes-key-file": "/keys/aes",
  "txt-prefix": "txt.",
  "txt-suffix": "-txt",
  "txt-wildcard-replacement": "any",
  "txt-layout": "example.org=label",
  "txt-also-read": "suffix=-old",
};

test("every option of the TXT registry is in that list", () => {
  expect(Object.keys(WITH_TXT_ALONE).sort()).toEqual(TXT_OPTIONS.map(({ name }) => name).sort());
});

describe.each(["gardener", "mesh", "configmap", "noop"])("--registry %s", (registry) => {
  test.each(Object.entries(WITH_TXT_ALONE))("refuses --%s, which it ignores", (name, value) => {
    const result = read({ registry, [name]: value });
    expect(result.ok ? [] : result.error).toEqual([
      {
        code: "ConflictingOptions",
        subject: `--${name}`,
        message: `means something only with --registry txt, and the registry is ${registry}; leave the one out or change the other`,
      },
    ]);
  });

  test("takes what says nothing else than the default", () => {
    const flags = { registry, "marker-signing": "off", "txt-layout": "typed" };
    expect(read({ ...flags, "txt-encrypt-enabled": "false" }).ok).toBe(true);
  });
});
