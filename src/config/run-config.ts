/** What `zonekeeper run` works with, typed and checked. Pure. */

import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type HostPort, isIpAddress, parseHostPort } from "../model/host-port.ts";
import type { Problem } from "../model/problem.ts";
import { runClassProblems } from "./class-config.ts";
import { type FuseConfig, readFuseOptions } from "./fuse-config.ts";
import { POD_TOKEN_FILE } from "./http-options.ts";
import { lookupProblems } from "./lookup-config.ts";
import { runIdProblems } from "./marker-ids.ts";
import { runNameProblems } from "./name-problems.ts";
import { type RegistryConfig, readRegistry } from "./registry-config.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import {
  excludedProblems,
  type FenceConfig,
  type LogConfig,
  oneOf,
  type PauseConfig,
  type PublishConfig,
  readFence,
  readLog,
  readPause,
  readPublish,
} from "./shared-config.ts";
import { readTxt, type TxtConfig } from "./txt-config.ts";

/** Where one logical cluster is. */
export interface ClusterConfig {
  /** Path; null = fall back as docs/architecture.md#clusters says. */
  readonly kubeconfig: string | null;
  /** Null = the UID of the cluster's kube-system namespace. */
  readonly id: string | null;
  /** False = its definitions are left to others. */
  readonly deploysDefinitions: boolean;
}

/** Whose CustomResourceDefinitions are brought up to date. */
export interface MaintainerConfig {
  /** Ours. */
  readonly maintainer: string;
  /** Others, which become ours. */
  readonly accepted: readonly string[];
  /** True = all others become ours. */
  readonly force: boolean;
}

