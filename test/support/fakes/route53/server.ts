/**
 * A stateful fake of Amazon Route 53 over HTTP: ListHostedZones, ListResourceRecordSets,
 * ChangeResourceRecordSets, ListHealthChecks (API version 2013-04-01). Faults are set by tests.
 */
import type { ResourceRecordSet } from "@aws-sdk/client-route-53";
import { type ApiFault, type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";
import { type FakeChange, FakeHostedZone, nameOf, sortKey } from "./hosted-zone.ts";
import { changesOf, recordSetXml } from "./record-set-xml.ts";
import { escapeXml, parseXml, xml } from "./xml.ts";

const PATH = "/2013-04-01";
const NAMESPACE = ' xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';
const SETS_PER_PAGE = 300;
const XML_HEADERS = { "content-type": "text/xml" } as const;

/** A refusal that `breakNext` takes. */
export function refusal(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ApiFault {
  const body = errorXml(code, message);
  return { is: "refused", status, body, headers: { ...XML_HEADERS, ...headers } };
}

/** A running fake. */
export class FakeRoute53 extends FakeApi {
  readonly zones = new Map<string, FakeHostedZone>();
  /** The form of InvalidChangeBatch: the error of its own, or the one that all errors have. */
  errorForm: "own" | "common" = "own";
  setsPerPage = SETS_PER_PAGE;

  addZone(id: string, name: string, isPrivate = false): FakeHostedZone {
    const zone = new FakeHostedZone(id, name, isPrivate);
    this.zones.set(id, zone);
    return zone;
  }

  protected answer({ method, url, body }: FakeCall): FakeAnswer {
    const [status, text] = this.#answer(method, url, body);
    return { status, text, headers: XML_HEADERS };
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
