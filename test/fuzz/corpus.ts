/**
 * Seeds of the fuzzer. Some messages were caught from dig, BIND, kdig and Knot
 * (caught-messages.ts); the others are written by our own encoders from records of every type,
 * which BIND, Knot and ldns read (test/real/rdata-differential).
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { numberOfType } from "@zonekeeper/dns/rdata/type-numbers";
import { WireWriter } from "@zonekeeper/dns/wire/bytes/wire-writer";
import { frameMessage } from "@zonekeeper/dns/wire/framing/tcp-frames";
import { emptyMessage, queryMessage, responseTo } from "@zonekeeper/dns/wire/message/compose";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import {
  addRecords,
  deleteRecords,
  requireExactSet,
  requireNameUnused,
  requireNoSet,
  updateMessage,
} from "@zonekeeper/dns/wire/message/update";
import { encodeRdata } from "@zonekeeper/dns/wire/rdata/encode-rdata";
import {
  fullTransfer,
  incrementalTransfer,
  transferMessages,
} from "@zonekeeper/dns/wire/transfer/transfer-writer";
import { TsigClient } from "@zonekeeper/dns/wire/tsig/tsig-client";
import fc from "fast-check";
import { FULL_KEY, NODE_CRYPTO, NOW_SECONDS } from "../support/name-server/server-fixture.ts";
import { deleteName, deleteSet } from "../support/name-server/update-records.ts";
import { ARBITRARY_RDATA, arbitraryRecordOf } from "../support/values/arbitrary-record.ts";
import { writeZoneFile } from "../support/zone-file/write-zone-file.ts";
import { CAUGHT_MESSAGES } from "./caught-messages.ts";
import { bytes } from "./target.ts";

const SEED = 1;
const zone = trustedDnsName("example.org");

/** Two records of every type. */
export const RECORDS: readonly ResourceRecord[] = Object.keys(ARBITRARY_RDATA).flatMap((type) =>
  fc.sample(arbitraryRecordOf(type, zone), { seed: SEED, numRuns: 2 }),
);

const soa = (serial: number): ResourceRecord => ({
  name: zone,
  type: "SOA",
  class: "IN",
  ttlSeconds: 300,
  data: `ns1.example.org h.example.org ${serial} 3600 600 86400 60`,
});

const CAUGHT = CAUGHT_MESSAGES.map((hex) => new Uint8Array(Buffer.from(hex, "hex")));

const set = { name: trustedDnsName("www.example.org"), type: "A" };
const question = queryMessage(1, set);
const answerOf = (records: readonly ResourceRecord[]): Message => ({
  ...responseTo(question, "NOERROR", true),
  answer: records,
  edns: { udpPayloadBytes: 1232, dnssecOk: true, version: 0 },
});
const update = updateMessage({
  id: 7,
  zone,
  prerequisites: [
    requireNoSet(set),
    requireNameUnused(set.name),
    ...requireExactSet({ ...set, values: ["192.0.2.1"] }),
  ],
  updates: [
    deleteSet(set),
    deleteName(set.name),
    ...deleteRecords({ ...set, values: ["192.0.2.1"] }),
    ...addRecords({ ...set, ttlSeconds: 60, values: ["192.0.2.9"] }),
    ...RECORDS.slice(0, 12),
  ],
});

/** Whole messages of all kinds. */
export const MESSAGES: readonly Uint8Array[] = [
  ...CAUGHT,
  encodeMessage(question),
  encodeMessage(update),
  encodeMessage({ ...emptyMessage(2), opcode: "NOTIFY", answer: [soa(3)] }),
  ...RECORDS.map((record) => encodeMessage(answerOf([record, soa(1)]))),
  encodeMessage(answerOf(RECORDS)),
];

/** UPDATE messages. */
export const UPDATES: readonly Uint8Array[] = [encodeMessage(update)];

/** Two bytes of type and the rdata. */
export const RDATA: readonly Uint8Array[] = RECORDS.map(({ type, data }) => {
  const writer = new WireWriter();
  writer.u16(numberOfType(type) ?? 0);
  encodeRdata(writer, type, data ?? "");
  return writer.finish();
});

/** `TYPE rdata`. */
export const RDATA_TEXTS: readonly string[] = [...RECORDS, soa(1)].map(
  ({ type, data }) => `${type} ${data}`,
);

/** Signed requests. */
export const SIGNED: readonly Uint8Array[] = [question, update].map((message) =>
  new TsigClient(FULL_KEY, NODE_CRYPTO).sign(encodeMessage(message), NOW_SECONDS),
);

function framed(records: Iterable<ResourceRecord>): Uint8Array {
  const request = queryMessage(1, { name: zone, type: "AXFR" });
  const messages = [...transferMessages(request, records)].map((message) =>
    frameMessage(encodeMessage(message)),
  );
  return new Uint8Array(Buffer.concat(messages));
}

/** Transfers, whole and by steps. */
export const TRANSFER: readonly Uint8Array[] = [
  framed(fullTransfer(soa(3), RECORDS)),
  framed(
    incrementalTransfer(soa(3), [
      { fromSoa: soa(1), toSoa: soa(3), removed: RECORDS.slice(0, 2), added: RECORDS.slice(2, 4) },
    ]),
  ),
  framed([soa(1)]),
];

/** Zone files as people and programs write them. */
export const ZONE_FILES: readonly Uint8Array[] = [
  writeZoneFile([soa(1), ...RECORDS]),
  `$ORIGIN example.org.
$TTL 1h
@ IN SOA ns1 hostmaster ( ; the first
    2026112101 ; serial
    1d 2h 4w ) 5m
  NS ns1
ns1 600 IN A 192.0.2.1
www 1h30m CNAME @
$INCLUDE hosts sub
t TXT ( "a;b" c\\;d
   "e" )
x TYPE65280 \\# 4 ( c000
   0201 )
`,
].map(bytes);
