import { describe, expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { resolveOptions } from "./resolve-options.ts";
import { readTxt, TXT_DEFAULTS, type TxtConfig } from "./txt-options.ts";

function read(flags: Readonly<Record<string, string>>) {
  const options = resolveOptions({
    command: "run",
    flags: { owner: "me", ...flags },
    environment: {},
    file: null,
    plugIns: PLUG_INS,
  });
  if (!options.ok) throw new Error(JSON.stringify(options.error));
  return readTxt(options.value);
}

describe("readTxt", () => {
  test("without options it is external-dns's default", () => {
    expect(read({})).toEqual({ ok: true, value: TXT_DEFAULTS });
  });

  test.each<[string, Record<string, string>, Partial<TxtConfig>]>([
    [
      "affixes in lower case",
      { "txt-prefix": "TXT-%{record_type}.", "txt-wildcard-replacement": "Any" },
      { nameTemplate: { prefix: "txt-%{record_type}.", suffix: "", wildcard: "any" } },
    ],
    [
      "a suffix",
      { "txt-suffix": "-txt" },
      { nameTemplate: { prefix: "", suffix: "-txt", wildcard: "" } },
    ],
    ["one layout for all", { "txt-layout": "label" }, { markerLocation: "label" }],
    [
      "a layout for one zone",
      { "txt-layout": "example.org=label" },
      { markerLocationOf: { "example.org": "label" } },
    ],
    [
      "for all and for one",
      { "txt-layout": "label,Bücher.example=typed" },
      { markerLocation: "label", markerLocationOf: { "xn--bcher-kva.example": "typed" } },
    ],
    [
      "layouts of old",
      { "txt-also-read": "prefix=Txt.;wildcard=any,suffix=-old" },
      {
        readAlso: [
          { prefix: "txt.", suffix: "", wildcard: "any" },
          { prefix: "", suffix: "-old", wildcard: "" },
        ],
      },
    ],
    [
      "encryption",
      { "txt-encrypt-enabled": "true", "txt-encrypt-aes-key-file": "/k" },
      { encrypt: true, aesKeyFile: "/k" },
    ],
    ["a key that only reads", { "txt-encrypt-aes-key": "k" }, { encrypt: false, aesKey: "k" }],
    [
      "signatures",
      { "marker-signing": "require", "marker-signing-keys-file": "/s" },
      { signing: "require", signingKeysFile: "/s" },
    ],
  ])("%s", (_, flags, config) => {
    expect(read(flags)).toEqual({ ok: true, value: { ...TXT_DEFAULTS, ...config } });
  });

  test.each<[Record<string, string>, string]>([
    [{ "txt-prefix": "a", "txt-suffix": "b" }, "exclude one another"],
    [{ "txt-prefix": "a b" }, "cannot stand in a DNS name"],
    [{ "txt-prefix": "%{type}" }, "cannot stand in a DNS name"],
    [{ "txt-wildcard-replacement": "a.b" }, "cannot stand in a DNS name"],
    [{ "txt-prefix": "%{record_type}" }, "nothing between the record type and the name"],
    [{ "txt-suffix": "%{record_type}x" }, "nothing between the record type and the name"],
    [{ "txt-also-read": "prefix=x%{record_type}" }, "nothing between the record type and the name"],
    [{ "txt-layout": "other" }, "none of typed, label"],
    [{ "txt-layout": "a..b=label" }, ""],
    [{ "txt-also-read": "txt." }, "is not understood"],
    [{ "txt-also-read": "prefix=a;suffix=b" }, "exclude one another"],
    [{ "txt-encrypt-enabled": "true" }, "needs --txt-encrypt-aes-key-file"],
    [{ "txt-encrypt-aes-key": "k", "txt-encrypt-aes-key-file": "/k" }, "two keys"],
    [{ "marker-signing": "write" }, "needs --marker-signing-keys-file"],
  ])("%o is refused: %s", (flags, message) => {
    const result = read(flags);
    expect(result.ok).toBe(false);
    expect(!result.ok && result.error[0]?.message).toContain(message);
  });
});
