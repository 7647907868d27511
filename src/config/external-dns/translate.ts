/**
 * `--dialect external-dns`: a command line of external-dns as options of this program, rules for
 * its sources and the account of its provider. Flags whose loss would change records are refused,
 * all at once; those without effect are named. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isWildcard, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { type LabelRule, labelRules } from "@zonekeeper/kube/objects/label-rules";
import { parseAddressNet } from "../../model/addresses.ts";
import { EXTERNAL_DNS_PREFIXES } from "../../model/annotation-keys.ts";
import { type ExternalDnsRules, NO_RULES, SHARED_OWNER } from "../../model/external-dns-rules.ts";
import type { Problem } from "../../model/problem.ts";
import { invalidOption } from "../option.ts";
import { quoting, type ReadText } from "../option-reader.ts";
import { LOGRUS_LEVELS } from "../option-row.ts";
import type { FlagRow } from "./flag-row.ts";
import { EXTERNAL_DNS_FLAGS } from "./flags.ts";
import { flagsOf, providerByFlags } from "./provider-by-flags.ts";
import type { ProviderByFlags, ProviderInput } from "./provider-input.ts";
import { type CommandLine, readFlags } from "./read-flags.ts";
import {
  type CheckedFlags,
  type Flags,
  readFurtherScope,
  readSourceRules,
  sourceNeeds,
  sourceRemarks,
  ttlOf,
} from "./source-flags.ts";
import { zoneIds } from "./zone-ids.ts";

/** What is translated. */
export interface ExternalDnsInput extends CommandLine, Pick<ProviderInput, "readFile"> {
  /** Names of the sources that are here. */
  readonly sources: readonly string[];
  /** The command has an owner id where none is given; absent = it has not. */
  readonly makesOwner?: boolean;
}

/** What options of this program cannot say. */
export interface ExternalDnsConfig {
  readonly rules: ExternalDnsRules;
  readonly provider: ProviderByFlags;
  /** Ids; empty = all. */
  readonly zones: readonly string[];
}

/** What became of a command line. */
export interface TranslatedLine {
  /** Arguments of this program's own command. */
  readonly args: readonly string[];
  readonly config: ExternalDnsConfig;
  /** One line each. */
  readonly remarks: readonly string[];
}

/** Fails with every flag that is refused, unknown or wrong, and with what the provider lacks. */
export function fromExternalDns(
  input: ExternalDnsInput,
): Result<TranslatedLine, readonly Problem[]> {
  const { makesOwner = false } = input;
  const { values, rest, problems: misread } = readFlags(input);
  const list = (flag: string): readonly string[] => values.get(flag) ?? [];
  const text = (flag: string): string => list(flag)[0] ?? "";
  const provider = text("provider");
  const given = EXTERNAL_DNS_FLAGS.filter(({ name }) => values.has(name));
  const isOfOther = (row: FlagRow): boolean =>
    row.provider !== null && row.provider !== flagsOf(provider);
  const counting = given.filter((row) => !isOfOther(row) && !isTrustUnasked(row.name, text));
  const problems: Problem[] = [
    ...misread,
    ...counting.flatMap((row) => refusalOf(row, list(row.name))),
  ];
  problems.push(...missing({ list, text }), ...sourceProblems(list("source"), input.sources));
  problems.push(...sourceNeeds({ list, text }));
  const account = provider === "" ? null : providerByFlags(provider, { ...input, text, list });
  if (account?.ok === false) problems.push(...account.error);
  const zones = account?.ok === true ? zoneIds(account.value, list("zone-id-filter")) : ok([]);
  if (!zones.ok) problems.push(...zones.error);
  const rules = readRules({ list, text, problems });
  if (account === null || !account.ok || !zones.ok || problems.length > 0) return fail(problems);
  return ok({
    args: [...ownArgs({ list, text }, rest, makesOwner), ...rest],
    config: { rules, provider: account.value, zones: zones.value },
    remarks: [
      ...assumed(text, rest, makesOwner),
      ...sourceRemarks({ list, text }),
      ...idleText(given, isOfOther),
    ],
  });
}

const POLICY = "upsert-only";

function refusalOf(row: FlagRow, texts: readonly string[]): readonly Problem[] {
  if (row.effect !== "refused" || texts.every((one) => row.harmless.includes(one))) return [];
  const past = row.until === null ? "" : `of external-dns up to ${row.until}, `;
  const message = `${past}has no equivalent here, and records would change without it; ${row.text}`;
  return [invalidOption(row.name, message)];
}

/** No certificate is looked at, so that it does not matter whether one would be trusted. */
function isTrustUnasked(flag: string, text: Flags["text"]): boolean {
  if (flag === "rfc2136-skip-tls-verify") return text("rfc2136-use-tls") !== "true";
  const [, provider] = /^(pdns|pihole)-(?:tls-skip|skip-tls)-verify$/.exec(flag) ?? [];
  return provider !== undefined && /^http:/i.test(text(`${provider}-server`));
}

