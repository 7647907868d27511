/** The command line and the file of Gardener's DNS controller manager, given to `run`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import { ABSENT, GARDENER_OPTIONS } from "../../config/gardener-options.ts";
import { toRunConfig } from "../../config/run-config.ts";
import { addOptions, resolveGiven } from "./given-options.ts";
import { buildProgram } from "./program.ts";

/** `-c, --controllers string`: the names of its README, with the kinds of their values. */
const listed = (file: string): readonly string[] =>
  readFileSync(`test/golden/options/${file}.txt`, "utf8").trim().split("\n");
/** Until v0.5 each type had a controller of its own; since then there is `compound`. */
const LISTS = { gardener: listed("gardener"), "gardener-compound": listed("gardener-compound") };
const LISTED = [...new Set(Object.values(LISTS).flat())];

const SAMPLES: Readonly<Record<string, string>> = {
  int: "1",
  duration: "2m0s",
  string: "a",
  stringArray: "a.example.org",
  "zone-id": "Z1",
};
/** Where a value must be one of some, or fit another option. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  controllers: ["service-dns,dnscontrollers"],
  "provider-types": ["aws-route53"],
  "compound.provider-types": ["aws-route53"],
  "log-level": ["warning"],
  "lease-duration": ["20s"],
  "lease-retry-period": ["1s"],
  "lease-renew-deadline": ["9s"],
  "kubeconfig.migration-ids": ["old", "--kubeconfig.id", "new"],
  "target.migration-ids": ["old", "--target.id", "new"],
  "providers.migration-ids": ["old", "--providers.id", "new"],
};

let remarks = "";
vi.spyOn(process.stderr, "write").mockImplementation((text) => {
  remarks += String(text);
  return true;
});
afterEach(() => {
  remarks = "";
});

// Built once: commander forgets the values of a parse at the next one.
const command = new Command("run").exitOverride();
addOptions(command, "run");

function options(...args: readonly string[]) {
  command.parse([...args], { from: "user" });
  return resolveGiven(command, "run", { environment: {} });
}

function config(...args: readonly string[]) {
  const read = toRunConfig(options("--owner", "me", ...args));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const folder = makeTempFolder("options");
afterAll(() => folder.remove());
let files = 0;

function inFile(text: string): string {
  files += 1;
  const path = join(folder.path, `options-${files}.yaml`);
  writeFileSync(path, text);
  return path;
}

test("its READMEs list 281 and 348 options", () => {
  expect(Object.values(LISTS).map((list) => list.length)).toEqual([281, 348]);
});

/** Why an option has no effect; null = it is one of ours. */
function whyNot(name: string): string | null {
  const scope = Object.keys(ABSENT).find((one) => name.startsWith(`${one}.`));
  if (scope !== undefined) return ABSENT[scope] ?? null;
  const row = GARDENER_OPTIONS.find((one) => name === one.name || name.endsWith(`.${one.name}`));
  return row?.to === null ? row.why : null;
}

test("most of its options have no effect here, and each of those has a reason", () => {
  const names = LISTS.gardener.map((line) => /--(\S+)/.exec(line)?.[1] ?? "");
  const reasons = names.map(whyNot).filter((why) => why !== null);
  expect(reasons).toHaveLength(184);
  expect(reasons.filter((why) => why.length < 10)).toEqual([]);
});

test.each(LISTED)("run starts with %s, and says so if it has no effect", async (line) => {
  const [, short, name = "", kind] = /^(?:-(\w), )?--(\S+)(?: ([\w-]+))?$/.exec(line) ?? [];
  if (name === "help" || name === "version") {
    await expectText(`--${name}`);
    return;
  }
  const path = inFile("ttl: 60\n");
  const value = name === "config" ? [path] : (VALUES[name] ?? [SAMPLES[kind ?? ""] ?? ""]);
  const given = kind === undefined ? [] : value;
  const isOwner = name.endsWith("identifier");
  const owner = isOwner ? [] : ["--owner", "me"];
  for (const flag of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]) {
    const read = toRunConfig(options("--dialect", "gardener", ...owner, flag, ...given));
    expect(read).toMatchObject({ ok: true });
    const why = whyNot(name);
    if (why === null) expect(remarks).not.toContain("has no effect");
    else expect(remarks).toContain(`--${name} has no effect: ${why}`);
    remarks = "";
  }
});

/** Help and version end the program before it starts. */
async function expectText(flag: string): Promise<void> {
  let printed = "";
  const program = buildProgram({
    ...{ environment: {}, programName: "zonekeeper", isWholeHelp: false, setExitCode: () => {} },
    ...{ terminal: { columns: null, color: false }, print: (text: string) => (printed += text) },
  });
  for (const one of [program, ...program.commands]) one.exitOverride();
  const { message } = await program.parseAsync(["node", "zk", "run", flag]).catch((e) => e);
  expect(message).toBeDefined();
  expect(printed).toMatch(/zonekeeper/);
}

