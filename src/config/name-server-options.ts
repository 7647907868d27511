/** The options of the embedded name server. A part of the table in options-table.ts. */
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const DEV: readonly CommandName[] = ["dev"];

/** In the order of the help text. */
export const NAME_SERVER_OPTIONS: readonly Option[] = [
  option({
    name: "zone",
    type: "text",
    defaultFor: { dev: "example.org" },
    doc: "The zone that is meant, by its name. Default: all.",
    docFor: {
      dev: "The zone that the embedded name server serves.",
      plan: "Show this zone only.",
      pause: "The zone that is paused or resumed.",
      "registry migrate": "Migrate this zone only.",
    },
    commands: [...DEV, "plan", "pause", "registry migrate"],
  }),
  option({
    name: "listen",
    type: "text",
    default: "127.0.0.1",
    doc: "Address that the embedded API and name server listen on.",
    commands: DEV,
  }),
  option({
    name: "dns-port",
    type: "port",
    default: "0",
    doc: "Port of the embedded name server, UDP and TCP. 0 = 5300, or a free one where that is taken; remembered in the data folder.",
    commands: DEV,
  }),
  option({
    name: "dns-tls-port",
    type: "port",
    doc: "Port on which the embedded name server also speaks DNS over TLS (RFC 7858, RFC 9103), with a certificate of the authority ca.crt in the data folder. 0 = a free one, told in the log. Default: no TLS.",
    commands: DEV,
  }),
  option({
    name: "secondary",
    type: "list",
    doc: "A secondary of the embedded name server as IP address or IP address:port. It gets a NOTIFY signed with the key of the data folder after each change. Repeat it for more.",
    commands: DEV,
  }),
];
