/** Options of health, metrics and the API: rows of the table. */
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const RUN: readonly CommandName[] = ["run"];
const BOTH: readonly CommandName[] = ["dev", "run"];

/** Where a Pod reads the token of its API, and `kubectl zonekeeper` looks for a Secret. */
export const POD_TOKEN_FILE = "/var/run/zonekeeper/api/token";

/** In the order of the help text. */
export const HTTP_OPTIONS: readonly Option[] = [
  option({
    name: "api-port",
    type: "port",
    defaultFor: { dev: "0" },
    doc: "Port of the API for kubectl zonekeeper, with TLS, at the address of --http-address; its token is in --api-token-file. 0 = a free one. Default: not served.",
    docFor: {
      dev: "Port of the embedded Kubernetes API. 0 = a free one, remembered in the data folder.",
    },
    commands: BOTH,
  }),
  option({
    name: "api-tls-cert-file",
    type: "text",
    doc: "PEM file with the certificate of --api-port, read again when it changes. Default: one is made at the start and kept in memory.",
    commands: RUN,
  }),
  option({
    name: "api-tls-key-file",
    type: "text",
    doc: "PEM file with the key of --api-tls-cert-file.",
    commands: RUN,
  }),
  option({
    name: "http-port",
    aliases: ["server-port-http"],
    type: "port",
    default: "8080",
    defaultFor: { dev: "0" },
    doc: "Port of health, metrics and the local API. 0 = a free one; dev remembers it in the data folder.",
    commands: BOTH,
  }),
  option({
    name: "http-address",
    aliases: ["bind-address", "bind-address-http"],
    type: "text",
    default: "127.0.0.1",
    doc: "Address of health, metrics and the local API. Probes from a kubelet need 0.0.0.0 or ::.",
    docFor: {
      run: "Address of health, metrics, the local API and --api-port. Probes from a kubelet need 0.0.0.0 or ::.",
    },
    commands: BOTH,
  }),
];
