import { createHmac, timingSafeEqual } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { trustedDnsName } from "../../names/dns-name.ts";
import { emptyMessage, queryMessage, responseTo } from "../message/compose.ts";
import { decodeMessage } from "../message/decode-message.ts";
import { encodeMessage } from "../message/encode-message.ts";
import { TsigClient, UNSIGNED_MESSAGES_MAX } from "./tsig-client.ts";
import {
  parseTsigAlgorithm,
  parseTsigScheme,
  TSIG_ALGORITHMS,
  type TsigCrypto,
  type TsigKey,
  tsigRecordBytesMax,
} from "./tsig-key.ts";
import { appendTsig, splitTsig } from "./tsig-record.ts";
import { checkRequest, type TsigRequestVerdict } from "./tsig-server.ts";

const crypto: TsigCrypto = {
  hmac: (hash, key, data) => new Uint8Array(createHmac(hash, key).update(data).digest()),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
};
const NOW = 1_700_000_000;
const key: TsigKey = {
  name: trustedDnsName("key.example.org"),
  algorithm: "hmac-sha256",
  secret: new TextEncoder().encode("a secret of some bytes"),
};
const query = queryMessage(77, { name: trustedDnsName("example.org"), type: "AXFR" });
const requestBytes = encodeMessage(query);
const answerBytes = encodeMessage(responseTo(query, "NOERROR", true));
const context = {
  crypto,
  nowSeconds: NOW,
  keyOf: (name: string) => (name === key.name ? key : null),
};

function ask(asked: TsigKey = key): { readonly client: TsigClient; readonly bytes: Uint8Array } {
  const client = new TsigClient(asked, crypto);
  return { client, bytes: client.sign(requestBytes, NOW) };
}

function signerOf(verdict: TsigRequestVerdict) {
  if (verdict.status !== "verified" && verdict.status !== "refused")
    throw new Error(verdict.status);
  return verdict.signer;
}

describe("a request and its answer", () => {
  test.each(TSIG_ALGORITHMS)("$algorithm verifies in both directions", ({ algorithm }) => {
    const each = { ...key, algorithm };
    const { client, bytes } = ask(each);
    expect(bytes.length - requestBytes.length).toBeLessThanOrEqual(tsigRecordBytesMax(each));
    const verdict = checkRequest(bytes, { ...context, keyOf: () => each });
    expect(verdict).toMatchObject({ status: "verified", message: requestBytes });
    const signed = signerOf(verdict).sign(answerBytes, NOW);
    expect(client.verify(signed, NOW)).toEqual({ status: "verified", message: answerBytes });
    expect(decodeMessage(signed).ok).toBe(true);
  });

  test("bytes that are a part of a larger Node Buffer verify too", () => {
    const { client, bytes } = ask();
    const inside = (part: Uint8Array): Uint8Array =>
      Buffer.concat([Buffer.alloc(100, 7), part, Buffer.alloc(9)]).subarray(100, 100 + part.length);
    const signer = signerOf(checkRequest(inside(bytes), context));
    expect(client.verify(inside(signer.sign(inside(answerBytes), NOW)), NOW).status).toBe(
      "verified",
    );
  });

  test("a forwarder may change the id", () => {
    const { bytes } = ask();
    const forwarded = bytes.slice();
    forwarded[0] = 0xff;
    expect(checkRequest(forwarded, context)).toMatchObject({
      status: "verified",
      message: requestBytes,
    });
  });

  test("any changed byte of the message or the MAC is found", () => {
    const { client, bytes } = ask();
    const signed = signerOf(checkRequest(bytes, context)).sign(answerBytes, NOW);
    for (let at = 2; at < signed.length; at += 1) {
      const changed = signed.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      expect(client.verify(changed, NOW).status).toBe("failed");
    }
    expect(client.verify(signed, NOW).status).toBe("verified");
  });

  test("an answer to another request does not verify", () => {
    const other = new TsigClient(key, crypto);
    other.sign(encodeMessage({ ...query, id: 78 }), NOW);
    const { bytes } = ask();
    const signed = signerOf(checkRequest(bytes, context)).sign(answerBytes, NOW);
    expect(other.verify(signed, NOW)).toMatchObject({ status: "failed", error: "BADSIG" });
  });

  test("an unsigned answer is not believed", () => {
    expect(ask().client.verify(answerBytes, NOW)).toMatchObject({
      status: "failed",
      error: "NOTAUTH",
      reported: false,
    });
  });

  test("RFC 2202 §3: the HMAC that is handed in is used with the raw secret", () => {
    const { bytes } = ask();
    const split = splitTsig(bytes);
    expect(split.ok && split.value.tsig?.mac).toHaveLength(32);
  });
});

