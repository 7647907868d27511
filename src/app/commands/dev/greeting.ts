/** Writes what `dev` tells its user on stdout when everything answers. Pure. */
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { shellQuoted } from "../../../model/printable.ts";
import { addressText } from "../../ports/system-error.ts";

/** Where everything is. */
export interface Whereabouts {
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  readonly dns: SocketAddress;
  /** `http://127.0.0.1:PORT`. */
  readonly http: string;
  /** Path of the data folder. */
  readonly data: string;
  readonly zone: string;
  readonly owner: string;
  /** How this program is called: `zonekeeper`, `node dist/zonekeeper.js`. */
  readonly command: string;
}

/** How to go on, and as the last line exactly one `ready {…}` for programs. */
export function greeting(where: Whereabouts): string {
  const { kubeconfig, dns, http, data, zone, owner, command } = where;
  const ready = JSON.stringify({ kubeconfig, dns: addressText(dns), http, data });
  return `Zonekeeper serves the zone ${zone}; records are marked with the owner ${owner}.

  export KUBECONFIG=${shellQuoted(kubeconfig)}
  kubectl get dnspr,dnse,svc,ing
  dig @${dns.host} -p ${dns.port} www.${zone}
  ${command} explain www.${zone} --data ${shellQuoted(data)}
  ${command} open --data ${shellQuoted(data)}

Examples to change and apply are in examples/. Health and metrics: ${http}/readyz, ${http}/metrics.
Ctrl-C stops.

ready ${ready}
`;
}

/** The words by which a user starts this program again from the same folder. */
export function commandText(script: string | undefined, cwd: string): string {
  if (script === undefined || !script.endsWith(".js")) return "zonekeeper";
  return `node ${shellQuoted(script.startsWith(`${cwd}/`) ? script.slice(cwd.length + 1) : script)}`;
}
