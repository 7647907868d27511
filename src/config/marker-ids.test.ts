import { describe, expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { toDevConfig } from "./dev-config.ts";
import { resolveOptions } from "./resolve-options.ts";
import { toRunConfig } from "./run-config.ts";

type Flags = Readonly<Record<string, string>>;

/** Empty = it starts. */
function refusal(command: "run" | "dev", flags: Flags): string {
  const resolved = resolveOptions({
    command,
    flags,
    environment: {},
    file: null,
    plugIns: PLUG_INS,
  });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  const config = command === "run" ? toRunConfig(resolved.value) : toDevConfig(resolved.value);
  return config.ok ? "" : config.error.map((one) => `${one.subject} ${one.message}`).join("\n");
}

const ids = (length: number) => "x".repeat(length);
const SIGNED = { "marker-signing": "write", "marker-signing-keys-file": "keys" };
const PACKED = { "txt-encrypt-enabled": "true", "txt-encrypt-aes-key-file": "key" };

describe("no marker could carry it: it is refused, with its fault and what to do", () => {
  test.each<[Flags, RegExp]>([
    [{ owner: "a,b" }, /^--owner "a,b" .* registry txt: it holds a comma; .*--registry configmap/],
    [{ owner: 'a"b' }, /it holds a quote/],
    [{ owner: "ä" }, /not printable ASCII/],
    [{ owner: ids(260) }, /^--owner has 260 characters, .* txt has room for 184; choose a shorter/],
    [{ owner: ids(185) }, /has room for 184/],
    [{ owner: ids(143), ...SIGNED }, /has room for 142/],
    [{ owner: "a,b", ...PACKED }, /it holds a comma/],
    [{ owner: 'a"b', registry: "gardener" }, /registry gardener: it holds a quote/],
    [{ owner: "a\\b", registry: "gardener" }, /it holds a backslash/],
    [{ owner: ids(250), registry: "gardener" }, /has room for 249/],
    [{ owner: "a,mesh=b", registry: "mesh" }, /registry mesh: it holds a comma/],
    [{ owner: ids(169), registry: "mesh" }, /room for 168 beside a cluster id of 36/],
    [
      { owner: "me", registry: "mesh", "kubeconfig.id": "eu,prod" },
      /^--kubeconfig\.id "eu,prod" .* it holds a comma; choose another id, or --registry configmap/,
    ],
    [
      { owner: "me", registry: "mesh", target: "file", "target.id": "ü" },
      /^--target\.id "ü" .* not printable ASCII/,
    ],
    [{ owner: "me", registry: "mesh", "kubeconfig.id": ids(230) }, /has room for 0 beside .* 230/],
  ])("%j", (flags, message) => {
    expect(refusal("run", flags)).toMatch(message);
  });

  test("dev likewise", () => {
    expect(refusal("dev", { owner: "a,b" })).toMatch(/^--owner "a,b" .* a comma; .* such as/);
    expect(refusal("dev", {})).toBe("");
  });
});

test.each<[Flags]>([
  [{ owner: "default" }],
  [{ owner: "team=platform" }],
  [{ owner: "my/owner 1" }],
  [{ owner: "a\\b" }],
  [{ owner: ids(184) }],
  [{ owner: ids(142), ...SIGNED }],
  [{ owner: ids(260), ...PACKED }],
  [{ owner: "a,b", registry: "gardener" }],
  [{ owner: ids(249), registry: "gardener", "kubeconfig.id": "eu,prod" }],
  [{ owner: "a=b", registry: "mesh", "kubeconfig.id": "a=b/c" }],
  [{ owner: ids(168), registry: "mesh" }],
  [{ owner: "me", registry: "mesh", "target.id": "not,used" }],
  [{ owner: 'ä,"\\', registry: "configmap", "kubeconfig.id": "eu,prod" }],
  [{ owner: ids(400), registry: "noop" }],
])("a marker can carry it, or none is written: %j", (flags) => {
  expect(refusal("run", flags)).toBe("");
});
