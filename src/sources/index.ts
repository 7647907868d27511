/** The list of sources. A new one is a file, a golden folder and a line here. */
import { serviceDns } from "./core/service-dns.ts";
import { dnsEndpoint } from "./externaldns/dnsendpoint.ts";
import { dnsEntry } from "./gardener/dnsentry.ts";
import { ingressDns } from "./networking/ingress-dns.ts";
import type { SourceOptions } from "./shared/source-options.ts";
import type { Source } from "./source.ts";

/**
 * Every source by the name that `--controllers` uses; `crd` is external-dns's word for
 * DNSEndpoints.
 */
export const SOURCES: Readonly<Record<string, (options: SourceOptions) => Source>> = {
  crd: dnsEndpoint,
  dnsentry: dnsEntry,
  "ingress-dns": ingressDns,
  "service-dns": serviceDns,
};
export type { SourceOptions } from "./shared/source-options.ts";