describe("errors", () => {
  test("an unknown key is BADKEY, unsigned", () => {
    const { client, bytes } = ask();
    const verdict = checkRequest(bytes, { ...context, keyOf: () => null });
    expect(verdict).toMatchObject({ status: "refused", error: "BADKEY" });
    const answer = encodeMessage(responseTo(query, "NOTAUTH", false));
    const failed = client.verify(signerOf(verdict).sign(answer, NOW), NOW);
    expect(failed).toMatchObject({ status: "failed", error: "BADKEY", reported: true });
  });

  test("another algorithm is BADKEY", () => {
    const { bytes } = ask({ ...key, algorithm: "hmac-sha512" });
    expect(checkRequest(bytes, context)).toMatchObject({ status: "refused", error: "BADKEY" });
  });

  test("another secret is BADSIG, unsigned", () => {
    const { client, bytes } = ask({ ...key, secret: Uint8Array.of(1, 2, 3) });
    const verdict = checkRequest(bytes, context);
    expect(verdict).toMatchObject({ status: "refused", error: "BADSIG" });
    expect(client.verify(signerOf(verdict).sign(answerBytes, NOW), NOW)).toMatchObject({
      error: "BADSIG",
      reported: true,
    });
  });

  test("a clock that is off is BADTIME, signed, with the server's time", () => {
    const { client, bytes } = ask();
    const serverTime = NOW + 4000;
    const verdict = checkRequest(bytes, { ...context, nowSeconds: serverTime });
    expect(verdict).toMatchObject({ status: "refused", error: "BADTIME" });
    const answer = signerOf(verdict).sign(answerBytes, serverTime);
    expect(client.verify(answer, NOW)).toMatchObject({
      error: "BADTIME",
      reported: true,
      serverTimeSeconds: serverTime,
    });
  });

  test("300 seconds are allowed, 301 are not", () => {
    const { bytes } = ask();
    expect(checkRequest(bytes, { ...context, nowSeconds: NOW + 300 }).status).toBe("verified");
    expect(checkRequest(bytes, { ...context, nowSeconds: NOW + 301 }).status).toBe("refused");
    expect(checkRequest(bytes, { ...context, nowSeconds: NOW - 301 }).status).toBe("refused");
  });

  test.each([
    [32, "verified"],
    [16, "verified"],
    [15, "malformed"],
    [9, "malformed"],
    [0, "malformed"],
  ])("a MAC cut to %i bytes is %s", (bytes, status) => {
    const split = splitTsig(ask().bytes);
    if (!split.ok || split.value.tsig === null) throw new Error("no TSIG");
    const { message, tsig } = split.value;
    const cut = appendTsig(message, { ...tsig, mac: tsig.mac.slice(0, bytes) });
    expect(checkRequest(cut, context).status).toBe(status);
  });

  test("TSIG that is not the last record is malformed", () => {
    const { bytes } = ask();
    const twice = Uint8Array.from([...bytes, ...bytes.slice(requestBytes.length)]);
    twice[11] = 2;
    expect(checkRequest(twice, context).status).toBe("malformed");
    expect(checkRequest(Uint8Array.of(1, 2), context).status).toBe("malformed");
    expect(checkRequest(requestBytes, context).status).toBe("unsigned");
  });
});

describe("truncated MACs (RFC 8945 §5.2.2.1)", () => {
  const short: TsigKey = { ...key, macBytes: 16 };
  const shorter: TsigKey = { ...key, macBytes: 20 };
  const macOf = (bytes: Uint8Array) => {
    const split = splitTsig(bytes);
    return split.ok ? (split.value.tsig?.mac.length ?? 0) : -1;
  };

  test("are sent and taken in both directions, also in later messages", () => {
    const { client, bytes } = ask(short);
    expect(macOf(bytes)).toBe(16);
    const signer = signerOf(checkRequest(bytes, { ...context, keyOf: () => short }));
    for (let count = 0; count < 3; count += 1) {
      const signed = signer.sign(answerBytes, NOW);
      expect(macOf(signed)).toBe(16);
      expect(client.verify(signed, NOW).status).toBe("verified");
    }
  });

  test("shorter than the server's key allows: BADTRUNC, signed at that length", () => {
    const { client, bytes } = ask(short);
    const verdict = checkRequest(bytes, { ...context, keyOf: () => shorter });
    expect(verdict).toMatchObject({ status: "refused", error: "BADTRUNC" });
    const signed = signerOf(verdict).sign(answerBytes, NOW);
    expect(macOf(signed)).toBe(20);
    expect(client.verify(signed, NOW)).toMatchObject({ error: "BADTRUNC", reported: true });
  });

  test("truncation is judged last: a wrong secret or time comes first", () => {
    const { bytes } = ask(short);
    const wrong = { ...shorter, secret: new Uint8Array([1]) };
    expect(checkRequest(bytes, { ...context, keyOf: () => wrong })).toMatchObject({
      error: "BADSIG",
    });
    const late = { ...context, nowSeconds: NOW + 301, keyOf: () => shorter };
    expect(checkRequest(bytes, late)).toMatchObject({ error: "BADTIME" });
  });

  test("an answer whose MAC is shorter than our key allows is not verified", () => {
    const { client, bytes } = ask(shorter);
    const signer = signerOf(checkRequest(bytes, { ...context, keyOf: () => short }));
    expect(client.verify(signer.sign(answerBytes, NOW), NOW)).toMatchObject({
      status: "failed",
      error: "BADTRUNC",
      reported: false,
    });
  });

  test.each([
    ["hmac-sha256-128", { algorithm: "hmac-sha256", macBytes: 16 }],
    ["HMAC-SHA512-256.", { algorithm: "hmac-sha512", macBytes: 32 }],
    ["hmac-sha1-80", { algorithm: "hmac-sha1", macBytes: 10 }],
    ["hmac-sha256-256", { algorithm: "hmac-sha256", macBytes: 32 }],
    ["hmac-sha256", { algorithm: "hmac-sha256" }],
    ["hmac-sha256-120", null],
    ["hmac-sha256-130", null],
    ["hmac-sha256-264", null],
    ["hmac-sha1-72", null],
    ["sha256-128", null],
  ])("%s", (text, scheme) => expect(parseTsigScheme(text)).toEqual(scheme));
});

