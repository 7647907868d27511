/**
 * Signatures as other instances, older and newer ones, make them from the same key: byte for byte.
 */
import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN } from "../../../test/support/values/zone-text.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { checkSignature, type MarkerSigning, type SignedRecord, signLabels } from "./signature.ts";

const key = (id: string, fill: number) => ({ id, secret: new Uint8Array(32).fill(fill) });
const signing: MarkerSigning = { mode: "write", keys: [key("k1", 1)], crypto: new RealCrypto() };
const LABELS = { resource: "service/default/web", owner: "me" };
const PERMIT = { owner: "me", "to-owner": "west", "to-resource": "service/shop/web" };
const signedRecord = (changed: Partial<SignedRecord> = {}): SignedRecord => ({
  apex: ORIGIN,
  name: nameOf("www"),
  type: "A",
  setIdentifier: null,
  ...changed,
});

// Made with Python's hmac from the JSON list that the file's head describes.
describe("known answers", () => {
  test.each<[string, Record<string, string>, SignedRecord, boolean, string]>([
    ["a marker", LABELS, signedRecord(), false, "wt8CIX03PzNdjSbufkJRVl_Kwq2FYJe5xfILfyyTzOs"],
    ["… in its short form", LABELS, signedRecord(), true, "wt8CIX03PzNdjSbufkJRVg"],
    [
      "a marker without type, of a set identifier",
      LABELS,
      signedRecord({ type: null, setIdentifier: "eu" }),
      false,
      "2O4AHM2xvgcZ1hLfyLGeSsWy4MBc_h7jW35KCPlr6Jg",
    ],
    [
      "a permit",
      PERMIT,
      signedRecord({ kind: "permit" }),
      false,
      "4KwbFaFZB6_vO7ulSgiFOvtUWvktklWkkHAuolJpRas",
    ],
  ])("%s", (_, labels, at, isShort, sig) => {
    expect(signLabels({ ...labels, sig: "old" }, at, { signing, isShort })).toEqual({
      ...labels,
      sig: `k1.${sig}`,
    });
    expect(checkSignature({ ...labels, sig: `k1.${sig}` }, at, signing)).toBe("good");
  });
});

describe("verdicts", () => {
  const sig = signLabels(LABELS, signedRecord(), { signing, isShort: false })["sig"] ?? "";
  test.each<[string, Record<string, string>, SignedRecord, string]>([
    ["no signature", LABELS, signedRecord(), "unsigned"],
    ["another label", { ...LABELS, owner: "you", sig }, signedRecord(), "forged"],
    ["one label more", { ...LABELS, team: "blue", sig }, signedRecord(), "forged"],
    ["another name", { ...LABELS, sig }, signedRecord({ name: nameOf("api") }), "forged"],
    ["another type", { ...LABELS, sig }, signedRecord({ type: "AAAA" }), "forged"],
    ["no type", { ...LABELS, sig }, signedRecord({ type: null }), "forged"],
    ["another set identifier", { ...LABELS, sig }, signedRecord({ setIdentifier: "eu" }), "forged"],
    ["another zone", { ...LABELS, sig }, signedRecord({ apex: nameOf("sub") }), "forged"],
    ["a permit's place", { ...LABELS, sig }, signedRecord({ kind: "permit" }), "forged"],
    [
      "a key that nobody has",
      { ...LABELS, sig: sig.replace("k1", "k7") },
      signedRecord(),
      "forged",
    ],
    ["no key id", { ...LABELS, sig: sig.replace("k1.", "") }, signedRecord(), "forged"],
    ["cut to another length", { ...LABELS, sig: sig.slice(0, -1) }, signedRecord(), "forged"],
    ["empty", { ...LABELS, sig: "" }, signedRecord(), "forged"],
  ])("%s", (_, labels, at, verdict) => {
    expect(checkSignature(labels, at, signing)).toBe(verdict);
  });
});
