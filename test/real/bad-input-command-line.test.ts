/**
 * Command lines, environments and configuration files that are wrong: exit code 1, nothing on
 * standard output, and one line for each mistake on standard error that names the option, what is
 * wrong and what would be right.
 */
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimPort, type FreePort } from "../support/ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { type RunResult, run } from "../support/programs/run.ts";

let folder: TempFolder;
let taken: FreePort;
let occupant: Server;
beforeAll(async () => {
  folder = makeTempFolder("bad-line");
  taken = await claimPort();
  occupant = createServer().listen(taken.port, "127.0.0.1");
});
afterAll(() => {
  occupant?.close();
  taken?.release();
  folder?.remove();
});

function zonekeeper(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const clean = { KUBECONFIG: "", HOME: folder.path, ...env };
  return run(process.execPath, [PROGRAM, ...args], {
    cwd: folder.path,
    env: clean,
  });
}

/** Runs it and expects it to refuse; returns what it said. */
async function refusal(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await zonekeeper(args, env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr, "no stack for what a user did").not.toMatch(/\n\s+at /);
  return stderr;
}

function file(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

/** A port that is taken by another program must not hide what these starts are about. */
const RUN = ["run", "--owner", "a", "--http-port", "0"];

test.each([
  ["an unknown command", ["serve"], /unknown command 'serve'/],
  ["an unknown flag", ["dev", "--no-such-option"], /--no-such-option/],
  ["a mistyped flag", ["run", "--ownr", "me"], /Did you mean --owner\?/],
  ["a flag without its value", ["run", "--owner"], /--owner/],
  ["a TTL that is text", ["dev", "--ttl", "soon"], /--ttl "soon" is not a whole number of seconds/],
  ["a TTL of zero", ["dev", "--ttl", "0"], /--ttl "0" is too small; at least 1/],
  ["a TTL beyond all bounds", ["dev", "--ttl", "2147483648"], /--ttl .* is too large; at most/],
  ["a port that is none", ["dev", "--dns-port", "65536"], /--dns-port "65536" is not a port; give/],
  [
    "a policy that there is not",
    ["run", "--owner", "a", "--policy", "all"],
    /--policy "all" is none of sync/,
  ],
  [
    "a duration without unit",
    ["run", "--owner", "a", "--lease-duration", "15"],
    /--lease-duration "15" is not a duration; write/,
  ],
  [
    "leases that contradict",
    ["run", "--owner", "a", "--lease-duration", "5s"],
    /--lease-duration: must be longer than --lease-renew-deadline/,
  ],
  ["no owner", ["run"], /--owner: run needs it.*give --owner.*ZONEKEEPER_OWNER/],
  [
    "an owner twice",
    ["run", "--owner", "a", "--txt-owner-id", "b"],
    /--owner and --txt-owner-id are the same option/,
  ],
  [
    "a kubeconfig that is not there",
    [...RUN, "--kubeconfig", "none.yaml"],
    /none\.yaml cannot be read/,
  ],
  ["no kubeconfig at all", RUN, /no kubeconfig at .*give one with --kubeconfig/],
  ["explain without a name", ["explain"], /missing required argument 'name'/],
  ["plan without an instance", ["plan"], /no instance is running/],
  ["a zone that is none", ["dev", "--zone", "a..b"], /--zone.*empty label/],
  [
    "an address that is none",
    ["dev", "--listen", "not-an-address", "--no-examples"],
    /not-an-address/,
  ],
] as const)("%s", async (_, args, fragments) => {
  expect(await refusal(args)).toMatch(fragments);
});

test("a bad value in the environment names the variable", async () => {
  const answer = await refusal(["run", "--owner", "a"], { ZONEKEEPER_TTL: "soon" });
  expect(answer).toMatch(/environment variable ZONEKEEPER_TTL "soon" is not a whole number/);
});

test("every mistake is told at once", async () => {
  const answer = await refusal(["run", "--ttl", "soon", "--policy", "all"]);
  for (const option of ["--owner", "--ttl", "--policy"]) expect(answer).toContain(option);
  expect(answer.trim().split("\n")).toHaveLength(3);
});

const HEAD = "apiVersion: zonekeeper.dev/v1alpha1\nkind: Configuration\n";
test.each([
  ["is not there", null, /--config: the file cannot be read.*none\.yaml/],
  ["is broken YAML", `${HEAD}ttl: [`, /config\.yaml:\d/],
  ["is a list", "- ttl", /config\.yaml:1.*is no map; begin with apiVersion/],
  ["has no version", "ttl: 60", /config\.yaml:1.*it must say apiVersion: zonekeeper\.dev/],
  ["has a field that there is not", `${HEAD}tll: 60`, /config\.yaml:3.*no field "tll"/],
  ["has a bad value", `${HEAD}ttl: soon`, /config\.yaml:3 ttl "soon" is not a whole number/],
  ["has an empty field", `${HEAD}ttl:`, /config\.yaml:3.*ttl is empty/],
  ["has a field twice", `${HEAD}ttl: 60\nttl: 61`, /config\.yaml:4/],
])("a configuration file that %s: the message names file and line", async (_, text, fragments) => {
  const path = text === null ? "none.yaml" : file("config.yaml", text);
  expect(await refusal(["run", "--owner", "a", "--config", path])).toMatch(fragments);
});

test.each([
  ["broken YAML", "clusters: ["],
  ["no context", "apiVersion: v1\nkind: Config"],
  ["a context without its cluster", KUBECONFIG_WITHOUT_CLUSTER()],
])("a kubeconfig with %s names the file", async (_, text) => {
  const path = file("broken-kubeconfig", text);
  const answer = await refusal([...RUN, "--kubeconfig", path]);
  expect(answer).toContain("broken-kubeconfig");
});

function KUBECONFIG_WITHOUT_CLUSTER(): string {
  const contexts = [{ name: "c", context: { cluster: "gone", user: "u" } }];
  return JSON.stringify({ apiVersion: "v1", kind: "Config", "current-context": "c", contexts });
}

test.each(["--dns-port", "--api-port", "--http-port"])(
  "dev with %s in use says which port and what to do",
  async (flag) => {
    const data = join(folder.path, `data${flag}`);
    const answer = await refusal([
      "dev",
      "--no-examples",
      "--data",
      data,
      flag,
      String(taken.port),
    ]);
    expect(answer).toContain(`127.0.0.1:${taken.port}`);
    expect(answer).toMatch(/in use/);
    expect(answer).toMatch(/stop|another|choose/);
  },
);

test("run with its HTTP port in use says so", async () => {
  const path = file(
    "kubeconfig",
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:1" } }],
      users: [{ name: "u", user: {} }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    }),
  );
  const args = ["run", "--owner", "a", "--kubeconfig", path, "--http-port", String(taken.port)];
  const { code, stderr } = await zonekeeper(args);
  expect(code).toBe(1);
  expect(stderr).toContain(`127.0.0.1:${taken.port}`);
  expect(stderr).toContain("choose another port with --http-port");
  const both = args.map((one) => (one === path ? "none.yaml" : one));
  expect((await zonekeeper(both)).stderr).toContain("none.yaml cannot be read");
});

test.each(["dns-port", "dns-tls-port"])(
  "dev with --%s in use names that option",
  async (option) => {
    const data = join(folder.path, option);
    const { code, stderr } = await zonekeeper([
      ...["dev", "--data", data, `--${option}`, String(taken.port)],
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain(`choose another port with --${option}\n`);
  },
);

// Folders of the kernel, in which root may not write either.
test("a data folder that is a file, may not be written, or lies where nothing can be made", async () => {
  const path = file("a-file", "not a folder");
  for (const data of [path, "/sys/kernel", "/proc/nothing"])
    expect(await refusal(["dev", "--data", data])).toContain(data);
});
