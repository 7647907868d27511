/** Flags of external-dns that say what single sources do, and how names are filtered. Pure. */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { withUnicodeLabels } from "@zonekeeper/dns/names/idna";
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";
import { Re2 } from "@zonekeeper/kube/objects/re2";
import type { NamePattern, NameScope } from "../../model/external-dns-rules.ts";
import { type Node, parseTemplate } from "../../model/go-template/parse.ts";
import type { Problem } from "../../model/problem.ts";
import type { SourceRules } from "../../model/source-rules.ts";
import { invalidOption } from "../option.ts";
import { secondsOf } from "./read-flags.ts";

/** Values of flags, by name. */
export interface Flags {
  readonly list: (flag: string) => readonly string[];
  /** The first value; empty = not given. */
  readonly text: (flag: string) => string;
}

/** The same, for a reader that may refuse values. */
export interface CheckedFlags extends Flags {
  /** Gets what is wrong. */
  readonly problems: Problem[];
}

/** What sources do by flags. */
export function readSourceRules(flags: CheckedFlags): SourceRules {
  const { text } = flags;
  const isOn = (flag: string): boolean => text(flag) === "true";
  const minTtl = ttlOf(text, "min-ttl");
  return {
    provider: text("provider"),
    templates: {
      names: readTemplate(flags, "fqdn-template"),
      pairs: readTemplate(flags, "fqdn-target-template"),
      targets: readTemplate(flags, "target-template"),
      isAdding: isOn("combine-fqdn-annotation"),
    },
    ignoresHostnames: isOn("ignore-hostname-annotation"),
    defaultTargets: readDefaults(flags),
    isDefaultForced: isOn("force-default-targets"),
    minTtlSeconds: minTtl > 0 ? minTtl : null,
    leastTtlSeconds: ttlOf(text, "rfc2136-min-ttl"),
    isHostIpPublished: isOn("publish-host-ip"),
    isUnreadyPublished: isOn("always-publish-not-ready-addresses"),
    areBalancersResolved: isOn("resolve-service-load-balancer-hostname"),
    areCordonedPublished: text("exclude-unschedulable") === "false",
    isInternalIpv6Published: isOn("expose-internal-ipv6"),
  };
}

/** Whole seconds; 0 = it is not given, or counts with another provider. */
export function ttlOf(text: Flags["text"], flag: "min-ttl" | "rfc2136-min-ttl"): number {
  const counts = flag === "min-ttl" || text("provider") === "rfc2136";
  return counts ? Math.floor(secondsOf(text(flag)) ?? 0) : 0;
}

/** Those of several flags are one, with commas between them. */
function readTemplate({ list, problems }: CheckedFlags, flag: string): readonly Node[] | null {
  const text = list(flag).join(",");
  if (text.trim() === "") return null;
  const read = parseTemplate(text);
  if (read.ok) return read.value;
  problems.push(invalidOption(flag, `${JSON.stringify(text)} cannot be read: ${read.error}`));
  return null;
}

function readDefaults({ list, text, problems }: CheckedFlags): readonly string[] {
  const targets = list("default-targets");
  const isTarget = (one: string): boolean =>
    ipv4Bytes(one) !== null || ipv6Bytes(one) !== null || parseDnsName(one).ok;
  for (const one of targets.filter((target) => !isTarget(target))) {
    const message = `${JSON.stringify(one)} is neither an address nor a host name; write the flag for each target`;
    problems.push(invalidOption("default-targets", message));
  }
  if (targets.length === 0 && text("force-default-targets") === "true")
    problems.push(invalidOption("force-default-targets", "needs --default-targets"));
  return targets;
}

/** What filters of domains say besides their lists. */
export function readFurtherScope(flags: CheckedFlags): Pick<NameScope, "below" | "patterns"> {
  const include = readPattern(flags, "regex-domain-filter");
  const exclude = readPattern(flags, "regex-domain-exclusion");
  const patterns = include === null && exclude === null ? null : { include, exclude };
  const below = {
    include: readBelow(flags, "domain-filter", "zone-name-filter"),
    exclude: readBelow(flags, "exclude-domains"),
  };
  return { below, patterns };
}

/** Long enough for each name in its own letters. */
const LONGEST_NAME = "a".repeat(1024);

/** Names are matched in their own letters, and anywhere in them. */
function readPattern({ text, problems }: CheckedFlags, flag: string): NamePattern | null {
  const written = text(flag);
  if (written === "") return null;
  try {
    const expression = new Re2(written);
    if (expression.test(LONGEST_NAME) !== null)
      return {
        text: written,
        matches: (name) => expression.test(withUnicodeLabels(name)) === true,
      };
    problems.push(invalidOption(flag, "is too large an expression; write a smaller one"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    problems.push(invalidOption(flag, `is no regular expression of RE2: ${why}`));
  }
  return null;
}

/** Domains of which a filter names what is below them alone: `.example.org`. */
function readBelow({ list }: Flags, ...names: readonly string[]): readonly DnsName[] {
  const texts = names.flatMap(list);
  const bare = new Set(texts.filter((one) => !one.startsWith(".")));
  return texts.flatMap((one) => {
    const name = parseDnsName(one.slice(1));
    return one.startsWith(".") && !bare.has(one.slice(1)) && name.ok ? [name.value] : [];
  });
}

/** What somebody may take for something else. */
export function sourceRemarks({ list, text }: Flags): readonly string[] {
  const isForced = text("force-default-targets") === "true";
  if (list("default-targets").length === 0 || isForced) return [];
  return [
    "--default-targets are those of DNSEndpoints without targets, as since external-dns v0.18; before it they took the place of all targets, which --force-default-targets does",
  ];
}

/** What needs another flag. */
export function sourceNeeds({ list, text }: Flags): readonly Problem[] {
  const isTemplated = ["fqdn-template", "fqdn-target-template"].some((one) => list(one).length > 0);
  return text("ignore-hostname-annotation") === "true" && !isTemplated
    ? [invalidOption("ignore-hostname-annotation", "needs --fqdn-template, which makes the names")]
    : [];
}
