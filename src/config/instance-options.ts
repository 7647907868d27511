/**
 * One instance: its data, its log, the embedded servers of `dev`, and where it listens. Rows of the
 * table, and as they are read. Pure.
 */
import { fail, ok } from "@zonekeeper/base/result";
import { type HostPort, isIpAddress, parseHostPort } from "../model/addresses.ts";
import { CLIENTS, type CommandName } from "./option.ts";
import type { OptionReader, ReadText } from "./option-reader.ts";
import { BOTH, choice, flag, list, port, RUN, rows, text } from "./option-row.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

const DEV: readonly CommandName[] = ["dev"];

/** Where a Pod reads the token of its API, and `kubectl zonekeeper` looks for a Secret. */
export const POD_TOKEN_FILE = "/var/run/zonekeeper/api/token";

/** In the order of the help text. */
export const INSTANCE_OPTIONS = rows(BOTH, {
  config: text(
    "Configuration file (YAML, apiVersion zonekeeper.dev/v1alpha1, kind Configuration).",
  ),
  dialect: choice(
    ["zonekeeper", "gardener", "external-dns"],
    "external-dns = what follows are arguments of external-dns, which external-dns-flags.md explains. gardener = --namespace is the namespace of the Lease, and the file may be one of Gardener's DNS controller manager. Its other options are understood anyway; one without effect is told. Not in the file.",
    { default: "zonekeeper", commands: RUN },
  ),
  set: list(
    "With --dialect external-dns, once for each external-dns of a fleet: FILE with its Deployment as kubectl or helm print it, or with its arguments as a YAML list. Each has its own owner id, filters, provider and zones; clusters are read once for all. Other arguments are for all of them, and go before those of a FILE. Not in the file.",
    { commands: RUN },
  ),
  plugin: list(
    "Files (./my-source.js) or installed packages whose sources, provider types and registries are added to those of the program. They run with all rights of the program; a source, type or registry is then chosen by its name, as ours are.",
  ),
  owner: text(
    "Id of the controller group that owns the records. Equal on every replica, different for every other group that writes to the same zones. What the registry cannot write into a marker is refused: under txt quotes and commas, under gardener quotes and backslashes, under mesh all three, and what is not printable ASCII or too long.",
    {
      aliases: ["txt-owner-id", "identifier"],
      docFor: {
        dev: "Id of the controller group that owns the records. Default: one is made and kept.",
      },
      requiredBy: ["run"],
    },
  ),
  once: flag(
    "End when all that is wanted is written and confirmed. Exit code 0, 2 where something is held, 1 where something is not known after five minutes without progress.",
    { commands: RUN },
  ),
  data: text("Data folder of the running instance, by which it is found.", {
    defaultFor: Object.fromEntries(
      ["dev", ...CLIENTS].map((command) => [command, "./.zonekeeper"]),
    ),
    docFor: {
      dev: "Data folder. Everything is kept in it.",
      run: "Data folder for counters, pauses and the token of the local API. Without it they are in ConfigMaps beside the Lease, and there is no local API; --api-port serves it without a folder.",
      check: "Data folder that run would have.",
    },
    commands: [...BOTH, ...CLIENTS],
  }),
  zone: text("The zone that is meant, by its name. Default: all.", {
    defaultFor: { dev: "example.org" },
    docFor: {
      dev: "The zone that the embedded name server serves.",
      plan: "Show this zone only.",
      history: "Show this zone only.",
      undo: "Undo changes of this zone only.",
      pause: "The zone that is paused or resumed.",
      "registry migrate": "Migrate this zone only.",
    },
    commands: [...DEV, "plan", "history", "undo", "pause", "registry migrate"],
  }),
  listen: text("Address that the embedded API and name server listen on.", {
    default: "127.0.0.1",
    commands: DEV,
  }),
  "dns-port": port(
    "Port of the embedded name server, UDP and TCP. 0 = 5300, or a free one where that is taken; remembered in the data folder.",
    { default: "0", commands: DEV },
  ),
  "dns-tls-port": port(
    "Port on which the embedded name server also speaks DNS over TLS (RFC 7858, RFC 9103), with a certificate of the authority ca.crt in the data folder. 0 = a free one, told in the log. Default: no TLS.",
    { commands: DEV },
  ),
  secondary: list(
    "A secondary of the embedded name server as IP address or IP address:port. It gets a NOTIFY signed with the key of the data folder after each change. Repeat it for more.",
    { commands: DEV },
  ),
  "api-port": port(
    "Port of the API for kubectl zonekeeper, with TLS, at the address of --http-address; its token is in --api-token-file. 0 = a free one. Default: not served.",
    {
      defaultFor: { dev: "0" },
      docFor: {
        dev: "Port of the embedded Kubernetes API. 0 = a free one, remembered in the data folder.",
      },
    },
  ),
  "api-tls-cert-file": text(
    "PEM file with the certificate of --api-port, read again when it changes. Default: one is made at the start and kept in memory.",
    { commands: RUN },
  ),
  "api-tls-key-file": text("PEM file with the key of --api-tls-cert-file.", { commands: RUN }),
  "http-port": port(
    "Port of health, metrics and the local API. 0 = a free one; dev remembers it in the data folder.",
    { aliases: ["server-port-http"], default: "8080", defaultFor: { dev: "0" } },
  ),
  "http-address": text(
    "Address of health, metrics and the local API. Probes from a kubelet need 0.0.0.0 or ::.",
    {
      aliases: ["bind-address", "bind-address-http"],
      default: "127.0.0.1",
      docFor: {
        run: "Address of health, metrics, the local API and --api-port. Probes from a kubelet need 0.0.0.0 or ::.",
      },
    },
  ),
  "no-examples": flag(
    "Start with an empty cluster. Without it the examples are applied when the store is empty, and never again.",
    { commands: DEV },
  ),
});

