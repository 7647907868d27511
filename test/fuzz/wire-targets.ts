/**
 * Fuzz targets of the wire: messages, rdata, TSIG, transfers. Each checks laws besides survival.
 */

import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdata } from "@zonekeeper/dns/rdata/index";
import { typeOfNumber } from "@zonekeeper/dns/rdata/type-numbers";
import { WireReader } from "@zonekeeper/dns/wire/bytes/wire-reader";
import { WireWriter } from "@zonekeeper/dns/wire/bytes/wire-writer";
import { TcpFrames } from "@zonekeeper/dns/wire/framing/tcp-frames";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { tryEncodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import { decodeRdata } from "@zonekeeper/dns/wire/rdata/decode-rdata";
import { encodeRdata } from "@zonekeeper/dns/wire/rdata/encode-rdata";
import { TransferReader } from "@zonekeeper/dns/wire/transfer/transfer-reader";
import { splitTsig } from "@zonekeeper/dns/wire/tsig/tsig-record";
import { checkRequest } from "@zonekeeper/dns/wire/tsig/tsig-server";
import { KEYS, NODE_CRYPTO, NOW_SECONDS } from "../support/name-server/server-fixture.ts";
import { MESSAGES, RDATA, RDATA_TEXTS, SIGNED, TRANSFER } from "./corpus.ts";
import { bytes, type FuzzOutcome, type FuzzTarget, kindOf, law, text } from "./target.ts";

/**
 * Text is at most four characters a byte, names of a message may point to one another 255 bytes
 * deep.
 */
const NAME_TEXT_MAX = 1010;
const pointed = (input: number): number => 1000 + input * NAME_TEXT_MAX;

const MESSAGE: FuzzTarget = {
  name: "message",
  seeds: MESSAGES,
  tokens: ["\u0000\u0001\u0000\u0001", "\u0007example\u0003org\u0000"],
  outputBytesMax: pointed,
  run: (input) => {
    const decoded = decodeMessage(input);
    if (!decoded.ok) return { outcome: kindOf(decoded.error), outputBytes: 0 };
    const message = decoded.value;
    const encoded = tryEncodeMessage(message);
    if (encoded.ok) checkAgain(message, encoded.value);
    else law(/more than|cannot be written/.test(encoded.error), `not encodable: ${encoded.error}`);
    return { outcome: shapeOf(message), outputBytes: JSON.stringify(message).length };
  },
};

/** What we write we read as the same, unless it was cut because it does not fit uncompressed. */
function checkAgain(message: Message, encoded: Uint8Array): void {
  const again = decodeMessage(encoded);
  law(again.ok, `our own bytes are not read: ${again.ok ? "" : again.error}`);
  if (!again.ok || isShorter(again.value, message)) return;
  law(JSON.stringify(again.value) === JSON.stringify(message), "decode(encode(x)) is not x");
}

function isShorter(a: Message, b: Message): boolean {
  const count = (m: Message): number => m.answer.length + m.authority.length + m.additional.length;
  return count(a) < count(b);
}

function shapeOf({ opcode, rcode, answer, authority, additional, edns }: Message): string {
  const types = [...answer, ...authority, ...additional]
    .map(({ type, class: klass }) => `${type}${klass}`)
    .slice(0, 3);
  return [opcode, rcode, edns === null ? "" : "edns", ...types].join(" ");
}

/** Two bytes of type, then rdata. */
const RDATA_BYTES: FuzzTarget = {
  name: "rdata",
  seeds: RDATA,
  tokens: [],
  outputBytesMax: (input) => 100 + input * 8,
  run: (input) => {
    const type = typeOfNumber(((input[0] ?? 0) << 8) | (input[1] ?? 0));
    const rdata = input.subarray(2);
    const reader = new WireReader(rdata);
    const decoded = decodeRdata(reader, type, rdata.length);
    if (reader.trouble !== null) return { outcome: kindOf(reader.trouble), outputBytes: 0 };
    const again = encoded(type, decoded);
    law(again !== null, `${type} ${decoded} was decoded and cannot be encoded`);
    const second = new WireReader(again ?? new Uint8Array(0));
    law(decodeRdata(second, type, second.left) === decoded, `${type}: decode(encode(x)) is not x`);
    const outcome = `${type} ${decoded.startsWith("\\#") ? "opaque" : "text"}`;
    return { outcome, outputBytes: decoded.length };
  },
};

function encoded(type: string, data: string): Uint8Array | null {
  const writer = new WireWriter();
  return encodeRdata(writer, type, data) ? writer.finish() : null;
}

/** `TYPE rdata` as people write it. */
const RDATA_TEXT: FuzzTarget = {
  name: "rdata-text",
  seeds: RDATA_TEXTS.map(bytes),
  tokens: ["alpn=", "key65000=", "mandatory=", '"', "\\", "\\#", "\\255", ".", ";", "N", "E", "m"],
  outputBytesMax: (input) => 200 + input * 8,
  run: (input) => {
    const line = text(input);
    const [type = ""] = line.split(" ");
    const parsed = parseRdata(type, line.slice(type.length + 1));
    if (!parsed.ok)
      return {
        outcome: `${type.slice(0, 9)} ${kindOf(parsed.error)}`,
        outputBytes: parsed.error.length,
      };
    const again = parseRdata(type, parsed.value);
    law(again.ok && again.value === parsed.value, `${type}: the canonical form is not canonical`);
    const wire = encoded(type, parsed.value);
    // Numbers and names can be sound one by one and too long together.
    if (wire === null)
      law(/^TYPE|^\d|^$/.test(type) || !isKnown(type), `${type} cannot be encoded`);
    else if (wire.length <= 65_535) {
      const reader = new WireReader(wire);
      law(decodeRdata(reader, type, wire.length) === parsed.value, `${type}: wire and back differ`);
    }
    return { outcome: `${type.slice(0, 9)} good`, outputBytes: parsed.value.length };
  },
};

function isKnown(type: string): boolean {
  return RDATA_TEXTS.some((line) => line.startsWith(`${type} `));
}

const TSIG: FuzzTarget = {
  name: "tsig",
  seeds: SIGNED,
  tokens: ["\u0000\u00fa\u0000\u00ff"],
  outputBytesMax: (input) => 200 + input * 2,
  run: (input) => {
    const split = splitTsig(input);
    const verdict = checkRequest(input, {
      crypto: NODE_CRYPTO,
      nowSeconds: NOW_SECONDS,
      keyOf: (name) => KEYS.find((key) => key.name === name) ?? null,
    });
    law(split.ok || verdict.status === "malformed", "a request that cannot be split is judged");
    if (verdict.status === "refused" || verdict.status === "verified")
      return {
        outcome: verdict.status === "refused" ? verdict.error : "verified",
        outputBytes: verdict.signer.sign(new Uint8Array(12), NOW_SECONDS).length,
      };
    const outcome = verdict.status === "malformed" ? kindOf(verdict.reason) : "unsigned";
    return { outcome, outputBytes: 0 };
  },
};

/** Framed messages, as they come over TCP. */
const TRANSFERS: FuzzTarget = {
  name: "transfer",
  seeds: TRANSFER,
  tokens: ["\u0000\u0006\u0000\u0001"],
  outputBytesMax: pointed,
  run: (input) => {
    const frames = new TcpFrames();
    frames.push(input);
    const haveSerial = input.length % 2 === 0 ? null : 1;
    const zone = trustedDnsName("example.org");
    const reader = new TransferReader({ id: 1, zone, haveSerial, recordsMax: 1000 });
    let outputBytes = 0;
    for (let frame = frames.take(); frame !== null; frame = frames.take()) {
      const message = decodeMessage(frame);
      if (!message.ok) return { outcome: kindOf(message.error), outputBytes };
      const progress = reader.push(message.value);
      outputBytes += message.value.answer.reduce((sum, { data }) => sum + (data ?? "").length, 0);
      if (progress.status === "done") return doneOf(progress.transfer.kind, outputBytes);
      if (progress.status === "failed") return { outcome: kindOf(progress.message), outputBytes };
    }
    return { outcome: "more", outputBytes };
  },
};

function doneOf(kind: string, outputBytes: number): FuzzOutcome {
  return { outcome: `done ${kind}`, outputBytes };
}

/** All of the wire. */
export const WIRE_TARGETS: readonly FuzzTarget[] = [
  MESSAGE,
  RDATA_BYTES,
  RDATA_TEXT,
  TSIG,
  TRANSFERS,
];