function missing({ list, text }: Flags): readonly Problem[] {
  return [
    ...(text("provider") === ""
      ? [invalidOption("provider", "is missing; name the DNS provider")]
      : []),
    ...(list("source").length === 0
      ? [invalidOption("source", "is missing; write it for each source, such as --source=service")]
      : []),
  ];
}

function sourceProblems(given: readonly string[], known: readonly string[]): readonly Problem[] {
  const remedy =
    "keep an external-dns for it with --provider=webhook, and serve that with --webhook-address";
  return given
    .filter((one) => !known.includes(one))
    .map((one) =>
      invalidOption(
        "source",
        `${JSON.stringify(one)} is not here; ${remedy}. Here are ${known.join(", ")}`,
      ),
    );
}

/** Options of ours that say the same. What is only assumed gives way to `rest`. */
function ownArgs(
  { list, text }: Flags,
  rest: readonly string[],
  makesOwner: boolean,
): readonly string[] {
  const args: string[] = [];
  const add = (option: string, value: string): void => {
    if (value !== "") args.push(`--${option}=${value}`);
  };
  const assume = (option: string, value: string): void => {
    if (!isWritten(option, rest)) add(option, value);
  };
  if (text("txt-owner-id") !== "") add("owner", text("txt-owner-id"));
  else if (!makesOwner) assume("owner", SHARED_OWNER);
  add("policy", text("policy") || POLICY);
  const sources = list("source").flatMap((one) => FURTHER[one] ?? [one]);
  add("controllers", ["compound", ...new Set(sources)].join(","));
  for (const name of SAME) add(name, text(name));
  const ttl = Math.max(ttlOf(text, "min-ttl"), ttlOf(text, "rfc2136-min-ttl"));
  add("ttl", ttl === 0 ? "" : String(ttl));
  for (const net of list("exclude-target-net")) add("exclude-target-net", net);
  add("log-level", LOGRUS_LEVELS[text("log-level")] ?? text("log-level"));
  const address = text("metrics-address") || ":7979";
  const [, host = "", port = address] = /^(.*):(\d*)$/.exec(address) ?? [];
  assume("http-address", host.replace(/^\[|\]$/g, "") || "0.0.0.0");
  assume("http-port", port);
  for (const [option, value] of FIXED) assume(option, value);
  return args;
}

function isWritten(option: string, rest: readonly string[]): boolean {
  return rest.some((one) => one === `--${option}` || one.startsWith(`--${option}=`));
}

/** Sources of several kinds; here each kind is one. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  "traefik-proxy": ["traefik-proxy", "traefik-proxy-tcp", "traefik-proxy-udp"],
};

/** Under their own names. */
const SAME = [
  ...["kubeconfig", "namespace", "registry", "txt-prefix", "txt-suffix", "log-format"],
  ...["txt-wildcard-replacement", "txt-encrypt-enabled", "txt-encrypt-aes-key", "dry-run", "once"],
];

/** No kind of this program is read from the cluster, and the one provider is for all. */
const FIXED = [
  ["disable-namespace-restriction", "true"],
  ["provider-trusted-namespaces", "*"],
  ["kubeconfig.disable-deploy-crds", "true"],
] as const;

/** In place of both of external-dns's; the former one, if it is asked for, comes last. */
function prefixesOf(prefix: string, isFormerRead: boolean): readonly string[] {
  if (prefix === "") return NO_RULES.prefixes;
  return [...new Set([prefix, ...(isFormerRead ? EXTERNAL_DNS_PREFIXES.slice(1) : [])])];
}

/** external-dns compares them letter by letter: of others it says nothing, and manages none. */
function typesOf(list: Flags["list"], problems: Problem[]): ReadonlySet<string> {
  const typesIn = (flag: string): readonly string[] => {
    const wrong = list(flag).filter((one) => !/^[A-Z][A-Z0-9]*$/.test(one));
    const remedy = `is no record type; write the flag for each type, such as --${flag}=CNAME`;
    problems.push(...wrong.map((one) => invalidOption(flag, `${JSON.stringify(one)} ${remedy}`)));
    return list(flag);
  };
  const managed = typesIn("managed-record-types");
  const excluded = typesIn("exclude-record-types");
  const types = managed.length > 0 ? managed : [...NO_RULES.types];
  return new Set(types.filter((one) => !excluded.includes(one)));
}