/** The same. */
export const LISTENER_OPTIONS = rows(RUN, {
  "notify-address": text(
    "IP address and port, such as 127.0.0.1:5354, that receives NOTIFY (RFC 1996) from the zones' servers over UDP and TCP. A change by another writer is then read at once, not at the next check of the serial. Default: no listener.",
  ),
  "webhook-address": text(
    "IP address and port, such as 127.0.0.1:8888, where an external-dns with --provider=webhook is served. What it wants is kept as DNSEndpoints and published as they are. Default: none is served.",
  ),
  "webhook-namespace": text(
    "Namespace of the target cluster for the DNSEndpoints of --webhook-address.",
    { default: "default" },
  ),
  "webhook-domain-filter": list(
    "Domains that the external-dns of --webhook-address is told to keep to. It asks once, at its start. Default: it is told none.",
  ),
});

/** The same. */
export const LOG_OPTIONS = rows(BOTH, {
  "log-level": choice(["debug", "info", "warn", "error"], "Least level that is logged.", {
    default: "info",
  }),
  "log-format": choice(
    ["auto", "json", "text"],
    "auto = text on a terminal, else JSON lines. Logs go to stderr.",
    { default: "auto" },
  ),
});

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

/** How logs are written. */
export interface LogConfig {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly format: "auto" | "json" | "text";
}

/** Null = not served. */
export function readApi(reader: OptionReader): ApiConfig | null {
  const { options } = reader;
  const port = options.optionalNumber("api-port");
  const [certFile, keyFile] = [options.text("api-tls-cert-file"), options.text("api-tls-key-file")];
  const tls = certFile === null || keyFile === null ? null : { certFile, keyFile };
  if (certFile !== null && keyFile === null)
    reader.conflict("api-tls-cert-file", "needs --api-tls-key-file, the key of the certificate");
  if (certFile === null && keyFile !== null)
    reader.conflict("api-tls-key-file", "needs --api-tls-cert-file, the certificate of the key");
  if (port === null && tls !== null)
    reader.conflict("api-tls-cert-file", "needs --api-port: there is no other TLS port");
  if (port === null) return null;
  return { port, tokenFile: options.text("api-token-file") ?? POD_TOKEN_FILE, tls };
}

/** The port of a written address that names none. */
const NO_PORT = 1;

/** Without a port it would mean port 53, where a resolver may be at home: it must be written. */
export const listenAddress: ReadText<HostPort> = (text) => {
  const address = parseHostPort(text, NO_PORT);
  return address !== null && address.port !== NO_PORT && isIpAddress(address.host)
    ? ok(address)
    : fail("is not an IP address with a port; 127.0.0.1:5354 or [::1]:5354 would be one");
};

/** Null = none is served. */
export function readWebhook(reader: OptionReader): WebhookConfig | null {
  const at = reader.one("webhook-address", listenAddress);
  const { options } = reader;
  return at === null
    ? null
    : {
        at,
        namespace: options.needText("webhook-namespace"),
        domainFilter: options.list("webhook-domain-filter"),
      };
}

/** The log options. */
export function readLog(options: ResolvedOptions): LogConfig {
  return {
    level: options.choice("log-level", ["debug", "info", "warn", "error"]),
    format: options.choice("log-format", ["auto", "json", "text"]),
  };
}
