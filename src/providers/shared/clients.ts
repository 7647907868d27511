/** The connections of one session, by origin; most have one. */
import type { HttpTls } from "@zonekeeper/base/ports/http";
import type { OpenVendorHttp, VendorClient } from "../../ports/vendor-http.ts";

/** Catalogs and redirections of a vendor may name ever new ones. */
const ORIGINS_MAX = 16;

/** One for each session; it closes what it opened. */
export class Clients {
  readonly #http: OpenVendorHttp;
  readonly #tls: { readonly tls?: HttpTls };
  readonly #clients = new Map<string, VendorClient>();

  /** `tls`: null = the certificates that this program trusts anyway. */
  constructor(http: OpenVendorHttp, tls: HttpTls | null = null) {
    this.#http = http;
    this.#tls = tls === null ? {} : { tls };
  }

  at(origin: string): VendorClient {
    const known = this.#clients.get(origin);
    if (known !== undefined) return known;
    if (this.#clients.size >= ORIGINS_MAX) this.close();
    const client = this.#http({ origin, ...this.#tls });
    this.#clients.set(origin, client);
    return client;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }
}
