import { joinedBytes } from "@zonekeeper/base/bytes";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { ApiError } from "../errors/api-error.ts";
import { valueAt } from "../json/json.ts";
import { decodeProtobuf } from "./protobuf-body.ts";
import { type Encoded, messageField, textField } from "./protobuf-fields.ts";

const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const integerField = (number: number, value: number): Encoded => [
  [...varint(number * 8), ...varint(value)],
];

const envelope = (apiVersion: string, kind: string, raw: Encoded): Uint8Array => {
  const type = messageField(1, [...textField(1, apiVersion), ...textField(2, kind)]);
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...joinedBytes([...type, ...messageField(2, raw)])]);
};
const meta = (name: string): Encoded =>
  messageField(1, [...textField(1, name), ...messageField(8, [])]);
const entryOf = (key: string, value: string): Encoded => [
  ...textField(1, key),
  ...textField(2, value),
];

describe("Kubernetes protobuf", () => {
  test("a Secret: maps, bytes as base64, zero time left out", () => {
    const raw = [
      ...meta("s"),
      ...messageField(2, entryOf("a", "x")),
      ...messageField(2, entryOf("b", "")),
      ...textField(3, "Opaque"),
    ];
    expect(decodeProtobuf(envelope("v1", "Secret", raw))).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s" },
      data: { a: "eA==", b: "" },
      type: "Opaque",
    });
  });

  test("a Service: ports, targetPort by number or name, unknown fields skipped", () => {
    const port = (target: Encoded): Encoded =>
      messageField(1, [...integerField(3, 443), ...messageField(4, target), ...integerField(5, 0)]);
    const spec = [
      ...port([...integerField(1, 0), ...integerField(2, 8443)]),
      ...port([...integerField(1, 1), ...textField(3, "https")]),
      ...textField(4, "LoadBalancer"),
      ...integerField(20, 0),
      ...textField(99, "from the future"),
    ];
    const raw = [...meta("s"), ...messageField(2, spec)];
    expect(decodeProtobuf(envelope("v1", "Service", raw))).toMatchObject({
      spec: {
        ports: [
          { port: 443, targetPort: 8443 },
          { port: 443, targetPort: "https" },
        ],
        type: "LoadBalancer",
        allocateLoadBalancerNodePorts: false,
      },
    });
  });

  test("an Ingress: the embedded rule value stands in the rule", () => {
    const backend = messageField(4, [
      ...textField(1, "s"),
      ...messageField(2, integerField(2, 80)),
    ]);
    const path = messageField(1, [
      ...textField(1, "/"),
      ...messageField(2, backend),
      ...textField(3, "Prefix"),
    ]);
    const rule = [...textField(1, "h.example.org"), ...messageField(2, messageField(1, path))];
    const raw = [...meta("i"), ...messageField(2, messageField(3, rule))];
    expect(decodeProtobuf(envelope("networking.k8s.io/v1", "Ingress", raw))).toMatchObject({
      spec: {
        rules: [
          {
            host: "h.example.org",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "Prefix",
                  backend: { service: { name: "s", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  test("negative numbers and such of more than 49 bits, as ten and eight bytes", () => {
    const seconds = (...bytes: readonly number[]): unknown => {
      const raw = messageField(1, [[0x50, ...bytes]]);
      return decodeProtobuf(envelope("v1", "Secret", raw))["metadata"];
    };
    const minus = [...Array<number>(9).fill(0xff), 1];
    expect(seconds(...minus)).toEqual({ deletionGracePeriodSeconds: -1 });
    expect(seconds(...Array<number>(7).fill(0x80), 1)).toEqual({
      deletionGracePeriodSeconds: 2 ** 49,
    });
    expect(() => seconds(...Array<number>(10).fill(0x80), 1)).toThrow("not valid protobuf");
  });

  test("a length that is negative is refused", () => {
    const length = [0x0a, ...Array<number>(9).fill(0xff), 1];
    expect(() => decodeProtobuf(envelope("v1", "Secret", [length]))).toThrow("not valid protobuf");
  });

  // Copying the list for each item would take minutes.
  test("hundreds of thousands of small fields are read", { timeout: 30_000 }, () => {
    const fields = new Uint8Array(800_000).map((_, index) => (index % 2 === 0 ? 0x72 : 0));
    const secret = decodeProtobuf(envelope("v1", "Secret", messageField(1, [fields])));
    expect(valueAt(secret, "metadata", "finalizers")).toHaveLength(400_000);
  });

  test("a kind without table is 415, no magic is 400", () => {
    expect(() => decodeProtobuf(envelope("apps/v1", "Deployment", []))).toThrow("send JSON");
    expect(() => decodeProtobuf(envelope("", "Pod", []))).toThrow("send JSON");
    expect(() => decodeProtobuf(Uint8Array.from([1, 2, 3]))).toThrow("magic");
  });

  test("any bytes are decoded or refused with 400 or 415, quickly", () => {
    const valid = envelope("v1", "Service", [...meta("s"), ...messageField(2, textField(4, "x"))]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: valid.length }), (noise, at) => {
        const bytes = Uint8Array.from([...valid.slice(0, at), ...noise, ...valid.slice(at)]);
        try {
          decodeProtobuf(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: runsOf(500) },
    );
  });
});
