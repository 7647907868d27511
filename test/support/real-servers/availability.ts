/**
 * Which real servers this machine has. Tests of a missing server are skipped, loudly and counted;
 * with ZONEKEEPER_REQUIRE_REAL=1 (set by .ci/run) a missing server is a failure. What takes minutes
 * to build, or starts slowly, is for one part of the campaign (ZONEKEEPER_CAMPAIGN=PART), which
 * requires it.
 */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { assetPath } from "../api-servers/assets.ts";
import { apiClientPath } from "../clients/api-clients.ts";
import { kubectlPath } from "../clients/kubectl.ts";
import { judgePython } from "../clients/provider-judges.ts";
import { helmPath } from "../programs/helm.ts";
import { isOnPath, programPath } from "../programs/program-path.ts";
import { skippedTitle } from "../reporting/skip-mark.ts";
import { coreDnsPath } from "./coredns.ts";
import { openStackPath } from "./openstack/openstack.ts";

/**
 * Programs that tests need, on the PATH or as absolute paths, and the command that gets them on
 * Debian.
 */
interface Needs {
  readonly programs: readonly string[];
  readonly get: string;
  /** Default false. */
  readonly asRoot?: boolean;
  /** The part of script/campaign that has it; absent = .ci/run has it. */
  readonly campaign?: CampaignPart;
}

/** The parts of script/campaign that play real tests of their own. */
export type CampaignPart = "api" | "servers" | "release";

/** Absolute path of the folder with the definitions that others have released. */
export function definitionsPath(): string {
  return resolve("node_modules/.cache/zonekeeper/definitions/current");
}

/** Absolute path of the promtool that script/fetch-promtool puts there. */
export function promtoolPath(): string {
  return resolve("node_modules/.cache/zonekeeper/promtool/promtool");
}

/** The servers and clients that tests may ask for. */
export const REAL_PROGRAMS = {
  bind: {
    programs: ["named", "named-checkconf", "dig"],
    get: "apt-get install bind9 bind9-utils bind9-dnsutils",
  },
  knot: { programs: ["knotd", "knotc", "kdig"], get: "apt-get install knot knot-dnsutils" },
  powerdns: {
    programs: ["pdns_server", "pdnsutil", "sqlite3"],
    get: "apt-get install pdns-server pdns-backend-sqlite3 sqlite3",
  },
  nsd: { programs: ["nsd", "nsd-checkconf"], get: "apt-get install nsd" },
  dig: { programs: ["dig", "nsupdate"], get: "apt-get install bind9-dnsutils" },
  kdig: { programs: ["kdig"], get: "apt-get install knot-dnsutils" },
  ldns: { programs: ["ldns-compare-zones"], get: "apt-get install ldnsutils" },
  "kubectl-1.20": { programs: [kubectlPath("1.20")], get: "bash script/fetch-kubectl" },
  "kubectl-1.32": { programs: [kubectlPath("1.32")], get: "bash script/fetch-kubectl" },
  helm: { programs: [helmPath()], get: "bash script/fetch-helm" },
  "kube-apiserver": {
    programs: [assetPath("kube-apiserver"), assetPath("etcd")],
    get: "bash script/build-kube-apiserver, or name a folder with both in KUBEBUILDER_ASSETS",
    campaign: "api",
  },
  "api-clients": {
    programs: (["informer", "controller", "python/bin/python"] as const).map(apiClientPath),
    get: "bash script/build-api-clients",
  },
  "released-definitions": { programs: [definitionsPath()], get: "bash script/fetch-definitions" },
  promtool: { programs: [promtoolPath()], get: "bash script/fetch-promtool" },
  iproute2: { programs: ["ip", "unshare", "hostname"], get: "apt-get install iproute2 util-linux" },
  coredns: {
    programs: [coreDnsPath()],
    get: "bash script/build-api-clients coredns",
    campaign: "servers",
  },
  chromium: { programs: ["/usr/bin/chromium"], get: "apt-get install chromium" },
  etcd: { programs: ["etcd"], get: "apt-get install etcd-server" },
  openstack: {
    programs: [openStackPath(), "/usr/bin/keystone-wsgi-public"],
    get: "apt-get install keystone designate-api designate-central designate-worker designate-producer designate-mdns; bash script/build-openstack",
    campaign: "servers",
  },
  /** Nothing: for the dear variants of a story that .ci/run plays in another one. */
  variants: { programs: [], get: "npm run campaign -- servers", campaign: "servers" },
  image: {
    programs: ["libdeflate-gzip", "apt-get", "openssl", "unshare", "setpriv", "chroot"],
    get: "apt-get install libdeflate-tools openssl util-linux coreutils",
    asRoot: true,
  },
  "provider-judges": { programs: [judgePython()], get: "bash script/judge --build" },
} as const satisfies Readonly<Record<string, Needs>>;

/** What can be asked for. */
export type RealProgram = keyof typeof REAL_PROGRAMS;

/**
 * Whether this part of the campaign runs. Elsewhere its tests are no tests at all: neither run nor
 * counted.
 */
export function isCampaign(part: CampaignPart): boolean {
  return process.env["ZONEKEEPER_CAMPAIGN"] === part;
}

/**
 * The first program missing from `path` with the command that installs it, or null when all are
 * there.
 */
export function missing(name: RealProgram, path = programPath()): string | null {
  const needs: Needs = REAL_PROGRAMS[name];
  const absent = needs.programs.find((program) => !isOnPath(program, path));
  if (absent === undefined)
    return needs.asRoot === true && process.getuid?.() !== 0 ? `${name} needs root` : null;
  const fragments = absent.startsWith("/") ? name.replace("kubectl-", "kubectl ") : absent;
  return `${fragments} is not installed (${needs.get})`;
}

/**
 * `describe` for tests that need real programs. All there: runs. One missing: skips with a marked
 * title, or fails when ZONEKEEPER_REQUIRE_REAL is `1`. With what only the campaign has among them
 * it is nothing outside of that part, and fails in it when one is missing.
 */
export function describeReal(
  title: string,
  needs: readonly RealProgram[],
  body: () => void | Promise<void>,
): void {
  const campaigns = needs.flatMap((need) => campaignOf(need) ?? []);
  if (!campaigns.every(isCampaign)) return;
  const absent = needs.map((need) => missing(need)).find((reason) => reason !== null) ?? null;
  if (absent === null) describe(title, body);
  else if (campaigns.length > 0 || process.env["ZONEKEEPER_REQUIRE_REAL"] === "1")
    test(`${title}: everything it needs is installed`, () => expect(absent).toBeNull());
  else describe.skip(skippedTitle(title, absent), body);
}

function campaignOf(need: RealProgram): CampaignPart | undefined {
  const { campaign }: Needs = REAL_PROGRAMS[need];
  return campaign;
}
