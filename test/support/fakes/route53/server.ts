/**
 * A stateful fake of Amazon Route 53 over HTTP: ListHostedZones, ListHostedZonesByName,
 * GetHostedZone, ListResourceRecordSets, ChangeResourceRecordSets, GetChange, ListHealthChecks (API
 * version 2013-04-01). Faults are set by tests.
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
  /** InvalidChangeBatch: the form of its own, or that of all errors (logs of 2025). */
  errorForm: "own" | "common" = "common";
  setsPerPage = SETS_PER_PAGE;
  /** Questions for a change that are answered with PENDING before it is INSYNC. */
  pendingAnswers = 0;
  /** By the id of a change: how often it was asked for. */
  readonly #keys: string[] = [];
  /** Access keys that count no more. */
  readonly expiredKeys = new Set<string>();
  readonly #changes = new Map<string, number>();

  addZone(id: string, name: string, isPrivate = false): FakeHostedZone {
    const zone = new FakeHostedZone(id, name, isPrivate);
    this.zones.set(id, zone);
    return zone;
  }

  /** The access key of each call since the last question. */
  takeKeys(): readonly string[] {
    return this.#keys.splice(0);
  }

  protected answer({ method, url, headers, body }: FakeCall): FakeAnswer {
    const key = /Credential=([A-Z0-9]+)/.exec(headers.authorization ?? "")?.[1] ?? "";
    this.#keys.push(key);
    const [status, text] = this.expiredKeys.has(key)
      ? [403, errorXml("ExpiredToken", "The security token included in the request is expired")]
      : this.#answer(method, url, body);
    return { status, text, headers: XML_HEADERS };
  }

  #answer(
    method: string,
    { pathname, searchParams }: URL,
    body: string,
  ): readonly [number, string] {
    const path = pathname.replace(PATH, "").replace(/\/$/, "");
    if (path === "/hostedzone") return [200, this.#zonesXml(searchParams)];
    if (path === "/hostedzonesbyname") return [200, this.#zonesByNameXml(searchParams)];
    if (path === "/healthcheck") return [200, answerXml("ListHealthChecksResponse", NO_CHECKS)];
    const [, kind, id = "", rest] = /^\/(hostedzone|change)\/([^/]+)(\/rrset)?$/.exec(path) ?? [];
    if (kind === "change") return this.#changeStatus(id);
    const zone = this.zones.get(id);
    if (zone === undefined)
      return [404, errorXml("NoSuchHostedZone", `No hosted zone found with ID: ${id || path}`)];
    if (rest === undefined) return [200, answerXml("GetHostedZoneResponse", zoneDetailsXml(zone))];
    if (method === "GET") return [200, this.#setsXml(zone, searchParams)];
    return this.#change(zone, changesOf(parseXml(body)));
  }

  #change(zone: FakeHostedZone, changes: readonly FakeChange[]): readonly [number, string] {
    const troubles = zone.apply(changes);
    if (troubles.length === 0) {
      const id = `C${this.#changes.size + 1}`;
      this.#changes.set(id, 0);
      return [200, answerXml("ChangeResourceRecordSetsResponse", changeXml(id, "PENDING"))];
    }
    if (this.errorForm === "common")
      return [400, errorXml("InvalidChangeBatch", `[${troubles.join(", ")}]`)];
    const messages = troubles.map((text) => xml("Message", escapeXml(text))).join("");
    return [
      400,
      answerXml("InvalidChangeBatch", xml("Messages", messages) + xml("RequestId", "fake-1")),
    ];
  }

  #changeStatus(id: string): readonly [number, string] {
    const asked = this.#changes.get(id);
    if (asked === undefined)
      return [404, errorXml("NoSuchChange", `A change with ID ${id} does not exist`)];
    this.#changes.set(id, asked + 1);
    const status = asked < this.pendingAnswers ? "PENDING" : "INSYNC";
    return [200, answerXml("GetChangeResponse", changeXml(id, status))];
  }

  #zonesXml(query: URLSearchParams): string {
    const all = [...this.zones.values()];
    const start = Number(query.get("marker") ?? "0");
    const end = start + Math.min(Number(query.get("maxitems") ?? "100"), this.setsPerPage);
    const isTruncated = end < all.length;
    return answerXml(
      "ListHostedZonesResponse",
      xml("HostedZones", all.slice(start, end).map(zoneXml).join("")) +
        xml("Marker", query.get("marker") ?? "") +
        xml("IsTruncated", String(isTruncated)) +
        (isTruncated ? xml("NextMarker", String(end)) : "") +
        xml("MaxItems", "100"),
    );
  }

  /** In the order of names from the right; the first page only. */
  #zonesByNameXml(query: URLSearchParams): string {
    const from = sortKey({ Name: nameOf(query.get("dnsname") ?? "."), Type: undefined });
    const keyed = [...this.zones.values()].map((zone) => ({
      zone,
      key: sortKey({ Name: zone.name, Type: undefined }),
    }));
    const found = keyed
      .filter(({ key }) => key >= from)
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ zone }) => zoneXml(zone));
    return answerXml(
      "ListHostedZonesByNameResponse",
      xml("HostedZones", found.join("")) +
        xml("IsTruncated", "false") +
        xml("MaxItems", query.get("maxitems") ?? "100"),
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

const NO_CHECKS =
  "<HealthChecks/><Marker></Marker><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems>";

function changeXml(id: string, status: "PENDING" | "INSYNC"): string {
  const fields = [
    xml("Id", `/change/${id}`),
    xml("Status", status),
    xml("SubmittedAt", "2026-11-23T00:00:00Z"),
  ];
  return xml("ChangeInfo", fields.join(""));
}

function zoneXml({ id, name, isPrivate, sets }: FakeHostedZone): string {
  const fields = [
    xml("Id", `/hostedzone/${id}`),
    xml("Name", name),
    xml("CallerReference", id),
    xml("Config", xml("PrivateZone", String(isPrivate))),
    xml("ResourceRecordSetCount", String(sets.length)),
  ];
  return xml("HostedZone", fields.join(""));
}

/** A private zone has no delegation set. */
function zoneDetailsXml(zone: FakeHostedZone): string {
  const servers = zone.sets.find(({ Name, Type }) => Name === zone.name && Type === "NS");
  const names = (servers?.ResourceRecords ?? []).map(({ Value = "" }) =>
    xml("NameServer", Value.replace(/\.$/, "")),
  );
  const delegation = xml("DelegationSet", xml("NameServers", names.join("")));
  return zoneXml(zone) + (zone.isPrivate ? "" : delegation);
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
