/** Options of the webhook for an external-dns, a part of the option table. */
import type { Option } from "./option.ts";
import { option } from "./option-row.ts";

/** In the order of the help text. */
export const WEBHOOK_OPTIONS: readonly Option[] = [
  option({
    name: "webhook-address",
    type: "text",
    doc: "IP address and port, such as 127.0.0.1:8888, where an external-dns with --provider=webhook is served. What it wants is kept as DNSEndpoints and published as they are. Default: none is served.",
    commands: ["run"],
  }),
  option({
    name: "webhook-namespace",
    type: "text",
    default: "default",
    doc: "Namespace of the target cluster for the DNSEndpoints of --webhook-address.",
    commands: ["run"],
  }),
  option({
    name: "webhook-domain-filter",
    type: "list",
    doc: "Domains that the external-dns of --webhook-address is told to keep to. It asks once, at its start. Default: it is told none.",
    commands: ["run"],
  }),
];
