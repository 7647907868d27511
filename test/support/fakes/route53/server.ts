/**
 * A stateful fake of Amazon Route 53 over HTTP: ListHostedZones, ListResourceRecordSets,
 * ChangeResourceRecordSets, ListHealthChecks (API version 2013-04-01). Faults are set by tests.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ResourceRecordSet } from "@aws-sdk/client-route-53";
import { type FakeChange, FakeHostedZone, nameOf, sortKey } from "./hosted-zone.ts";
import { changesOf, recordSetXml } from "./record-set-xml.ts";
import { escapeXml, parseXml, xml } from "./xml.ts";

const PATH = "/2013-04-01";
const NAMESPACE = ' xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';
const SETS_PER_PAGE = 300;

/** What goes wrong with the next call. */
export type Route53Fault =
  /** The call is refused; nothing was done. */
  | {
      readonly is: "refused";
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly retryAfter?: string;
    }
  /** The connection breaks before or after the call takes effect. */
  | { readonly is: "cut-before" | "cut-after" }
  /** The answer ends in the middle. */
  | { readonly is: "half" };

/** What was asked of the fake. */
export interface SeenCall {
  readonly method: string;
  readonly path: string;
}

/** A running fake. */
export class FakeRoute53 {
  readonly calls: SeenCall[] = [];
  readonly zones = new Map<string, FakeHostedZone>();
  readonly faults: { readonly at: RegExp; readonly fault: Route53Fault }[] = [];
  /** The form of InvalidChangeBatch: the error of its own, or the one that all errors have. */
  errorForm: "own" | "common" = "own";
  setsPerPage = SETS_PER_PAGE;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  /** `http://127.0.0.1:port`. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  addZone(id: string, name: string, isPrivate = false): FakeHostedZone {
    const zone = new FakeHostedZone(id, name, isPrivate);
    this.zones.set(id, zone);
    return zone;
  }

  /** The next call whose method and path fit fails so. */
  breakNext(at: RegExp, fault: Route53Fault): void {
    this.faults.push({ at, fault });
  }

  /** Calls since the last question. */
  takeCalls(): readonly SeenCall[] {
    return this.calls.splice(0);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = "", url = "" } = request;
    this.calls.push({ method, path: url });
    const index = this.faults.findIndex(({ at }) => at.test(`${method} ${url}`));
    const fault = index < 0 ? null : (this.faults.splice(index, 1)[0]?.fault ?? null);
    if (fault?.is === "cut-before") return void request.socket.destroy();
    if (fault?.is === "refused")
      return send(response, fault.status, errorXml(fault.code, fault.message), {
        ...(fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter }),
      });
    const [status, body] = this.#answer(
      method,
      new URL(url, "http://fake"),
      Buffer.concat(chunks).toString(),
    );
    if (fault?.is === "cut-after") return void request.socket.destroy();
    if (fault?.is !== "half") return send(response, status, body);
    response.writeHead(status, { "content-length": String(body.length) });
    response.write(body.slice(0, body.length / 2));
    setTimeout(() => request.socket.destroy(), 10);
  }

  #answer(
    method: string,
    { pathname, searchParams }: URL,
    body: string,
  ): readonly [number, string] {
    const path = pathname.replace(PATH, "").replace(/\/$/, "");
    if (path === "/hostedzone") return [200, this.#zonesXml(searchParams)];
    if (path === "/healthcheck")
      return [
        200,
        answerXml(
          "ListHealthChecksResponse",
          "<HealthChecks/><Marker></Marker><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems>",
        ),
      ];
    const id = /^\/hostedzone\/([^/]+)\/rrset$/.exec(path)?.[1];
    const zone = this.zones.get(id ?? "");
    if (zone === undefined)
      return [404, errorXml("NoSuchHostedZone", `No hosted zone found with ID: ${id ?? path}`)];
    if (method === "GET") return [200, this.#setsXml(zone, searchParams)];
    return this.#change(zone, changesOf(parseXml(body)));
  }

  #change(zone: FakeHostedZone, changes: readonly FakeChange[]): readonly [number, string] {
    const troubles = zone.apply(changes);
    if (troubles.length === 0) {
      const info =
        xml("Id", "/change/C1") +
        xml("Status", "PENDING") +
        xml("SubmittedAt", "2026-11-23T00:00:00Z");
      return [200, answerXml("ChangeResourceRecordSetsResponse", xml("ChangeInfo", info))];
    }
    if (this.errorForm === "common")
      return [400, errorXml("InvalidChangeBatch", `[${troubles.join(", ")}]`)];
    const messages = troubles.map((text) => xml("Message", escapeXml(text))).join("");
    return [
      400,
      answerXml("InvalidChangeBatch", xml("Messages", messages) + xml("RequestId", "fake-1")),
    ];
  }

  #zonesXml(query: URLSearchParams): string {
    const all = [...this.zones.values()];
    const start = Number(query.get("marker") ?? "0");
    const end = start + Math.min(Number(query.get("maxitems") ?? "100"), this.setsPerPage);
    const zones = all.slice(start, end).map(({ id, name, isPrivate, sets }) => {
      const config = xml("Config", xml("PrivateZone", String(isPrivate)));
      const fields =
        xml("Id", `/hostedzone/${id}`) + xml("Name", name) + xml("CallerReference", id);
      return xml(
        "HostedZone",
        fields + config + xml("ResourceRecordSetCount", String(sets.length)),
      );
    });
    const isTruncated = end < all.length;
    const next = isTruncated ? xml("NextMarker", String(end)) : "";
    return answerXml(
      "ListHostedZonesResponse",
      xml("HostedZones", zones.join("")) +
        xml("IsTruncated", String(isTruncated)) +
        next +
        xml("MaxItems", "100"),
    );
  }

  #setsXml(zone: FakeHostedZone, query: URLSearchParams): string {
    const from: ResourceRecordSet = {
      Name: nameOf(query.get("name") ?? "."),
      Type: (query.get("type") ?? "") as NonNullable<ResourceRecordSet["Type"]>,
      SetIdentifier: query.get("identifier") ?? "",
    };
    const fitting = query.has("name")
      ? zone.sets.filter((set) => sortKey(set) >= sortKey(from))
      : zone.sets;
    const size = Math.min(Number(query.get("maxitems") ?? this.setsPerPage), this.setsPerPage);
    const next = fitting[size];
    const page = fitting.slice(0, size).map(recordSetXml).join("");
    const nextXml =
      next === undefined
        ? ""
        : xml("NextRecordName", escapeXml(next.Name ?? "")) +
          xml("NextRecordType", next.Type ?? "") +
          (next.SetIdentifier === undefined
            ? ""
            : xml("NextRecordIdentifier", escapeXml(next.SetIdentifier)));
    return answerXml(
      "ListResourceRecordSetsResponse",
      xml("ResourceRecordSets", page) +
        xml("IsTruncated", String(next !== undefined)) +
        nextXml +
        xml("MaxItems", String(size)),
    );
  }
}

function answerXml(name: string, content: string): string {
  return `<?xml version="1.0"?>\n<${name}${NAMESPACE}>${content}</${name}>`;
}

/** API reference, "Common errors". */
function errorXml(code: string, message: string): string {
  const error = xml("Type", "Sender") + xml("Code", code) + xml("Message", escapeXml(message));
  return answerXml(
    "ErrorResponse",
    xml("Error", error) + xml("RequestId", "b25f48e8-84fd-11e6-80d9-574e0c4664cb"),
  );
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "text/xml", ...headers });
  response.end(body);
}