test("what has no effect is told, with the reason; what is the same is not", () => {
  config("--dns-delay", "10s", "--ttl", "60", "-c", "all", "-D", "info", "--omit-lease");
  expect(remarks).toBe(
    "zonekeeper: --dns-delay has no effect: a change is sent at once, and changes that come close together go as one\n",
  );
});

test("a value that is none is refused, though it would have no effect", () => {
  expect(() => config("--dns-delay", "soon")).toThrow(/--dns-delay "soon" is not a duration/);
  expect(() => config("--cache-ttl", "soon")).toThrow(/--cache-ttl "soon" is not a whole number/);
});

test("a duration of 0 is one without unit, too, within the bounds of the option", () => {
  config("--dns-delay", "0", "--compound.dns-delay", "0", "--aws-route53.dns-delay=0");
  expect(remarks.match(/has no effect/g)).toHaveLength(3);
  expect(() => config("--lease-duration", "0")).toThrow(/--lease-duration "0" is too small/);
  expect(() => config("--dns-delay", "00")).toThrow(/"00" is not a duration/);
});

test("a short form takes its value after =", () => {
  config("-n=false", "-D=info");
  expect(remarks).toContain("--namespace-local-access-only has no effect");
  expect([...config("-c=service-dns").controllers]).toEqual(["service-dns"]);
  expect(() => config("-n=no")).toThrow(/"no" is neither true nor false/);
});

test("its options that are empty by default may be given empty; others may not", () => {
  const empty = ["--bind-address-http", "", "--providers", "", "--target-realms="];
  expect(config(...empty, "--service-dns.target-realms", "")).toEqual(config());
  expect(() => config("--target", "")).toThrow(/--target is empty/);
});

test("controllers of which none is here are refused with one message", () => {
  const error = (): unknown => {
    try {
      return config("-c", "annotation");
    } catch (thrown) {
      return thrown;
    }
  };
  expect(error()).toMatchObject({
    problems: [{ subject: "--controllers", message: expect.stringContaining("names none") }],
  });
});

test("a scope comes before no scope", () => {
  expect(config("--ttl", "60", "--aws-route53.ttl", "90").publish.ttlSeconds).toBe(90);
  expect(remarks).toContain("--aws-route53.ttl holds for the whole process");
});

test("what is dry for one is dry for all", () => {
  expect(config("--azure-dns.dry-run").publish.dryRun).toBe(true);
  expect(config("--dry-run", "--azure-dns.dry-run=false").publish.dryRun).toBe(true);
  expect(config("--azure-dns.dry-run=false").publish.dryRun).toBe(false);
  const both = ["--azure-dns.dry-run=false", "--aws-route53.dry-run"];
  expect(config(...both).publish.dryRun).toBe(true);
});

test("scopes that differ in class or owner are refused: one process has one", () => {
  const classes = ["--service-dns.dns-class", "a", "--ingress-dns.dns-class", "b"];
  expect(() => config(...classes)).toThrow(/--service-dns\.dns-class.*--ingress-dns.*different/);
  expect(() => config("--aws-route53.identifier", "b")).toThrow(/--owner have different values/);
  const ttls = ["--aws-route53.ttl", "1", "--azure-dns.ttl", "2"];
  expect(() => config(...ttls)).toThrow(/have different values/);
  const { dnsClasses, sourceClasses, targetClass } = config(
    ...["--service-dns.dns-class", "a,b", "--dns-class", "c"],
    ...["--ingress-dns.dns-target-class", "c"],
  ).publish;
  expect([dnsClasses, sourceClasses, targetClass]).toEqual([["c"], ["a", "b"], "c"]);
});

test.each([
  [["--dns-class", "a", "--aws-route53.dns-class", "b"], "aws-route53.dns-class", "dns-class"],
  [
    ["--target-namespace", "a", "--service-dns.target-namespace", "b"],
    ...["service-dns.target-namespace", "target-namespace"],
  ],
  [
    ["--exclude-domains", "a.org", "--ingress-dns.exclude-domains", "b.org"],
    ...["ingress-dns.exclude-domains", "exclude-domains"],
  ],
] as const)("%j is refused with both options and the remedy", (given, scoped, plain) => {
  const message = `--${scoped}: and --${plain} have different values, and one process has one; give it once, or start a process for each`;
  expect(() => config(...given)).toThrow(message);
});

test("zones that are blocked for a type, a controller and all are blocked together", () => {
  const zones = ["--blocked-zone", "Z1", "--compound.blocked-zone", "Z2"];
  const more = ["--compound.aws-route53.blocked-zone", "Z3", "--azure-dns.blocked-zone", "Z4"];
  const { blockedZones } = config(...zones, ...more).publish;
  expect([...blockedZones].sort()).toEqual(["Z1", "Z2", "Z3", "Z4"]);
});