describe("answers of many messages (RFC 8945 §5.3.1)", () => {
  const part = (id: number) =>
    encodeMessage({
      ...emptyMessage(77),
      response: true,
      additional: [],
      edns: { udpPayloadBytes: id, dnssecOk: false, version: 0 },
    });

  test("each signed: the first in full, later over timers", () => {
    const { client, bytes } = ask();
    const signer = signerOf(checkRequest(bytes, context));
    for (let index = 0; index < 5; index += 1)
      expect(client.verify(signer.sign(part(600 + index), NOW), NOW).status).toBe("verified");
  });

  test("order matters", () => {
    const { client, bytes } = ask();
    const signer = signerOf(checkRequest(bytes, context));
    const [first, second, third] = [1, 2, 3].map((index) => signer.sign(part(600 + index), NOW));
    if (!first || !second || !third) throw new Error();
    expect(client.verify(first, NOW).status).toBe("verified");
    expect(client.verify(third, NOW)).toMatchObject({ status: "failed", error: "BADSIG" });
    expect(second.length).toBeGreaterThan(0);
  });

  test("the first must be signed", () => {
    expect(ask().client.verify(part(1), NOW).status).toBe("failed");
  });

  test("at most 99 unsigned messages in a row, and none at the end", () => {
    const { client, bytes } = ask();
    const signer = signerOf(checkRequest(bytes, context));
    client.verify(signer.sign(part(1), NOW), NOW);
    for (let index = 0; index < UNSIGNED_MESSAGES_MAX; index += 1)
      expect(client.verify(part(2 + index), NOW).status).toBe("pending");
    expect(client.isSettled).toBe(false);
    expect(client.verify(part(200), NOW).status).toBe("failed");
  });
});

describe("hostile bytes", () => {
  // Never bit 0x20 alone: names are digested in lower case (RFC 8945 §4.3.3), so another case is no
  // change.
  test("a changed request never throws and never verifies", () => {
    const { bytes } = ask();
    const change = fc.tuple(
      fc.integer({ min: 2, max: bytes.length - 1 }),
      fc.constantFrom(1, 2, 4, 8, 16, 64, 128, 255),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(change, { minLength: 1, maxLength: 5, selector: ([at]) => at }),
        (changes) => {
          const changed = bytes.slice();
          for (const [at, bits] of changes) changed[at] = (changed[at] ?? 0) ^ bits;
          expect(checkRequest(changed, context).status).not.toBe("verified");
        },
      ),
      { numRuns: runsOf(10_000) },
    );
  });

  test("random bytes after a header never throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(3), (tail, count) => {
        const bytes = Uint8Array.from([0, 77, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, count, ...tail]);
        const { client } = ask();
        checkRequest(bytes, context);
        expect(client.verify(bytes, NOW).status).not.toBe("verified");
      }),
      { numRuns: runsOf(10_000) },
    );
  });
});

test("algorithms are read as people write them", () => {
  expect(parseTsigAlgorithm("HMAC-SHA512.")).toBe("hmac-sha512");
  expect(parseTsigAlgorithm("hmac-md5.sig-alg.reg.int.")).toBe("hmac-md5");
  expect(parseTsigAlgorithm("sha256")).toBeNull();
});
