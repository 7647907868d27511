import { expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { toDevConfig } from "./dev-config.ts";
import { resolveOptions } from "./resolve-options.ts";
import { toCheckConfig, toRunConfig } from "./run-config.ts";

type Flags = Readonly<Record<string, string>>;

const READERS = { check: toCheckConfig, dev: toDevConfig, run: toRunConfig };
type Command = keyof typeof READERS;

/** Empty = it starts. */
function refusal(command: Command, flags: Flags): string {
  const given = { environment: {}, file: null, plugIns: PLUG_INS };
  const resolved = resolveOptions({ ...given, command, flags: { owner: "me", ...flags } });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  const config = READERS[command](resolved.value);
  return config.ok ? "" : config.error.map((one) => `${one.subject} ${one.message}`).join("\n");
}

const LABEL = { "target-creator-label-value": "me" };

test.each<[Flags, RegExp]>([
  [{ "lease-name": "NO NO" }, /^--lease-name "NO NO" is no name of a Lease: .*lower case/],
  [{ "lease-namespace": "A" }, /^--lease-namespace "A" is no namespace: .*lower case/],
  [{ namespace: "a.b" }, /^--namespace "a\.b" is no namespace: /],
  [
    { target: "file", "kubeconfig.id": "a/b" },
    /^--kubeconfig\.id "a\/b" cannot be read .* commas$/,
  ],
  [{ target: "file", "target.id": "a:b" }, /^--target\.id "a:b" cannot be read back/],
])("run and check refuse %j, with what would be right", (flags, message) => {
  expect(refusal("run", flags)).toMatch(message);
  expect(refusal("check", flags)).toBe(refusal("run", flags));
});

test.each<[Flags, RegExp]>([
  [{ "target-namespace": "Foo Bar" }, /^--target-namespace "Foo Bar" is no namespace: .*RFC 1123/],
  [{ "target-namespace": "a".repeat(64) }, /is no namespace: must be no more than 63 characters$/],
  [
    { ...LABEL, "target-creator-label-name": "A B" },
    /^--target-creator-label-name "A B" is no key/,
  ],
  [
    { "target-creator-label-value": "a/b" },
    /^--target-creator-label-value "a\/b" is no value of a/,
  ],
  [{ "target-owner-id": "A B" }, /^--target-owner-id "A B" is no owner id: write 1 to 100 print/],
  [{ "blocked-zone": "Z1,*.example.org" }, /^--blocked-zone "\*\.example\.org" is no id of a zone/],
  [{ "blocked-zone": "???:x" }, /patterns are not read: write each id as status\.zones of a/],
])("dev, run and check refuse %j, with what would be right", (flags, message) => {
  for (const command of ["dev", "run", "check"] as const)
    expect(refusal(command, flags)).toMatch(message);
});

test.each<Flags>([
  { "lease-name": "dns.controller-manager", "lease-namespace": "kube-system", namespace: "a-1" },
  { "lease-name": "NO NO", "omit-lease": "true" },
  { "target-creator-label-name": "A B" },
  { ...LABEL, "target-creator-label-name": "example.org/Creator_1" },
  { "target-owner-id": "shop/eu.1", "target-realms": "my realm,", "target-namespace": "dns" },
  { "blocked-zone": "/hostedzone/Z1,group/example.org,project/my-zone,example.org,bücher.example" },
  { "kubeconfig.id": "a:b/c", "target.id": "a/b" },
  { target: "file", "kubeconfig.id": "eu west", "target.id": "garden" },
])("run takes %j", (flags) => {
  expect(refusal("run", flags)).toBe("");
});
