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
const place = (parts: Partial<SignedRecord> = {}): SignedRecord => ({
  apex: ORIGIN,
  name: nameOf("www"),
  type: "A",
  setIdentifier: null,
  ...parts,
});

// Made with Python's hmac from the JSON list that the file's head describes.
describe("known answers", () => {
  test.each<[string, Record<string, string>, SignedRecord, boolean, string]>([
    ["a marker", LABELS, place(), false, "wt8CIX03PzNdjSbufkJRVl_Kwq2FYJe5xfILfyyTzOs"],
    ["… in its short form", LABELS, place(), true, "wt8CIX03PzNdjSbufkJRVg"],
    [
      "a marker without type, of a set identifier",
      LABELS,
      place({ type: null, setIdentifier: "eu" }),
      false,
      "2O4AHM2xvgcZ1hLfyLGeSsWy4MBc_h7jW35KCPlr6Jg",
    ],
    [
      "a permit",
      PERMIT,
      place({ kind: "permit" }),
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
  const sig = signLabels(LABELS, place(), { signing, isShort: false })["sig"] ?? "";
  test.each<[string, Record<string, string>, SignedRecord, string]>([
    ["no signature", LABELS, place(), "unsigned"],
    ["another label", { ...LABELS, owner: "you", sig }, place(), "forged"],
    ["one label more", { ...LABELS, team: "blue", sig }, place(), "forged"],
    ["another name", { ...LABELS, sig }, place({ name: nameOf("api") }), "forged"],
    ["another type", { ...LABELS, sig }, place({ type: "AAAA" }), "forged"],
    ["no type", { ...LABELS, sig }, place({ type: null }), "forged"],
    ["another set identifier", { ...LABELS, sig }, place({ setIdentifier: "eu" }), "forged"],
    ["another zone", { ...LABELS, sig }, place({ apex: nameOf("sub") }), "forged"],
    ["a permit's place", { ...LABELS, sig }, place({ kind: "permit" }), "forged"],
    ["a key that nobody has", { ...LABELS, sig: sig.replace("k1", "k7") }, place(), "forged"],
    ["no key id", { ...LABELS, sig: sig.replace("k1.", "") }, place(), "forged"],
    ["cut to another length", { ...LABELS, sig: sig.slice(0, -1) }, place(), "forged"],
    ["empty", { ...LABELS, sig: "" }, place(), "forged"],
  ])("%s", (_, labels, at, verdict) => {
    expect(checkSignature(labels, at, signing)).toBe(verdict);
  });
});
