/**
 * The list of provider types. A new one is one line here; its module is loaded with the first
 * DNSProvider of the type, so that nobody pays for back ends that nobody uses.
 */
import { ok } from "@zonekeeper/base/result";
import type { ProviderType } from "./provider.ts";
import { SentSecrets, withoutSecrets } from "./shared/hidden-secrets.ts";

/** Sorted by type. */
const MODULES: Readonly<Record<string, () => Promise<ProviderType>>> = {
  "alicloud-dns": async () => (await import("./alidns/session.ts")).ALIDNS_PROVIDER,
  "aws-route53": async () => (await import("./route53/session.ts")).ROUTE53_PROVIDER,
  "azure-dns": async () => (await import("./azure/session.ts")).AZURE_PROVIDER,
  "azure-private-dns": async () => (await import("./azure/session.ts")).AZURE_PRIVATE_PROVIDER,
  "cloudflare-dns": async () => (await import("./cloudflare/session.ts")).CLOUDFLARE_PROVIDER,
  "coredns-etcd": async () => (await import("./coredns/session.ts")).COREDNS_PROVIDER,
  "external-dns-webhook": async () => (await import("./webhook/session.ts")).WEBHOOK_PROVIDER,
  "google-clouddns": async () => (await import("./google/session.ts")).GOOGLE_PROVIDER,
  "infoblox-dns": async () => (await import("./infoblox/session.ts")).INFOBLOX_PROVIDER,
  "openstack-designate": async () => (await import("./designate/session.ts")).DESIGNATE_PROVIDER,
  pihole: async () => (await import("./pihole/session.ts")).PIHOLE_PROVIDER,
  powerdns: async () => (await import("./powerdns/session.ts")).POWERDNS_PROVIDER,
  rfc2136: async () => (await import("./rfc2136/session.ts")).RFC2136_PROVIDER,
};

/** In the same order. */
export const PROVIDER_TYPES: readonly ProviderType[] = Object.entries(MODULES).map(([type, load]) =>
  hidingSecrets(type, load),
);

/** The type whose module is loaded on first use; its messages show nothing of what it was given. */
export function hidingSecrets(type: string, load: () => Promise<ProviderType>): ProviderType {
  return {
    type,
    open: async (settings, environment) => {
      const sent = new SentSecrets();
      const noting = { ...environment, http: sent.noting(environment.http) };
      const opened = await (await load()).open(settings, noting);
      return opened.ok ? ok(withoutSecrets(opened.value, settings, sent)) : opened;
    },
    namedZones: async (settings) => (await load()).namedZones?.(settings) ?? [],
  };
}
