import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { optionsPage } from "../../tools/options-page.ts";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { isTaken, toPlanView } from "./client-options.ts";
import { toDevConfig } from "./dev-config.ts";
import { environmentName, fieldName } from "./option.ts";
import { OPTIONS, optionsOf } from "./options-table.ts";
import { parseOptionValue } from "./parse-option-value.ts";
import { type Given, resolveOptions } from "./resolve-options.ts";
import { toRunConfig } from "./run-config.ts";

const given = (more: Partial<Given>): Given => ({
  command: "run",
  flags: {},
  environment: {},
  file: null,
  plugIns: PLUG_INS,
  ...more,
});
const file = (body: string): Given["file"] => ({
  name: "zk.yaml",
  text: `apiVersion: zonekeeper.dev/v1alpha1\nkind: Configuration\n${body}`,
});
function values(more: Partial<Given>) {
  const resolved = resolveOptions(given(more));
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return resolved.value;
}
function problems(more: Partial<Given>): string {
  const resolved = resolveOptions(given(more));
  if (resolved.ok) throw new Error("it should have been refused");
  return resolved.error.map((p) => `${p.code} ${p.subject} ${p.message}`).join("\n");
}

test("a flag wins over the environment, that over the file, that over the default", () => {
  const flags = { owner: "flag" };
  const environment = { ZONEKEEPER_OWNER: "environment", ZONEKEEPER_TTL: "60" };
  const inFile = file("owner: file\nttl: 50\ndnsClass: other\n");
  const all = values({ flags, environment, file: inFile });
  expect([all.text("owner"), all.number("ttl"), all.text("dns-class")]).toEqual([
    "flag",
    60,
    "other",
  ]);
  expect(values({ environment, file: inFile }).text("owner")).toBe("environment");
  expect(values({ file: inFile }).text("owner")).toBe("file");
  expect(values({ file: inFile }).number("http-port")).toBe(8080);
});

test("run refuses to start without an owner and says how to give one", () => {
  const message = problems({});
  for (const part of [
    "MissingOption",
    "--owner",
    "--txt-owner-id",
    "ZONEKEEPER_OWNER",
    "configuration file",
  ])
    expect(message).toContain(part);
  expect(resolveOptions(given({ command: "dev" })).ok).toBe(true);
});

test("peers' spellings of a flag are read, but not two at once", () => {
  expect(values({ flags: { "txt-owner-id": "a" } }).text("owner")).toBe("a");
  expect(values({ flags: { identifier: "a" } }).text("owner")).toBe("a");
  expect(problems({ flags: { owner: "a", identifier: "a" } })).toContain(
    "--owner and --identifier are the same option",
  );
});

const REFUSED: readonly (readonly [Partial<Given>, string])[] = [
  [{ flags: { owner: "a", "http-port": "80800" } }, '--http-port "80800" is not a port'],
  [{ flags: { owner: "a", "http-port": "x" } }, "from 0 to 65535"],
  [{ flags: { owner: "" } }, "--owner is empty"],
  [{ flags: { owner: ["a", "b"] } }, "given more than once"],
  [{ flags: { owner: "a", ttl: "0" } }, "too small; at least 1 seconds"],
  [{ flags: { owner: "a", ttl: "1.5" } }, "not a whole number of seconds"],
  [{ flags: { owner: "a", ttl: "99999999999" } }, "too large"],
  [{ flags: { owner: "a", policy: "all" } }, "none of sync, upsert-only, create-only"],
  [{ flags: { owner: "a", controllers: "compound,x" } }, '"x" is none of all'],
  [{ flags: { owner: "a", "lease-duration": "15" } }, "write 300ms, 15s, 2m or 1h"],
  [
    { flags: { owner: "a" }, environment: { ZONEKEEPER_DRY_RUN: "yes" } },
    "variable ZONEKEEPER_DRY_RUN",
  ],
  [{ file: file("owner: a\nttl: soon\n") }, 'zk.yaml:4 ttl "soon"'],
  [{ file: file("owner: a\nleasename: x\n") }, "did you mean leaseName?"],
  [{ file: file("owner: a\nlease-name: x\n") }, "did you mean leaseName?"],
  [{ file: file("owner: a\nnonsense: x\n") }, 'zk.yaml:4 has no field "nonsense"'],
  [{ file: file("owner:\n") }, "owner is empty"],
  [{ file: file("owner: {a: b}\n") }, "owner is a map"],
  [{ file: file("owner: [a\n") }, "InvalidConfigFile zk.yaml:"],
  [{ file: { name: "zk.yaml", text: "owner: a\n" } }, "apiVersion: zonekeeper.dev/v1alpha1"],
  [{ file: { name: "zk.yaml", text: "- a\n" } }, "is no map"],
];
test.each(REFUSED)("a bad value is refused with its origin and the remedy: %j", (more, text) => {
  expect(problems(more)).toContain(text);
});

