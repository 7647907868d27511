import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { trustedDnsName } from "../../names/dns-name.ts";
import { queryMessage, responseTo } from "../message/compose.ts";
import { decodeMessage } from "../message/decode-message.ts";
import { encodeMessage } from "../message/encode-message.ts";
import type { Message, ResourceRecord } from "../message/message.ts";
import { type TransferProgress, TransferReader, type TransferStep } from "./transfer-reader.ts";
import { fullTransfer, incrementalTransfer, transferMessages } from "./transfer-writer.ts";

const zone = trustedDnsName("example.org");
const request = queryMessage(5, { name: zone, type: "AXFR" });
const soa = (serial: number): ResourceRecord => ({
  name: zone,
  type: "SOA",
  class: "IN",
  ttlSeconds: 60,
  data: `ns1.example.org h.example.org ${serial} 1 2 3 4`,
});
const a = (host: number): ResourceRecord => ({
  name: trustedDnsName(`h${host}.example.org`),
  type: "A",
  class: "IN",
  ttlSeconds: 60,
  data: `10.0.${host >> 8}.${host & 255}`,
});
const reader = (haveSerial: number | null = null, recordsMax = 10_000): TransferReader =>
  new TransferReader({ id: 5, zone, haveSerial, recordsMax });
const answer = (...records: ResourceRecord[]): Message => ({
  ...responseTo(request, "NOERROR", true),
  answer: records,
});

function readAll(target: TransferReader, messages: Iterable<Message>): TransferProgress {
  let last: TransferProgress = { status: "more" };
  for (const message of messages) {
    expect(last.status).toBe("more");
    last = target.push(message);
  }
  return last;
}

describe("AXFR", () => {
  test.each([0, 1, 3, 5000])("a zone of %i records comes back, message by message", (count) => {
    const records = Array.from({ length: count }, (_, index) => a(index));
    const messages = [...transferMessages(request, fullTransfer(soa(7), records))].map(
      (message) => {
        const bytes = encodeMessage(message);
        expect(bytes.length).toBeLessThan(33_000);
        const decoded = decodeMessage(bytes);
        if (!decoded.ok) throw new Error(decoded.error);
        return decoded.value;
      },
    );
    expect(messages.length > 1).toBe(count > 100);
    expect(readAll(reader(), messages)).toEqual({
      status: "done",
      transfer: { kind: "full", soa: soa(7), records },
    });
  });

  test("PowerDNS begins with a lone SOA", () => {
    const messages = [answer(soa(7)), answer(a(1), a(2)), answer(soa(7))];
    expect(readAll(reader(), messages)).toMatchObject({
      status: "done",
      transfer: { kind: "full" },
    });
  });

  test("without the closing SOA there is no result", () => {
    expect(readAll(reader(), [answer(soa(7), a(1)), answer(a(2))])).toEqual({ status: "more" });
  });

  test.each<[string, Message[]]>([
    ["does not begin with an SOA", [answer(a(1))]],
    ["closing SOA differs", [answer(soa(7), a(1), soa(8))]],
    ["after the closing SOA", [answer(soa(7), a(1), soa(7), a(2))]],
    ["class CH", [answer(soa(7), { ...a(1), class: "CH" })]],
    ["answers another request", [{ ...answer(soa(7)), id: 6 }]],
    ["answers another request", [{ ...answer(soa(7)), response: false }]],
    ["truncated", [{ ...answer(soa(7)), truncated: true }]],
    ["empty message", [answer()]],
    ["REFUSED", [{ ...answer(), rcode: "REFUSED" }]],
    ["not the apex", [answer(soa(7), { ...soa(7), name: trustedDnsName("sub.example.org") })]],
    [
      "another zone",
      [
        {
          ...answer(soa(7)),
          question: [{ name: trustedDnsName("x.org"), type: "AXFR", class: "IN" }],
        },
      ],
    ],
  ])("fails when a message %s", (reason, messages) => {
    const last = readAll(reader(), messages);
    expect(last).toMatchObject({ status: "failed" });
    expect(last.status === "failed" && last.message).toContain(reason);
  });

  test("the refusal of the server is kept apart from broken messages", () => {
    expect(reader().push({ ...answer(), rcode: "NOTAUTH" })).toMatchObject({ rcode: "NOTAUTH" });
    expect(reader().push(answer())).toMatchObject({ rcode: "NOERROR" });
  });

  test("more records than the bound fail", () => {
    expect(reader(null, 3).push(answer(soa(1), a(1), a(2), a(3)))).toMatchObject({
      status: "failed",
    });
  });
});

describe("IXFR", () => {
  test("a lone SOA with the serial at hand is up to date", () => {
    expect(reader(7).push(answer(soa(7)))).toEqual({
      status: "done",
      transfer: { kind: "up-to-date", soa: soa(7) },
    });
  });

  test("a lone SOA with a newer serial is the beginning of a full answer", () => {
    expect(readAll(reader(6), [answer(soa(7)), answer(a(1), soa(7))])).toMatchObject({
      transfer: { kind: "full", records: [a(1)] },
    });
  });

  test("a full answer to IXFR", () => {
    expect(reader(6).push(answer(soa(7), a(1), soa(7)))).toMatchObject({
      transfer: { kind: "full" },
    });
  });

  test("steps come back, cut anywhere", () => {
    const steps: TransferStep[] = [
      { fromSoa: soa(5), toSoa: soa(6), removed: [a(1)], added: [a(2), a(3)] },
      { fromSoa: soa(6), toSoa: soa(7), removed: [], added: [a(4)] },
      { fromSoa: soa(7), toSoa: soa(8), removed: [a(4)], added: [] },
    ];
    const stream = [...incrementalTransfer(soa(8), steps)];
    fc.assert(
      fc.property(fc.integer({ min: 2, max: stream.length }), (cut) => {
        const messages = [answer(...stream.slice(0, cut)), answer(...stream.slice(cut))];
        expect(
          readAll(
            reader(5),
            messages.filter((message) => message.answer.length > 0),
          ),
        ).toEqual({
          status: "done",
          transfer: { kind: "incremental", soa: soa(8), steps },
        });
      }),
    );
  });

  test("steps that do not join, or begin at another serial, fail", () => {
    expect(reader(4).push(answer(soa(8), soa(5), soa(8), soa(8)))).toMatchObject({
      status: "failed",
    });
    expect(reader(5).push(answer(soa(8), soa(5), soa(6), soa(7), soa(8), soa(8)))).toMatchObject({
      status: "failed",
    });
  });

  test("serials wrap around", () => {
    expect(reader(0xffff_fff0).push(answer(soa(3)))).toEqual({ status: "more" });
  });
});

test("any order of records never throws", () => {
  const record = fc.oneof(fc.nat(3).map(soa), fc.nat(2).map(a));
  fc.assert(
    fc.property(fc.array(fc.array(record, { maxLength: 6 }), { maxLength: 4 }), (messages) => {
      const target = reader(1);
      for (const message of messages) target.push(answer(...message));
    }),
    { numRuns: runsOf(5000) },
  );
});