function readRules({ list, text, problems }: CheckedFlags): ExternalDnsRules {
  const selector = (flag: string): readonly LabelRule[] => {
    const read = labelRules(text(flag));
    if (read.ok) return read.value;
    problems.push(invalidOption(flag, `is no selector: ${read.error}`));
    return [];
  };
  const each = <T>(flag: string, read: ReadText<T>): readonly T[] =>
    list(flag).flatMap((one) => {
      const value = read(one);
      if (value.ok) return [value.value];
      problems.push(invalidOption(flag, value.error));
      return [];
    });
  const prefix = text("annotation-prefix");
  if (prefix !== "" && !prefix.endsWith("/"))
    problems.push(invalidOption("annotation-prefix", "does not end with /; write it whole"));
  return {
    ...readSourceRules({ list, text, problems }),
    annotationFilter: selector("annotation-filter"),
    labelFilter: selector("label-filter"),
    prefixes: prefixesOf(prefix, text("enable-legacy-annotation-prefix") === "true"),
    ingressClasses: list("ingress-class"),
    serviceTypes: list("service-type-filter"),
    isClusterIpPublished: text("publish-internal-services") === "true",
    ignoresTls: text("ignore-ingress-tls-spec") === "true",
    ignoresRules: text("ignore-ingress-rules-spec") === "true",
    ...ofProvider(text),
    targetNets: each("target-net-filter", quoting("is not a network", parseAddressNet)),
    types: typesOf(list, problems),
    gateways: selector("gateway-label-filter"),
    gatewayName: text("gateway-name") || null,
    gatewayNamespace: text("gateway-namespace") || null,
    readsListenerSets: text("gateway-listener-sets") === "true",
    openshiftRouter: text("openshift-router-name") || null,
    scope: {
      include: [...each("domain-filter", domain), ...each("zone-name-filter", domain)],
      exclude: each("exclude-domains", domain),
      ...readFurtherScope({ list, text, problems }),
    },
    markers: markersOf(text),
    text: FILTERS.map((flag) => list(flag).join()).join(" "),
  };
}

const domain = quoting("is not a domain", (text) => {
  const name = parseDnsName(text.replace(/^\./, ""));
  // external-dns takes the asterisk for a label, which no name but the wildcard has.
  if (name.ok && isWildcard(name.value))
    return fail(`write ${name.value.slice(2)}, which has all names below it, too`);
  if (name.ok || !text.includes(",")) return name;
  return fail(`${name.error}; write the flag for each domain`);
});

function markersOf(text: Flags["text"]): ExternalDnsRules["markers"] {
  return {
    prefix: text("txt-prefix").toLowerCase(),
    suffix: text("txt-suffix").toLowerCase(),
    wildcard: text("txt-wildcard-replacement").toLowerCase(),
    isEncrypted: text("txt-encrypt-enabled") === "true",
  };
}

/** What flags of one provider say of its records. */
function ofProvider(
  text: Flags["text"],
): Pick<ExternalDnsRules, "isAwsNamePlain" | "properties" | "aliasProperties"> {
  const isAws = text("provider") === "aws";
  const isProxied = text("provider") === "cloudflare" && text("cloudflare-proxied") === "true";
  const isHealthAsked = isAws && text("aws-evaluate-target-health") !== "false";
  return {
    isAwsNamePlain: !isAws || text("aws-prefer-cname") === "true",
    properties: isProxied ? { proxied: "true" } : {},
    aliasProperties: isHealthAsked ? { evaluateTargetHealth: "true" } : {},
  };
}

/** What is not data in the rules. */
const FILTERS = [
  ...["annotation-filter", "label-filter", "gateway-label-filter"],
  ...["managed-record-types", "exclude-record-types"],
];

function assumed(
  text: Flags["text"],
  rest: readonly string[],
  makesOwner: boolean,
): readonly string[] {
  const owner = text("txt-owner-id");
  const isGiven = owner !== "" || isWritten("owner", rest) || makesOwner;
  const which = isGiven ? "the owner id is" : "--txt-owner-id is not given: the owner id is";
  return [
    ...(text("registry") === "noop" && !isWritten("noop-owns", rest)
      ? [
          "--registry=noop: no marker says whose a record is, so that names without a record get one, and none that is there is changed; --registry=configmap keeps owners in ConfigMaps, and --noop-owns=DOMAIN (or .) says that all records there are this installation's",
        ]
      : []),
    ...(text("policy") === ""
      ? [
          `--policy is not given: ${POLICY}, so that nothing is removed; external-dns took sync up to v0.21`,
        ]
      : []),
    ...(text("registry") !== "noop" && (!isGiven || owner === SHARED_OWNER)
      ? [
          `${which} ${SHARED_OWNER}, which every external-dns without --txt-owner-id has, in other clusters, too: what differs at the first look waits for approval (zonekeeper plan), and a record whose marker names no cluster is never removed by itself (zonekeeper shadow, and zonekeeper ownership orphans, list those of which no object is here); give each set that writes to a zone an id of its own`,
        ]
      : []),
  ];
}

/** One line for each reason. */
function idleText(
  given: readonly FlagRow[],
  isOfOther: (row: FlagRow) => boolean,
): readonly string[] {
  const byReason = new Map<string, readonly string[]>();
  for (const row of given) {
    if (!isOfOther(row) && row.effect !== "idle") continue;
    const reason = isOfOther(row) ? `it goes with --provider=${row.provider}` : row.text;
    byReason.set(reason, [...(byReason.get(reason) ?? []), `--${row.name}`]);
  }
  return [...byReason].map(([reason, flags]) => `${flags.join(", ")}: no effect here: ${reason}`);
}
