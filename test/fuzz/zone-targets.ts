/**
 * Fuzz targets of zones: files, ownership markers, the embedded name server's questions and
 * updates.
 */
import { ok } from "@zonekeeper/base/result";
import { evaluateUpdate } from "@zonekeeper/dns/name-server/update/evaluate-update";
import { isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { emptyMessage } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { tryEncodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import {
  formatMarker,
  markerBytes,
  parseMarkerText,
  textInRdata,
} from "../../src/ownership/txt/marker-value.ts";
import { type Fixture, fixtureOf } from "../support/name-server/server-fixture.ts";
import { APEX, zoneFromText } from "../support/name-server/zone-text.ts";
import { readZoneFile } from "../support/zone-file/read-zone-file.ts";
import { writeZoneFile } from "../support/zone-file/write-zone-file.ts";
import { MESSAGES, SIGNED, UPDATES, ZONE_FILES } from "./corpus.ts";
import { bytes, type FuzzOutcome, type FuzzTarget, kindOf, law, text } from "./target.ts";

const read = (source: string) =>
  readZoneFile({
    file: "fuzz",
    text: source,
    zone: APEX,
    ttlSeconds: 300,
    include: (file) => ok(`a A 192.0.2.1\n$INCLUDE ${file}\n`),
  });

const ZONE_FILE: FuzzTarget = {
  name: "zone-file",
  seeds: ZONE_FILES,
  tokens: [
    "$ORIGIN ",
    "$TTL ",
    "$INCLUDE x\n",
    "(",
    ")",
    ";",
    '"',
    "\\",
    "\\000",
    "@",
    "\n ",
    "IN",
    "1w",
    "\\#",
  ],
  // Each name may bring the origin with it.
  outputBytesMax: (input) => 200_000 + input * 4000,
  run: (input) => {
    const { records, problems } = read(text(input));
    law(problems.length <= 101, "more problems than allowed");
    law(
      records.every(({ name }) => isAtOrBelow(name, APEX)),
      "a record outside the zone",
    );
    const written = writeZoneFile(records);
    const again = read(written);
    law(again.problems.length === 0, `our own file is not read: ${again.problems[0]?.message}`);
    law(writeZoneFile(again.records) === written, "read(write(x)) is not x");
    const outcome = problems
      .map(({ message }) => kindOf(message))
      .slice(0, 2)
      .join(" | ");
    return { outcome: outcome || `good ${records.length}`, outputBytes: written.length };
  },
};

const MARKER: FuzzTarget = {
  name: "marker",
  seeds: [
    '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/web"',
    '"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=me,external-dns/state=pending"',
    'heritage=external-dns,external-dns/owner=a "b"',
    '"heritage=external-dns\\044external-dns/owner=\\"x\\""',
  ].map(bytes),
  tokens: ["heritage=", "external-dns/", ",", "=", '"', "\\", "\\000", "owner", "__proto__"],
  outputBytesMax: (input) => 100 + input * 4,
  run: (input) => {
    const rdata = text(input);
    const labels = parseMarkerText(textInRdata(rdata));
    markerBytes(rdata);
    if (labels === null) return { outcome: "foreign", outputBytes: 0 };
    const written = formatMarker(labels);
    if (written === null) return { outcome: "not writable", outputBytes: 0 };
    const again = parseMarkerText(textInRdata(written));
    const isSame = JSON.stringify(sorted(again ?? {})) === JSON.stringify(sorted(labels));
    law(
      isSame || Object.keys(labels).some((key) => key.includes("=")),
      "parse(format(x)) is not x",
    );
    return {
      outcome: Object.keys(labels).sort().join(" ").slice(0, 60),
      outputBytes: written.length,
    };
  },
};

function sorted(labels: Readonly<Record<string, string>>): unknown {
  return Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
}

const ZONE = `
  www A 192.0.2.1
  *.w TXT "wild"
  d DNAME example.net.
  c CNAME www
  sub NS ns.sub
  ns.sub A 192.0.2.53
`;

/** Requests over UDP; none of them can change anything, as changed ones are no longer signed. */
class QueryTarget implements FuzzTarget {
  readonly name = "query";
  readonly seeds = [...MESSAGES, ...SIGNED];
  readonly tokens = [
    "\u0003www",
    "\u0007example\u0003org\u0000",
    "\u0001d",
    "\u0003sub",
    "\u0001*",
  ];
  readonly outputBytesMax = (): number => 70_000;
  #fixture: Promise<Fixture> | null = null;

  async run(input: Uint8Array): Promise<FuzzOutcome> {
    this.#fixture ??= fixtureOf(ZONE);
    const { responder } = await this.#fixture;
    const replies = [...(await responder.respond(input, "udp"))];
    law(replies.length <= 1, "more than one answer over UDP");
    const [reply] = replies;
    if (reply === undefined) return { outcome: "dropped", outputBytes: 0 };
    law(reply.length <= 4096, `an answer of ${reply.length} bytes over UDP`);
    const decoded = decodeMessage(reply);
    law(decoded.ok, `our own answer is not read: ${decoded.ok ? "" : decoded.error}`);
    const outcome = decoded.ok
      ? [decoded.value.opcode, decoded.value.rcode, ...decoded.value.answer.map(({ type }) => type)]
      : [];
    return { outcome: outcome.slice(0, 6).join(" "), outputBytes: reply.length };
  }
}

/** The inside of an UPDATE that was allowed. */
const UPDATE: FuzzTarget = {
  name: "update",
  seeds: UPDATES,
  tokens: ["\u0007example\u0003org\u0000", "\u00ff", "\u00fe", "\u0005", "\u0006"],
  outputBytesMax: (input) => 10_000 + input * 1100,
  run: (input) => {
    const decoded = decodeMessage(input);
    if (!decoded.ok) return { outcome: "malformed", outputBytes: 0 };
    const zone = zoneFromText(ZONE);
    const { rcode, change } = evaluateUpdate(zone, decoded.value);
    const records = [...(change?.version.records() ?? [])];
    for (const record of records) {
      const one = tryEncodeMessage({ ...emptyMessage(1), response: true, answer: [record] });
      law(one.ok, `the zone holds what cannot be written: ${record.type} ${record.data}`);
    }
    const types = new Set(records.map(({ type }) => type));
    const outputBytes = records.reduce((sum, { data }) => sum + data.length, 0);
    return { outcome: `${rcode} ${[...types].sort().join(" ").slice(0, 80)}`, outputBytes };
  },
};

/** All about zones. */
export const ZONE_TARGETS: readonly FuzzTarget[] = [ZONE_FILE, MARKER, new QueryTarget(), UPDATE];