test("the controller compound is a scope, and so are the types within it", () => {
  expect(config("--compound.ttl", "90").publish.ttlSeconds).toBe(90);
  config("--compound.aws-route53.advanced.batch-size", "10");
  expect(remarks).toContain("--compound.aws-route53.advanced.batch-size has no effect");
});

test("what is said of a controller that is not here has no effect", () => {
  expect(config("--istio-gateways-dns.dns-class", "x").publish.sourceClasses).toEqual([
    "gardendns",
  ]);
  expect(remarks).toContain("there is no controller istio-gateways-dns here");
});

test.each([
  ["dnssources", ["service-dns", "ingress-dns"]],
  ["dnscontrollers", ["compound"]],
  ["aws-route53,netlify-dns", ["compound"]],
  ["service-dns,annotation", ["service-dns"]],
])("--controllers %s", (given, controllers) => {
  expect([...config("--controllers", given).controllers]).toEqual(controllers);
});

test.each([
  [
    ["--controllers", "aws-route53,azure-dns"],
    ["aws-route53", "azure-dns"],
  ],
  [["--controllers", "service-dns,compound,coredns-etcd"], ["coredns-etcd"]],
  [
    ["--provider-types", "rfc2136,powerdns"],
    ["rfc2136", "powerdns"],
  ],
  [["--controllers", "all", "--compound.provider-types", "rfc2136"], ["rfc2136"]],
  [["--controllers", "all,aws-route53"], null],
  [["--controllers", "dnscontrollers,aws-route53"], null],
  [["--provider-types", "all"], null],
  [["--controllers", "all"], null],
])("%j: types of DNSProviders are %j", (given, types) => {
  const { providerTypes } = config(...given);
  expect(providerTypes === null ? null : [...providerTypes]).toEqual(types);
});

test("types that are not here get a remark", () => {
  expect([...(config("--provider-types", "remote,rfc2136").providerTypes ?? [])]).toEqual([
    "rfc2136",
  ]);
  expect(remarks).toContain("--provider-types remote has no effect: there are no DNSProviders of");
  expect(() => config("--provider-types", "remote")).toThrow(
    /--provider-types names none that is here: there are no DNSProviders of type remote here; /,
  );
  // The other one says what is wrong with it by itself.
  expect(() => config("--provider-types", "remote,rfc2163")).toThrow(/"rfc2163" is none of all, /);
  expect(() => config("--provider-types", "rfc2163")).toThrow(/"rfc2163" is none of all, /);
  expect(() => config("--controllers", "netlify-dns")).toThrow(/names none that is here/);
  const twice = ["--controllers", "rfc2136", "--provider-types", "powerdns"];
  expect(() => config(...twice)).toThrow(/give them once/);
});

test("--controllers that name nothing that is here are refused", () => {
  expect(() => config("--controllers", "annotation")).toThrow(/names none that is here/);
  expect(() => config("--controllers", "nonsense")).toThrow(/"nonsense" is none of all, compound/);
});

test("former ids become the present one, which must be named", () => {
  const { registry } = config("--target.migration-ids", "a,b", "--target.id", "c");
  expect([...registry.clusterAliases]).toEqual([
    ["a", "c"],
    ["b", "c"],
  ]);
  expect(() => config("--target.migration-ids", "a")).toThrow(/needs --target\.id/);
});

test("--namespace is the Lease's in the dialect alone; --name is the Lease's where it has none", () => {
  expect(config("--namespace", "a").namespace).toBe("a");
  const other = config("--dialect", "gardener", "--namespace", "a", "--name", "dns");
  expect([other.namespace, other.lease?.namespace, other.lease?.name]).toEqual([null, "a", "dns"]);
  expect(config("--name", "dns", "--lease-name", "zk").lease?.name).toBe("zk");
  const twice = ["--dialect", "gardener", "--namespace", "a", "--lease-namespace", "b"];
  expect(() => config(...twice)).toThrow(/are the same option/);
});

test("the file has the same names; a flag comes before it", () => {
  const path = inFile("namespace: dns\nttl: 60\naws-route53.dns-delay: 5s\nidentifier: me\n");
  const { lease, publish, owner } = fromFile(path, "--ttl", "90");
  expect([lease?.namespace, publish.ttlSeconds, owner]).toEqual(["dns", 90, "me"]);
  expect(remarks).toContain("--aws-route53.dns-delay has no effect");
});

test("what is wrong in the file is told with its line", () => {
  expect(() => fromFile(inFile("ttl: 60\nspeed: 9\n"))).toThrow(/:2.*has no option "speed"/);
  expect(() => fromFile(inFile("ttl: 60\ndns-delay: soon\n"))).toThrow(/:2.*is not a duration/);
  expect(() => fromFile(inFile("ttl: {}\n"))).toThrow(/ttl takes a value/);
  expect(() => fromFile(inFile("- ttl\n"))).toThrow(/is no map/);
});

function fromFile(path: string, ...args: readonly string[]) {
  const read = toRunConfig(options("--dialect", "gardener", "--config", path, ...args));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}
