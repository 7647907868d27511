/**
 * A stateful fake of a webhook of external-dns (`provider/webhook/api/httpapi.go`): one that writes
 * whole record sets, as most do. Faults are set by tests.
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";

const MEDIA_TYPE = "application/external.dns.webhook+json;version=1";
/**
 * Which headers a call must have, as webhooks ask for them that were made from IONOS's
 * (`pkg/webhook/webhook.go`, headerCheck: absent = 406, another value = 415). external-dns's own
 * client sends no Accept with `POST /records`, and its own server asks for none of them.
 */
const HEADERS: Readonly<Record<string, readonly ("accept" | "content-type")[]>> = {
  "GET /": ["accept"],
  "GET /records": ["accept"],
  "POST /adjustendpoints": ["content-type", "accept"],
  "POST /records": ["content-type"],
};

/** Every field may be absent in answers. */
export interface FakeEndpoint {
  readonly dnsName: string;
  readonly targets: readonly string[];
  readonly recordType: string;
  readonly setIdentifier?: string;
  readonly recordTTL?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly providerSpecific?: readonly { readonly name: string; readonly value: string }[];
}

type Changes = Readonly<Record<"create" | "updateOld" | "updateNew" | "delete", FakeEndpoint[]>>;

/** A running fake. */
export class FakeWebhook extends FakeApi {
  /** The answer to the negotiation. */
  domainFilter: unknown = { include: ["example.org"] };
  mediaType = MEDIA_TYPE;
  /** What `Authorization: Bearer` must have; null = nothing is asked for. */
  token: string | null = null;
  /** Answers have no TTL. */
  hidesTtl = false;
  /** What becomes of an endpoint that is adjusted. */
  adjust: (endpoint: FakeEndpoint) => FakeEndpoint = (endpoint) => endpoint;
  /** As a server in Go that writes into the labels of what it gets. */
  panicsWithoutLabels = false;
  /** Of the last call that changes anything. */
  lastChanges: Partial<Changes> = {};
  readonly #endpoints = new Map<string, FakeEndpoint>();

  get endpoints(): readonly FakeEndpoint[] {
    return [...this.#endpoints.values()];
  }

  /** Whatever is there is replaced. */
  put(endpoint: FakeEndpoint): void {
    this.#endpoints.set(keyOf(endpoint), endpoint);
  }

  protected answer({ method, url, headers, body }: FakeCall): FakeAnswer {
    if (this.token !== null && headers.authorization !== `Bearer ${this.token}`)
      return { status: 401, body: { message: "Unauthorized" } };
    const call = `${method} ${url.pathname}`;
    const asked = HEADERS[call];
    if (asked === undefined) return { status: 404 };
    if (asked.some((name) => !headers[name])) return { status: 406 };
    if (asked.some((name) => headers[name] !== MEDIA_TYPE)) return { status: 415 };
    const typed = { "content-type": this.mediaType };
    if (call === "GET /") return { status: 200, body: this.domainFilter, headers: typed };
    if (call === "GET /records") return { status: 200, body: this.#shown(), headers: typed };
    if (call === "POST /adjustendpoints") {
      const endpoints = JSON.parse(body) as readonly FakeEndpoint[];
      return { status: 200, body: endpoints.map(this.adjust), headers: typed };
    }
    const changes = JSON.parse(body) as Partial<Changes>;
    this.lastChanges = changes;
    if (
      this.panicsWithoutLabels &&
      Object.values(changes)
        .flat()
        .some(({ labels }) => !labels)
    )
      return { status: 500, body: "panic: assignment to entry in nil map" };
    const trouble = this.#apply(changes);
    return trouble === null ? { status: 204 } : { status: 400, body: { message: trouble } };
  }

  #shown(): readonly unknown[] {
    return this.endpoints.map(({ recordTTL, ...endpoint }) =>
      this.hidesTtl ? endpoint : { ...endpoint, recordTTL },
    );
  }

  /** Null = done. A CNAME beside other data is taken: what webhooks do there differs. */
  #apply({ create = [], updateOld = [], updateNew = [], delete: gone = [] }: Partial<Changes>) {
    if (updateOld.length !== updateNew.length) return "updateOld and updateNew differ in length";
    for (const { dnsName, recordType, targets } of [...create, ...updateNew]) {
      const isInside = dnsName === "example.org" || /\.example(\.org)?$/.test(dnsName);
      if (!isInside) return `${dnsName} is in no zone`;
      const wrong = recordType === "A" && targets.find((one) => !/^[\d.]{7,15}$/.test(one));
      if (wrong) return `${wrong} is no address`;
    }
    for (const endpoint of [...gone, ...updateOld]) this.#endpoints.delete(keyOf(endpoint));
    for (const endpoint of [...updateNew, ...create]) this.put(endpoint);
    return null;
  }
}

function keyOf({ dnsName, recordType, setIdentifier = "" }: FakeEndpoint): string {
  return `${dnsName.toLowerCase()} ${recordType} ${setIdentifier}`;
}
