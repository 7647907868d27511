/**
 * The members of an etcd cluster as one HTTP client: one is asked until it does not answer, then
 * the next. A call that may have arrived is never sent to another member: whoever made it reads.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { HttpResponse, HttpTls } from "@zonekeeper/base/ports/http";
import type { OpenVendorHttp, VendorClient, VendorRequest } from "../../ports/vendor-http.ts";
import { unsent } from "../shared/failed-calls.ts";
import { isRefusedHere } from "../shared/guarded-http.ts";

/** Nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set(["ConnectFailed", "ConnectTimeout"]);

/** See `VendorClient`. */
export class Members implements VendorClient {
  readonly #clients: readonly VendorClient[];
  /** The one that is asked. */
  #current = 0;

  constructor(origins: readonly string[], tls: HttpTls | null, http: OpenVendorHttp) {
    this.#clients = origins.map((origin) => http({ origin, ...(tls === null ? {} : { tls }) }));
  }

  /** Rejects with the trouble of the last one where none can be reached. */
  async send(request: VendorRequest): Promise<HttpResponse> {
    for (let tries = 1; ; tries++) {
      const asked = this.#current;
      const client = this.#clients[asked];
      invariant(client !== undefined, "the options name a server");
      try {
        return await client.send(request);
      } catch (error) {
        // By a dry run or a pause: no member was asked.
        if (request.signal.aborted || (error instanceof OperationError && isRefusedHere(error)))
          throw error;
        if (this.#current === asked) this.#current = (asked + 1) % this.#clients.length;
        const isUnsent = error instanceof OperationError && UNSENT.has(error.code);
        if (!isUnsent) throw error;
        const { length: count } = this.#clients;
        const last = `none of the ${count} addresses of Server can be reached, the last one`;
        if (count > 1 && tries >= count) throw unsent(error, `${last}: ${error.message}`);
        if (tries >= count) throw error;
      }
    }
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}
