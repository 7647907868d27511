import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import { expect, test } from "vitest";
import { portOf } from "../model/imports.ts";
import { type Endpoint, type ImportedHost, ImportedHosts } from "./imported-hosts.ts";
import type { ZoneMarker, ZoneRecord, ZoneView } from "./zone-view.ts";

const APEX = trustedDnsName("example.org");

/** `name type value`; a marker is that of the whole line. */
type Line = string | readonly [string, ZoneMarker];

function recordOf(line: Line): ZoneRecord {
  const [text, marker] = typeof line === "string" ? [line, null] : line;
  const [label = "", type = "", ...values] = text.split(" ");
  const name = trustedDnsName(label === "@" ? APEX : `${label}.${APEX}`);
  const set = { name, type: type as RecordType, values: [values.join(" ")], ttlSeconds: 60 };
  const setIdentifier = type === "A" && values[0] === "192.0.2.250" ? "weighted" : null;
  return { set: { ...set, setIdentifier, properties: {}, routingPolicy: null }, marker };
}

function viewOf(lines: readonly Line[]): ZoneView {
  const records = lines.map(recordOf);
  const names = new Set(records.map(({ set }) => set.name));
  return {
    ...{ apex: APEX, id: "z", readAtMs: 0, names: () => names },
    at: (name) => records.filter(({ set }) => set.name === name),
  };
}

const RULES = { ports: [portOf("https", 443)], domains: [], excluded: [] };

/** `host: endpoints; ports`, or `host: reason`. */
function imported(lines: readonly Line[], rules: Partial<typeof RULES> = {}): readonly string[] {
  const zone = new ImportedHosts({ ...RULES, ...rules }, "here");
  zone.read(viewOf(lines), "all");
  const endpoint = ({ address, ports = {} }: Endpoint) =>
    [address, ...Object.entries(ports).map(([name, port]) => `${name}=${port}`)].join(" ");
  const short = (host: string) => (host === APEX ? "@" : host.replace(`.${APEX}`, ""));
  const textOf = ({ endpoints, ports }: ImportedHost) => {
    const listed = ports.map(({ name, number, protocol }) => `${name}/${number}/${protocol}`);
    return `${endpoints.map(endpoint).join(", ")}; ${listed.join(", ")}`;
  };
  const found = [...zone.found()].map(
    ([host, one]) => `${short(host)}: ${"is" in one ? textOf(one.is) : one.skip}`,
  );
  return found.sort();
}

const HTTPS = "https/443/HTTPS";

test("addresses of both families are one host", () => {
  expect(imported(["www A 192.0.2.2", "www A 192.0.2.1", "www AAAA 2001:db8::1"])).toEqual([
    `www: 192.0.2.1, 192.0.2.2, 2001:db8::1; ${HTTPS}`,
  ]);
});

test("the apex is a host, and its SOA, NS, MX and TXT are none", () => {
  const apex = ["@ SOA a", "@ NS ns.example.net", "@ MX 10 mail.example.net", "@ TXT x"];
  expect(imported(apex)).toEqual([]);
  expect(imported([...apex, "@ A 192.0.2.1", "mail MX 10 x.example.net"])).toEqual([
    `@: 192.0.2.1; ${HTTPS}`,
  ]);
});

test("aliases inside of the zone are followed, those out of it are names", () => {
  const lines = ["a CNAME b.example.org", "b CNAME c.example.org.", "c A 192.0.2.1"];
  expect(imported(lines)).toEqual(["a", "b", "c"].map((label) => `${label}: 192.0.2.1; ${HTTPS}`));
  expect(imported(["a CNAME www.example.net"])).toEqual([`a: www.example.net; ${HTTPS}`]);
  expect(imported(["a CNAME b.example.org"])).toEqual(["a: AliasToNothing"]);
  expect(imported(["a CNAME b.example.org", "b CNAME a.example.org"])).toEqual([
    "a: AliasLoop",
    "b: AliasLoop",
  ]);
  const chain = (links: number) => [
    ...Array.from({ length: links }, (_, at) => `h${at} CNAME h${at + 1}.example.org`),
    `h${links} A 192.0.2.1`,
  ];
  expect(imported(chain(8))).toContain(`h0: 192.0.2.1; ${HTTPS}`);
  expect(imported(chain(9))).toContain("h0: AliasLoop");
});

test("a child zone and its glue are the child's; an alias into it is a name", () => {
  const lines = ["sub NS ns.sub.example.org", "ns.sub A 192.0.2.1", "a CNAME x.sub.example.org"];
  expect(imported(lines)).toEqual([`a: x.sub.example.org; ${HTTPS}`, "ns.sub: Delegated"]);
});

