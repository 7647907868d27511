/** Options of a plug-in module: as ours in flags, environment, file and messages. */
import { expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { optionOf, type PluginOption, wrongOptions } from "./plugin-option.ts";
import { type Given, resolveOptions } from "./resolve-options.ts";
import { toRunConfig } from "./run-config.ts";

const doc = "what it is for.";
const ROWS: readonly PluginOption[] = [
  { name: "acme-url", type: "text", doc, required: true },
  { name: "acme-wait", type: "duration", doc, default: "5s", min: 1000 },
  { name: "acme-on", type: "flag", doc },
  { name: "acme-mode", type: "choice", doc, choices: ["fast", "safe"] },
  { name: "acme-hosts", type: "list", doc },
];
const plugIns = { ...PLUG_INS, options: ROWS.map(optionOf) };
const HEAD = "apiVersion: zonekeeper.dev/v1alpha1\nkind: Configuration\n";

function given(more: Partial<Given>, file = ""): unknown {
  const resolved = resolveOptions({
    ...{ command: "run", flags: { owner: "me" }, environment: {}, plugIns },
    ...more,
    file: file === "" ? null : { name: "f", text: file },
  });
  if (!resolved.ok) return resolved.error.map(({ subject, message }) => `${subject} ${message}`);
  const config = toRunConfig(resolved.value);
  return config.ok ? config.value.publish.pluginOptions : config.error;
}

test("they come from the flag, the environment and the file, in that order, or by default", () => {
  const environment = { ZONEKEEPER_ACME_URL: "of the environment", ZONEKEEPER_ACME_ON: "true" };
  const file = `${HEAD}acmeUrl: of the file\nacmeMode: safe\nacmeHosts: [a, b]\n`;
  const flags = { owner: "me", "acme-on": "false" };
  expect(given({ flags, environment }, file)).toEqual({
    ...{ "acme-url": "of the environment", "acme-wait": 5000, "acme-on": false },
    ...{ "acme-mode": "safe", "acme-hosts": ["a", "b"] },
  });
});

test("a file of Gardener's manager has them by their flags", () => {
  const environment = { ZONEKEEPER_DIALECT: "gardener" };
  const flags = { owner: "me", dialect: "gardener" };
  expect(given({ flags, environment }, "acme-url: here\n")).toMatchObject({ "acme-url": "here" });
});

test("what is wrong with them is said with what is wrong with ours", () => {
  const flags = { owner: "me", ttl: "soon", "acme-mode": "slow", "acme-wait": "10ms" };
  expect(given({ flags })).toEqual([
    expect.stringContaining("--ttl"),
    expect.stringMatching(/^--acme-url run needs it .* or acmeUrl in the configuration file/),
    expect.stringContaining('--acme-wait --acme-wait "10ms" is too small'),
    '--acme-mode --acme-mode "slow" is none of fast, safe',
  ]);
  expect(given({}, `${HEAD}acmeurl: x\n`)).toEqual([
    'f:3 has no field "acmeurl"; did you mean acmeUrl?',
  ]);
});

test.each<[string, readonly Partial<PluginOption>[]]>([
  ["options[0].name must be acme- and then letters", [{ name: "url" }]],
  ["options[0].name must be acme- and then letters", [{ name: "acme-" }]],
  ["options[1].choices must have at least one text", [{}, { name: "acme-b", type: "choice" }]],
  ['options[0].default "x" is not a whole number', [{ type: "integer", default: "x" }]],
  ["has an option --acme-a, which is there already", [{}, {}]],
  ["has an option --acme-taken, which is there already", [{ name: "acme-taken" }]],
])("a row is refused: %s", (message, rows) => {
  const others = [optionOf({ name: "acme-taken", type: "text", doc })];
  const all = rows.map((row) => ({ name: "acme-a", type: "text" as const, doc, ...row }));
  expect(wrongOptions("acme", all, others)).toContain(message);
});

test("a module that is called as options of ours begin gets none of them", () => {
  const row = { name: "lease-name", type: "text", doc } as const;
  expect(wrongOptions("lease", [row], [])).toContain("--lease-name, which is there already");
  expect(wrongOptions("acme", ROWS, [])).toBeNull();
});
