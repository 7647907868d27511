import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { TXT_DEFAULTS, type TxtConfig } from "../../config/txt-options.ts";
import { RealCrypto, RealRandom } from "../ports/real-crypto.ts";
import { RealGzip } from "../ports/real-gzip.ts";
import { readMarkerKeys } from "./zone-openers.ts";

const folder = mkdtempSync(join(tmpdir(), "marker-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));

const crypto = new RealCrypto();
const read = (config: Partial<TxtConfig>) =>
  readMarkerKeys(
    { ...TXT_DEFAULTS, ...config },
    { crypto, cipher: crypto, gzip: new RealGzip(), random: new RealRandom() },
  );
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const SECRET = Buffer.alloc(32, 7).toString("base64");

describe("readMarkerKeys", () => {
  test("nothing is configured: no keys", () => {
    expect(read({})).toEqual({ encryption: null, signing: null });
  });

  test.each([
    ["32 characters", "12345678901234567890123456789012"],
    ["… with the editor's newline", "12345678901234567890123456789012\n"],
    ["base64 of 32 bytes", SECRET],
  ])("an encryption key: %s", (_, text) => {
    const { encryption } = read({ aesKeyFile: file("aes", text), encrypt: true });
    expect([encryption?.key.length, encryption?.write]).toEqual([32, true]);
    expect(read({ aesKey: text.trim() }).encryption?.write).toBe(false);
  });

  test("signing keys, in their order", () => {
    const signingKeysFile = file("sig", `# new\nk2 ${SECRET}\n\nk1 ${SECRET}\r\n`);
    const { signing } = read({ signing: "require", signingKeysFile });
    expect([signing?.mode, signing?.keys.map(({ id }) => id)]).toEqual(["require", ["k2", "k1"]]);
    expect(read({ signing: "off", signingKeysFile }).signing).toBeNull();
  });

  test.each<[string, () => Partial<TxtConfig>, string]>([
    ["a short key", () => ({ aesKey: "topsecret" }), "is no key"],
    ["no file", () => ({ aesKeyFile: join(folder, "none") }), "cannot be read"],
    ["an empty file", () => signingFile(""), "there are 0"],
    ["one id twice", () => signingFile(`k ${SECRET}\nk ${SECRET}`), "each id once"],
    ["a short secret", () => signingFile("k topsecret"), "is no key"],
    ["an id with a dot", () => signingFile(`k.1 ${SECRET}`), "is no key"],
  ])("%s is refused, without showing it", (_, config, message) => {
    expect(() => read(config())).toThrow(message);
    expect(() => read(config())).not.toThrow(/topsecret/);
    expect(() => read(config())).not.toThrow(new RegExp(SECRET.slice(0, 20)));
  });
});

function signingFile(text: string): Partial<TxtConfig> {
  return { signing: "write", signingKeysFile: file("bad", text) };
}
