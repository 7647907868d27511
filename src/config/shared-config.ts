/** The parts of a configuration that dev and run have in common. Pure. */

import { invariant } from "@zonekeeper/base/invariant";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { type AddressNet, parseAddressNet } from "../model/address-net.ts";
import type { EntryMarks } from "../model/entry-marks.ts";
import type { Problem } from "../model/problem.ts";
import { type ClassConfig, readClasses } from "./class-config.ts";
import { readLookupServers } from "./lookup-config.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

/** How records are published. */
export interface PublishConfig extends ClassConfig {
  /** Seconds, for records whose object wishes none. */
  readonly ttlSeconds: number;
  readonly policy: "sync" | "upsert-only" | "create-only";
  readonly dryRun: boolean;
  /** How sources that can do both publish; null = each as its row says. */
  readonly publishing: "entries" | "direct" | null;
  /** Whether objects that are published directly get their state in an annotation. */
  readonly statusAnnotation: boolean;
  /** Queries for the condition Live of all objects; 0 = annotated objects only. */
  readonly liveQueriesPerMinute: number;
  /** `address:port` of servers that look up host names; empty = those of the system. */
  readonly lookupServers: readonly string[];
  /**
   * Milliseconds after which a live object's name without any address is given up; null = never
   * (Z-4).
   */
  readonly noTargetsGraceMs: number | null;
  /** Names that Services and Ingresses do not get; `*.x` = each name one label below x. */
  readonly excludedDomains: readonly DnsName[];
  /** Addresses of load balancers in them are not published. */
  readonly excludedTargetNets: readonly AddressNet[];
  /** Ids of zones that no DNSProvider serves. */
  readonly blockedZones: readonly string[];
  /** The one namespace that DNSEntries are generated in; null = that of the object. */
  readonly targetNamespace: string | null;
  readonly marks: EntryMarks;
  /** Of the records of Services and Ingresses; null = as they say. */
  readonly targetOwnerId: string | null;
  /** Whether a DNSProvider serves objects of other namespaces. */
  readonly anyNamespace: boolean;
}

/** What is paused at the start, until somebody resumes it. */
export interface PauseConfig {
  readonly all: boolean;
  /** Apexes. */
  readonly zones: readonly DnsName[];
}

/** How stale writers are kept off (Z-17). */
export type FenceConfig = "auto" | "off";

/** The fence option. */
export function readFence(options: ResolvedOptions): FenceConfig {
  return oneOf(options.needText("fence"), ["auto", "off"]);
}

/** How logs are written. */
export interface LogConfig {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly format: "auto" | "json" | "text";
}

/** The publishing options. */
export function readPublish(options: ResolvedOptions): PublishConfig {
  return {
    ...readClasses(options),
    ttlSeconds: options.number("ttl"),
    policy: oneOf(options.needText("policy"), ["sync", "upsert-only", "create-only"]),
    dryRun: options.flag("dry-run"),
    publishing: readPublishing(options.text("publish")),
    statusAnnotation: !options.flag("omit-status-annotation"),
    liveQueriesPerMinute: options.number("live-check"),
    lookupServers: readLookupServers(options),
    noTargetsGraceMs: options.optionalNumber("no-targets-grace"),
    excludedDomains: readNames(options.list("exclude-domains")).names,
    excludedTargetNets: readNets(options).flatMap(({ net }) => (net.ok ? [net.value] : [])),
    blockedZones: options.list("blocked-zone"),
    targetNamespace: options.text("target-namespace"),
    marks: readMarks(options),
    targetOwnerId: options.text("target-owner-id"),
    anyNamespace: options.flag("disable-namespace-restriction"),
  };
}

function readMarks(options: ResolvedOptions): EntryMarks {
  const creator = options.text("target-creator-label-value");
  return {
    realms: options.text("target-realms"),
    ignoreOwners: options.flag("target-set-ignore-owners"),
    labels: creator === null ? {} : { [options.needText("target-creator-label-name")]: creator },
  };
}

function readPublishing(text: string | null): PublishConfig["publishing"] {
  return text === null ? null : oneOf(text, ["entries", "direct"]);
}

/**
 * The pause options. Fails where a zone has no name: a pause that pauses nothing would be the worst
 * of mistakes.
 */
export function readPause(options: ResolvedOptions): Result<PauseConfig, readonly Problem[]> {
  const { names: zones, strange } = readNames(options.list("paused-zones"));
  const problems = strange.map(({ text, error }): Problem => {
    const message = `${JSON.stringify(text)} is not a zone name: ${error}`;
    return { code: "InvalidOption", subject: "--paused-zones", message };
  });
  return problems.length > 0 ? fail(problems) : ok({ all: options.flag("pause"), zones });
}

/** An excluded domain that is no name, or a net that is none, would exclude nothing. */
export function excludedProblems(options: ResolvedOptions): readonly Problem[] {
  const domains = readNames(options.list("exclude-domains")).strange.map(({ text, error }) => {
    const message = `${JSON.stringify(text)} is not a domain: ${error}`;
    return { code: "InvalidOption", subject: "--exclude-domains", message };
  });
  const nets = readNets(options).flatMap(({ text, net }): readonly Problem[] => {
    if (net.ok) return [];
    const message = `${JSON.stringify(text)} is not a network: ${net.error}`;
    return [{ code: "InvalidOption", subject: `--${TARGET_NETS}`, message }];
  });
  return [...domains, ...nets];
}

const TARGET_NETS = "exclude-target-net";

function readNets(options: ResolvedOptions): readonly ReadNet[] {
  return options.list(TARGET_NETS).map((text) => ({ text, net: parseAddressNet(text) }));
}

interface ReadNet {
  readonly text: string;
  readonly net: Result<AddressNet>;
}

interface ReadNames {
  readonly names: readonly DnsName[];
  readonly strange: readonly { readonly text: string; readonly error: string }[];
}

function readNames(texts: readonly string[]): ReadNames {
  const read = texts.map((text) => ({ text, name: parseDnsName(text) }));
  return {
    names: read.flatMap(({ name }) => (name.ok ? [name.value] : [])),
    strange: read.flatMap(({ text, name }) => (name.ok ? [] : [{ text, error: name.error }])),
  };
}

/** The log options. */
export function readLog(options: ResolvedOptions): LogConfig {
  return {
    level: oneOf(options.needText("log-level"), ["debug", "info", "warn", "error"]),
    format: oneOf(options.needText("log-format"), ["auto", "json", "text"]),
  };
}

/** A choice that the table has checked already, as its literal type. */
export function oneOf<const T extends string>(value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  invariant(found !== undefined, "the option table and its reader list the same choices");
  return found;
}
