/**
 * Kubeconfigs that others hand in: credentials are in the text itself, and go over TLS that is
 * verified. What would run a program or read a file here, or lead through a proxy, is refused.
 */
import { fail, type Result } from "@zonekeeper/base/result";
import type { ClusterAccess } from "./cluster-access.ts";
import type { ConfigEntry } from "./config-field.ts";
import { accessOfContext, type KubeconfigFile, parseKubeconfig } from "./kubeconfig.ts";

const DATA = "names a file of this machine; give its content as";
const PLUGIN = "would run a program here; give a token, or a client certificate as data";

/** What each refused field would do, and what to give instead. */
const REFUSED: Readonly<Record<string, string>> = {
  "certificate-authority": `${DATA} certificate-authority-data`,
  "insecure-skip-tls-verify":
    "would send credentials to whoever answers; give certificate-authority-data",
  "proxy-url": "would lead connections elsewhere; leave it out",
  "client-certificate": `${DATA} client-certificate-data`,
  "client-key": `${DATA} client-key-data`,
  tokenFile: `${DATA} token`,
  exec: PLUGIN,
  "auth-provider": PLUGIN,
};

/**
 * The access of the current context. The error names the text (`path`), the field and the remedy,
 * and no value. Entries of other contexts are held to the same rules.
 */
export function untrustedAccess(text: KubeconfigFile): Result<ClusterAccess> {
  const config = parseKubeconfig([text]);
  if (!config.ok) return config;
  for (const entry of [...config.value.clusters.values(), ...config.value.users.values()]) {
    const fault = refusalOf(entry);
    if (fault !== null) return fail(fault);
  }
  return accessOfContext(config.value);
}

function refusalOf({ file, label, fields }: ConfigEntry): string | null {
  const { server } = fields;
  if (typeof server === "string" && !server.startsWith("https://"))
    return `${file}: ${label}.server: is not encrypted; give an https:// address`;
  const field = Object.keys(REFUSED).find((name) => (fields[name] ?? false) !== false);
  return field === undefined ? null : `${file}: ${label}.${field}: ${REFUSED[field]}`;
}
