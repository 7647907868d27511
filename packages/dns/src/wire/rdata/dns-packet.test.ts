import * as dnsPacket from "dns-packet";
import { expect, test } from "vitest";
import { trustedDnsName } from "../../names/dns-name.ts";
import { emptyMessage } from "../message/compose.ts";
import { encodeMessage } from "../message/encode-message.ts";

const DIGEST = "d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971";

/** As text: it gives bytes as Buffers, which are shown in hex. */
function shown(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data, (_key, value: unknown) => {
      const isBuffer =
        typeof value === "object" && value !== null && "type" in value && value.type === "Buffer";
      if (!isBuffer || !("data" in value) || !Array.isArray(value.data)) return value;
      return Buffer.from(value.data).toString("hex");
    }),
  );
}

// dns-packet 5.6 knows these; HTTPS and SVCB it does not.
test.each([
  ["CAA", '128 issue "ca.example"', { flags: 128, tag: "issue", value: "ca.example" }],
  ["DNAME", "target.example", "target.example"],
  ["DS", `60485 13 2 ${DIGEST}`, { keyTag: 60_485, algorithm: 13, digestType: 2, digest: DIGEST }],
  ["DNSKEY", "257 3 13 AQPS", { flags: 257, algorithm: 13, key: "0103d2" }],
  ["SSHFP", `4 2 ${DIGEST}`, { algorithm: 4, hash: 2, fingerprint: DIGEST.toUpperCase() }],
  ["TLSA", `3 1 1 ${DIGEST}`, { usage: 3, selector: 1, matchingType: 1, certificate: DIGEST }],
  [
    "NAPTR",
    '100 50 "u" "E2U+sip" "!^.*$!sip:a@b.example!" .',
    {
      order: 100,
      preference: 50,
      flags: "u",
      services: "E2U+sip",
      regexp: "!^.*$!sip:a@b.example!",
      replacement: ".",
    },
  ],
])("dns-packet reads our %s", (type, data, expected) => {
  const name = trustedDnsName("www.example.org");
  const record = { name, type, class: "IN" as const, ttlSeconds: 60, data };
  const bytes = encodeMessage({ ...emptyMessage(1), response: true, answer: [record] });
  const [answer] = dnsPacket.decode(Buffer.from(bytes)).answers ?? [];
  const isRecord = typeof answer === "object" && answer !== null && "data" in answer;
  const parsed = isRecord ? shown(answer.data) : null;
  if (typeof expected === "string") expect(parsed).toBe(expected);
  else expect(parsed).toMatchObject(expected);
});