test("SRV records are ports; of several priorities the lowest counts", () => {
  const lines = [
    "db A 192.0.2.1",
    "_tcp-pg._tcp.db SRV 10 0 5432 db.example.org",
    "_tcp-pg._tcp.db SRV 20 0 5433 db.example.org",
    "_http._tcp.db SRV 0 0 8080 db.example.org.",
    "_dns._udp.db SRV 0 0 53 db.example.org",
    "_none._tcp.db SRV 0 0 0 .",
  ];
  expect(imported(lines)).toEqual(["db: 192.0.2.1; http/8080/HTTP, tcp-pg/5432/TCP"]);
});

test("a name with services alone is where these are", () => {
  const lines = [
    "_http._tcp.svc SRV 0 0 80 a.example.org",
    "_http._tcp.svc SRV 0 0 81 b.example.org",
    "a A 192.0.2.1",
    "b A 192.0.2.2",
  ];
  expect(imported(lines, { ports: [] })).toEqual([
    "a: NoPorts",
    "b: NoPorts",
    "svc: 192.0.2.1, 192.0.2.2 http=81; http/80/HTTP",
  ]);
  expect(imported(["_http._tcp.svc SRV 0 0 80 far.example.net"])).toEqual([
    "svc: far.example.net; http/80/HTTP",
  ]);
  expect(imported(["_http._tcp.svc SRV 0 0 80 gone.example.org"])).toEqual(["svc: AliasToNothing"]);
});

test("what no mesh should get", () => {
  expect(
    imported([
      "*.any A 192.0.2.1",
      "_dmarc TXT x",
      "_x A 192.0.2.1",
      "a\\032b A 192.0.2.1",
      "w A 192.0.2.250",
      "lo A 127.0.0.1",
      "meta A 169.254.169.254",
      "six AAAA fe80::1",
      "some A 127.0.0.1",
      "some A 192.0.2.1",
    ]),
  ).toEqual(
    [
      "*.any: Wildcard",
      "_x: NotAHost",
      "a\\032b: NotAHost",
      "w: RoutingPolicy",
      "lo: InternalAddress",
      "meta: InternalAddress",
      "six: InternalAddress",
      `some: 192.0.2.1; ${HTTPS}`,
    ].sort(),
  );
  const view = { ...viewOf([]), apex: trustedDnsName("local") };
  const others = trustedDnsName("a.b.svc.cluster.local");
  const set = { ...recordOf("x A 192.0.2.1").set, name: others };
  const taken = { ...view, names: () => [others], at: () => [{ set, marker: null }] };
  const zone = new ImportedHosts(RULES, "here");
  zone.read(taken, "all");
  expect([...zone.found()]).toEqual([[others, { skip: "NameOfOthers" }]]);
});

test("a zone does not send the mesh to a service of its own cluster, by an alias or by a service", () => {
  const api = "kubernetes.default.svc.cluster.local";
  expect(
    imported([
      `a CNAME ${api}`,
      "b CNAME a.example.org",
      `_https._tcp.svc SRV 0 0 443 ${api}`,
      `_https._tcp.two SRV 0 0 443 ${api}`,
      "_https._tcp.two SRV 0 0 443 db.example.net",
    ]),
  ).toEqual([
    "a: NameOfOthers",
    "b: NameOfOthers",
    "svc: NameOfOthers",
    `two: db.example.net; ${HTTPS}`,
  ]);
});

test("a service that is said not to be there makes no host (RFC 2782)", () => {
  expect(imported(["_imaps._tcp.mail SRV 0 0 0 ."])).toEqual([]);
});

test("our own records of this cluster do not come back; those of another cluster come", () => {
  const marker = { isOwn: true, cluster: "here", resource: "service/a/b" };
  expect(
    imported([
      ["own A 192.0.2.1", marker],
      ["old A 192.0.2.1", { ...marker, cluster: null }],
      ["far A 192.0.2.1", { ...marker, cluster: "there" }],
      ["foreign A 192.0.2.1", { ...marker, isOwn: false }],
    ]),
  ).toEqual([
    `far: 192.0.2.1; ${HTTPS}`,
    `foreign: 192.0.2.1; ${HTTPS}`,
    "old: OwnRecord",
    "own: OwnRecord",
  ]);
});

test("domains that are chosen and left out", () => {
  const lines = ["a.in A 192.0.2.1", "b.in A 192.0.2.1", "c A 192.0.2.1"];
  const domains = [trustedDnsName("in.example.org")] as never[];
  const excluded = [trustedDnsName("b.in.example.org")] as never[];
  expect(imported(lines, { domains, excluded })).toEqual([`a.in: 192.0.2.1; ${HTTPS}`]);
});
