/** What `zonekeeper run` works with, and `check` looks at; typed and checked. Pure. */
import { ok, type Result } from "@zonekeeper/base/result";
import type { HostPort } from "../model/addresses.ts";
import type { ImportRules } from "../model/imports.ts";
import type { Problem } from "../model/problem.ts";
import { type ClustersConfig, readClusters } from "./cluster-options.ts";
import type { ExternalDnsConfig } from "./external-dns/translate.ts";
import { type FurtherConfig, readFurther } from "./further-options.ts";
import { readImports } from "./import-options.ts";
import {
  type ApiConfig,
  type LogConfig,
  listenAddress,
  readApi,
  readLog,
  readWebhook,
  type WebhookConfig,
} from "./instance-options.ts";
import { runIdProblems } from "./marker-ids.ts";
import { OptionReader } from "./option-reader.ts";
import { type RegistryConfig, readRegistry } from "./ownership-options.ts";
import { type PageConfig, readPage } from "./page-options.ts";
import { type PublishConfig, readPublish, runClassProblems } from "./publish-options.ts";
import type { ResolvedOptions } from "./resolved-options.ts";
import { type LeaseConfig, readLease, readSafety, type SafetyConfig } from "./safety-options.ts";
import { readTxt, type TxtConfig } from "./txt-options.ts";

/** Everything `run` needs. */
export interface RunConfig extends ClustersConfig, SafetyConfig {
  readonly owner: string;
  readonly further: FurtherConfig;
  /** Null = none: no counters are kept over a restart. */
  readonly data: string | null;
  readonly adopt: "never" | "equal" | "listed";
  readonly registry: RegistryConfig;
  readonly publish: PublishConfig;
  readonly imports: readonly ImportRules[];
  readonly txt: TxtConfig;
  /** Null = no election. */
  readonly lease: LeaseConfig | null;
  readonly http: { readonly address: string; readonly port: number };
  /** Of the local API; null = made in the data folder. */
  readonly apiTokenFile: string | null;
  /** The API for `kubectl zonekeeper`; null = not served. */
  readonly api: ApiConfig | null;
  readonly page: PageConfig;
  /** Where NOTIFYs are taken; null = nowhere. */
  readonly notifyAddress: HostPort | null;
  /** A webhook for an external-dns; null = none is served. */
  readonly webhook: WebhookConfig | null;
  readonly log: LogConfig;
  /** It ends when all that is wanted is written and confirmed. */
  readonly isOnce: boolean;
  /** What flags of external-dns say besides; null = there are none. */
  readonly externalDns: ExternalDnsConfig | null;
  /** Name of the external-dns that it was read of; empty = there is one alone. */
  readonly set: string;
  /** Those besides this one, which decides what all share. */
  readonly sets: readonly RunConfig[];
}

/** Of each external-dns that it is read of, the first one too. */
export function setsOf(config: RunConfig): readonly RunConfig[] {
  return [config, ...config.sets];
}

/** Fails where options contradict one another. */
export function toRunConfig(
  options: ResolvedOptions,
  externalDns: ExternalDnsConfig | null = null,
): Result<RunConfig, readonly Problem[]> {
  const reader = new OptionReader(options);
  const lease = readLease(reader);
  reader.add(runIdProblems(options));
  const publish = readPublish(reader);
  const imports = readImports(reader);
  const clusters = readClusters(reader);
  const further = readFurther(reader);
  checkControllers(reader, clusters, further);
  reader.add(runClassProblems(options));
  const api = readApi(reader);
  const page = readPage(reader, "run");
  const registry = reader.need(readRegistry(options));
  const notifyAddress = reader.one("notify-address", listenAddress);
  const webhook = readWebhook(reader);
  const safety = readSafety(reader);
  const txt = reader.need(readTxt(options));
  if (options.list("set").length > 0)
    reader.conflict("set", "is read with --dialect external-dns, from the command line alone");
  if (registry === null || txt === null) return reader.failure();
  return reader.result({
    owner: options.needText("owner"),
    data: options.text("data"),
    ...clusters,
    further,
    adopt: options.choice("adopt", ["never", "equal", "listed"]),
    registry,
    imports,
    publish: externalDns === null ? publish : { ...publish, externalDns: externalDns.rules },
    ...safety,
    txt,
    lease,
    http: { address: options.needText("http-address"), port: options.number("http-port") },
    apiTokenFile: api === null ? options.text("api-token-file") : null,
    api,
    page,
    notifyAddress,
    webhook,
    log: readLog(options),
    isOnce: options.flag("once"),
    externalDns,
    set: "",
    sets: [],
  });
}

/**
 * Only `compound` opens zones, and what an external-dns wants is kept as objects of a source.
 */
function checkControllers(
  reader: OptionReader,
  { controllers }: ClustersConfig,
  { given, folder, namespace }: FurtherConfig,
): void {
  const { options } = reader;
  const isAny = given.length > 0 || folder !== null || namespace !== null;
  if (isAny && !controllers.has("compound"))
    reader.conflict(
      given.length > 0 ? "source-cluster" : folder === null ? "clusters-namespace" : "clusters-dir",
      "needs the controller compound, which opens zones; write it into --controllers",
    );
  if (options.text("publish") === "direct" && !controllers.has("compound"))
    reader.conflict(
      "publish direct",
      "needs the controller compound, which opens zones; write it into --controllers",
    );
  const source = options.plugIns.controllers.find(({ takesWebhooks }) => takesWebhooks)?.name ?? "";
  if (options.text("webhook-address") !== null && !controllers.has(source))
    reader.conflict(
      "webhook-address",
      `needs the source ${source}, which publishes DNSEndpoints; write it into --controllers`,
    );
}

/** What `zonekeeper check` looks at. */
export interface CheckConfig {
  readonly run: RunConfig;
  readonly output: "text" | "json";
  /** How long it looks again while not all is well. */
  readonly waitMs: number;
}

/** Fails where `run` would not start. */
export function toCheckConfig(
  options: ResolvedOptions,
  run: Result<RunConfig, readonly Problem[]> = toRunConfig(options),
): Result<CheckConfig, readonly Problem[]> {
  if (!run.ok) return run;
  const output = options.choice("output", ["text", "json"]);
  return ok({ run: run.value, output, waitMs: options.number("wait") });
}