test.each(["explain", "approve", "pause", "ownership", "registry migrate", "owner take"] as const)(
  "%s offers no Markdown and refuses it; plan has it",
  (command) => {
    const flags = { output: "markdown", from: "uid/ns/name" };
    const choices = (name: typeof command | "plan") =>
      optionsOf(name, PLUG_INS).find((option) => option.name === "output")?.choices;
    expect(choices(command)).toEqual(["text", "json"]);
    expect(problems({ command, flags })).toContain('"markdown" is none of text, json');
    expect(choices("plan")).toEqual(["text", "json", "markdown"]);
    expect(toPlanView(values({ command: "plan", flags: { output: "markdown" } })).output).toBe(
      "markdown",
    );
  },
);

test("every problem is reported, not only the first", () => {
  expect(problems({ flags: { ttl: "0", "http-port": "x" } }).split("\n")).toHaveLength(3);
});

test("the value of a secret option is not repeated", () => {
  const [option] = OPTIONS.filter((row) => row.name === "policy");
  if (option === undefined) throw new Error("no such option");
  const parsed = parseOptionValue({ ...option, secret: true }, "hunter2");
  expect(parsed.ok).toBe(false);
  expect(JSON.stringify(parsed)).not.toContain("hunter2");
});

test("a run configuration is typed", () => {
  const run = toRunConfig(
    values({
      flags: { owner: "a", controllers: ["service-dns"], "lease-duration": "1m", "target.id": "t" },
    }),
  );
  if (!run.ok) throw new Error("refused");
  expect([...run.value.controllers]).toEqual(["service-dns"]);
  expect(run.value.lease?.durationMs).toBe(60_000);
  expect(run.value.target).toMatchObject({ kubeconfig: null, id: "t" });
  const bare = toRunConfig(values({ flags: { owner: "a", "omit-lease": true } }));
  expect(bare.ok && bare.value.lease).toBeNull();
});

test("lease times that could give two holders are refused", () => {
  const run = toRunConfig(values({ flags: { owner: "a", "lease-duration": "5s" } }));
  expect(run.ok).toBe(false);
  expect(JSON.stringify(run)).toContain("must be longer than --lease-renew-deadline");
});

test("a holder that could try only once is refused", () => {
  const run = toRunConfig(values({ flags: { owner: "a", "lease-retry-period": "5s" } }));
  expect(JSON.stringify(run)).toContain("must be longer than twice --lease-retry-period");
});

test("a dev configuration has its own defaults", () => {
  const dev = toDevConfig(values({ command: "dev" }));
  if (!dev.ok) throw new Error("refused");
  expect(dev.value).toMatchObject({
    data: "./.zonekeeper",
    zone: "example.org",
    owner: null,
    http: { address: "127.0.0.1", port: 0 },
    examples: true,
  });
  expect(toDevConfig(values({ command: "dev", flags: { zone: "bad..name" } })).ok).toBe(false);
});

test("names in flag, environment and file do not collide", () => {
  const flags = OPTIONS.flatMap((option) => [option.name, ...option.aliases]);
  expect(new Set(flags).size).toBe(flags.length);
  expect(new Set(OPTIONS.map((o) => environmentName(o.name))).size).toBe(OPTIONS.length);
  expect(new Set(OPTIONS.map((o) => fieldName(o.name))).size).toBe(OPTIONS.length);
  expect(environmentName("kubeconfig.id")).toBe("ZONEKEEPER_KUBECONFIG_ID");
});

test("docs/reference/options.md is the table's page", () => {
  expect(readFileSync("docs/reference/options.md", "utf8")).toBe(optionsPage(PLUG_INS));
});

const COMMANDS = [...new Set(OPTIONS.flatMap(({ commands }) => commands))];

test.each(
  COMMANDS.flatMap((command) =>
    optionsOf(command, PLUG_INS)
      .filter(({ type, choices }) => type === "text" && choices.length === 0)
      .map(({ name }) => [command, name] as const),
  ),
)("%s takes its own --%s, whatever Gardener's flags are called", (command, name) => {
  const resolved = resolveOptions(
    given({
      command,
      flags: { owner: "me", from: "them", [name]: "x.example" },
      isPlugin: !isTaken(name, command, false),
    }),
  );
  if (resolved.ok) expect(resolved.value.text(name)).toBe("x.example");
  else expect(JSON.stringify(resolved.error), "refused by its name").toContain(name);
});
