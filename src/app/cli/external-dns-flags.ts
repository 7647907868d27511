/**
 * Flags of external-dns that this program has under another name: people who come from it paste
 * their command line, and read all of it with the first refusal. Pure.
 */

/** Flag → what does its work here. */
export const EXTERNAL_DNS_FLAGS: Readonly<Record<string, string>> = {
  "--source": "--controllers (service-dns, ingress-dns, crd …)",
  "--provider": "spec.type of a DNSProvider",
  "--domain-filter": "spec.domains.include of a DNSProvider",
  "--zone-id-filter": "spec.zones.include of a DNSProvider",
  "--interval": "nothing to set: changes are watched",
  "--annotation-filter": "dns.gardener.cloud/class and --dns-class",
  "--managed-record-types": "--controllers, which say the types",
  "--crd-source-apiversion":
    "nothing to set: DNSEndpoints are those of externaldns.k8s.io/v1alpha1",
};

/**
 * What to add to a refusal of an unknown option, whole lines; empty where external-dns has none of
 * that name.
 */
export function externalDnsHint(refusal: string): string {
  const [, flag = ""] = /unknown option '(--[\w-]+)/.exec(refusal) ?? [];
  if (!Object.hasOwn(EXTERNAL_DNS_FLAGS, flag)) return "";
  const rows = Object.entries(EXTERNAL_DNS_FLAGS).map(([name, here]) => `  ${name}: ${here}\n`);
  return `${flag} is a flag of external-dns: run and check take its arguments as they are behind --dialect external-dns. Without it:\n${rows.join("")}`;
}
