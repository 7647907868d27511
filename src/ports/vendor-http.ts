/**
 * HTTP to the APIs of vendors. Each request says whether it changes anything, since neither method
 * nor path does: AliDNS writes by what reads elsewhere, Keystone, STS and etcd read by POST.
 */
import type { HttpRequest, HttpResponse, HttpTarget } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** A request to a vendor's API. */
export interface VendorRequest extends HttpRequest {
  /** The apex of the zone that it changes; null = it reads, or asks for a token. */
  readonly changes: DnsName | null;
}

/**
 * As `HttpClient`. Rejects with OperationError `DryRun` or `Paused`, and sends nothing, where a
 * zone must not be changed (docs/safety.md#no-calls).
 */
export interface VendorClient {
  send(request: VendorRequest): Promise<HttpResponse>;
  close(): void;
}

/** Makes a client without credentials. Whoever makes it closes it. */
export type OpenVendorHttp = (target: HttpTarget) => VendorClient;