/** The Lease election. */
export interface LeaseConfig {
  readonly name: string;
  /** Null = the namespace that the credentials name, else `default`. */
  readonly namespace: string | null;
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Everything `run` needs. */
export interface RunConfig {
  readonly owner: string;
  /** Null = none: no counters are kept over a restart. */
  readonly data: string | null;
  readonly source: ClusterConfig;
  readonly target: ClusterConfig;
  readonly providers: ClusterConfig;
  /** Path; null = the cluster of the pod, else the source cluster. */
  readonly coordination: string | null;
  readonly definitions: MaintainerConfig;
  /** Empty = that where the program runs; `*` = all. */
  readonly trustedNamespaces: readonly string[];
  /** Null = all. */
  readonly namespace: string | null;
  /** `compound`, and names of sources. */
  readonly controllers: ReadonlySet<string>;
  /** Of the DNSProviders that are served; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  readonly adopt: "never" | "equal" | "listed";
  readonly registry: RegistryConfig;
  readonly pause: PauseConfig;
  readonly publish: PublishConfig;
  readonly fuse: FuseConfig;
  readonly fence: FenceConfig;
  readonly txt: TxtConfig;
  /** Null = no election. */
  readonly lease: LeaseConfig | null;
  readonly http: { readonly address: string; readonly port: number };
  /** Of the local API; null = made in the data folder. */
  readonly apiTokenFile: string | null;
  /** The API for `kubectl zonekeeper`; null = not served. */
  readonly api: ApiConfig | null;
  /** Where NOTIFYs are taken; null = nowhere. */
  readonly notifyAddress: HostPort | null;
  /** A webhook for an external-dns; null = none is served. */
  readonly webhook: WebhookConfig | null;
  readonly log: LogConfig;
}

/** An API with TLS at the address of health and metrics. */
export interface ApiConfig {
  /** 0 = a free one. */
  readonly port: number;
  /** Read for each request; need not be there. */
  readonly tokenFile: string;
  /** Null = a certificate is made. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

/** What an external-dns is served. */
export interface WebhookConfig {
  readonly at: HostPort;
  readonly namespace: string;
  /** Empty = it is told none. */
  readonly domainFilter: readonly string[];
}

/** The port of a written address that names none. */
const NO_PORT = 1;

/** Fails where options contradict one another. */
export function toRunConfig(options: ResolvedOptions): Result<RunConfig, readonly Problem[]> {
  const lease = readLease(options);
  const notifyAddress = readListenAddress(options, "notify-address");
  const webhook = readListenAddress(options, "webhook-address");
  const api = readApi(options);
  const registry = readRegistry(options);
  const pause = readPause(options);
  const txt = readTxt(options);
  const problems = [
    ...(lease === null ? [] : checkLease(lease)),
    ...runIdProblems(options),
    ...runClassProblems(options),
    ...excludedProblems(options),
    ...lookupProblems(options),
    ...publishingProblems(options),
    ...runNameProblems(options),
    ...webhookProblems(options),
    ...[api, registry, notifyAddress, webhook, pause, txt].flatMap((read) =>
      read.ok ? [] : read.error,
    ),
  ];
  if (!api.ok || !notifyAddress.ok || !webhook.ok || !registry.ok || !pause.ok || !txt.ok)
    return fail(problems);
  if (problems.length > 0) return fail(problems);
  return ok({
    owner: options.needText("owner"),
    data: options.text("data"),
    ...readClusters(options),
    trustedNamespaces: options.list("provider-trusted-namespaces"),
    namespace: options.text("namespace"),
    controllers: readControllers(options),
    providerTypes: readProviderTypes(options),
    adopt: oneOf(options.needText("adopt"), ["never", "equal", "listed"]),
    registry: registry.value,
    pause: pause.value,
    publish: readPublish(options),
    fuse: readFuseOptions(options),
    fence: readFence(options),
    txt: txt.value,
    lease,
    http: { address: options.needText("http-address"), port: options.number("http-port") },
    apiTokenFile: api.value === null ? options.text("api-token-file") : null,
    api: api.value,
    notifyAddress: notifyAddress.value,
    webhook:
      webhook.value === null
        ? null
        : {
            at: webhook.value,
            namespace: options.needText("webhook-namespace"),
            domainFilter: options.list("webhook-domain-filter"),
          },
    log: readLog(options),
  });
}

/** Null = not served. */
function readApi(options: ResolvedOptions): Result<ApiConfig | null, Problem> {
  const port = options.optionalNumber("api-port");
  const [certFile, keyFile] = [options.text("api-tls-cert-file"), options.text("api-tls-key-file")];
  const wrong = (subject: string, message: string) =>
    fail({ code: "ConflictingOptions", subject, message } as const);
  if (certFile !== null && keyFile === null)
    return wrong("--api-tls-cert-file", "needs --api-tls-key-file, the key of the certificate");
  if (certFile === null && keyFile !== null)
    return wrong("--api-tls-key-file", "needs --api-tls-cert-file, the certificate of the key");
  const tls = certFile === null || keyFile === null ? null : { certFile, keyFile };
  if (port === null)
    return tls === null
      ? ok(null)
      : wrong("--api-tls-cert-file", "needs --api-port: there is no other TLS port");
  return ok({ port, tokenFile: options.text("api-token-file") ?? POD_TOKEN_FILE, tls });
}

/**
 * Null = not given. A host without a port would mean port 53, where a resolver may be at home: it
 * must be written.
 */
function readListenAddress(
  options: ResolvedOptions,
  name: string,
): Result<HostPort | null, Problem> {
  const text = options.text(name);
  if (text === null) return ok(null);
  const address = parseHostPort(text, NO_PORT);
  if (address !== null && address.port !== NO_PORT && isIpAddress(address.host)) return ok(address);
  const message = "is not an IP address with a port; 127.0.0.1:5354 or [::1]:5354 would be one";
  return fail({ code: "InvalidOption", subject: `--${name}`, message });
}

function readCluster(options: ResolvedOptions, name: string): ClusterConfig {
  const deploysDefinitions = !options.flag(`${name}.disable-deploy-crds`);
  return { kubeconfig: options.text(name), id: options.text(`${name}.id`), deploysDefinitions };
}

function readClusters(
  options: ResolvedOptions,
): Pick<RunConfig, "source" | "target" | "providers" | "coordination" | "definitions"> {
  return {
    source: readCluster(options, "kubeconfig"),
    target: readCluster(options, "target"),
    providers: readCluster(options, "providers"),
    coordination: options.text("coordination"),
    definitions: {
      maintainer: options.needText("maintainer"),
      accepted: options.list("accepted-maintainers"),
      force: options.flag("force-crd-update"),
    },
  };
}

/** `all` means `compound` and the sources that are on by default. */
function readControllers(options: ResolvedOptions): ReadonlySet<string> {
  const given = options.list("controllers");
  const { controllers } = options.plugIns;
  const all = ["compound", ...controllers.filter((one) => one.isDefault).map(({ name }) => name)];
  return new Set(given.flatMap((name) => (name === "all" ? all : name)));
}

function readProviderTypes(options: ResolvedOptions): ReadonlySet<string> | null {
  const types = options.list("provider-types");
  return types.includes("all") ? null : new Set(types);
}

/** What an external-dns wants is kept as objects of a source. */
function webhookProblems(options: ResolvedOptions): readonly Problem[] {
  const { controllers } = options.plugIns;
  const source = controllers.find(({ takesWebhooks }) => takesWebhooks)?.name ?? "";
  if (options.text("webhook-address") === null || readControllers(options).has(source)) return [];
  const message = `needs the source ${source}, which publishes DNSEndpoints; write it into --controllers`;
  return [{ code: "ConflictingOptions", subject: "--webhook-address", message }];
}

/** Only `compound` opens zones. */
function publishingProblems(options: ResolvedOptions): readonly Problem[] {
  if (options.text("publish") !== "direct" || readControllers(options).has("compound")) return [];
  const message = "needs the controller compound, which opens zones; write it into --controllers";
  return [{ code: "ConflictingOptions", subject: "--publish direct", message }];
}

function readLease(options: ResolvedOptions): LeaseConfig | null {
  if (options.flag("omit-lease")) return null;
  return {
    name: options.needText("lease-name"),
    namespace: options.text("lease-namespace"),
    durationMs: options.number("lease-duration"),
    renewDeadlineMs: options.number("lease-renew-deadline"),
    retryPeriodMs: options.number("lease-retry-period"),
  };
}

/** A holder must have stopped before another may begin, and one renewal may fail. */
function checkLease(lease: LeaseConfig): readonly Problem[] {
  const problems: Problem[] = [];
  if (lease.durationMs <= lease.renewDeadlineMs)
    problems.push(conflict("--lease-duration", "--lease-renew-deadline"));
  if (lease.renewDeadlineMs <= 2 * lease.retryPeriodMs)
    problems.push(conflict("--lease-renew-deadline", "twice --lease-retry-period"));
  return problems;
}

function conflict(larger: string, smaller: string): Problem {
  return {
    code: "ConflictingOptions",
    subject: larger,
    message: `must be longer than ${smaller}; raise the one or lower the other`,
  };
}
