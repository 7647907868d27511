import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTempFolder } from "../../../../test/support/ports/temp-folder.ts";
import { MemoryLog } from "../../../../test/support/ports/test-ports.ts";
import { makePair } from "../run/start-run-http.ts";
import { checkApi } from "./check.ts";

const folder = makeTempFolder("check-api");
const path = (name: string): string => join(folder.path, name);
afterAll(() => folder.remove());

const found = async (tokenFile: string, tls: readonly [string, string] | null = null) => {
  const files = tls && { certFile: path(tls[0]), keyFile: path(tls[1]) };
  const api = { port: 8443, tokenFile: path(tokenFile), tls: files };
  const findings = await checkApi(api, new MemoryLog());
  return findings.map(({ state, message }) => `${state}: ${message}`);
};

test("a token that is missing, empty or short is to mend, with the command", async () => {
  writeFileSync(path("empty"), "\n");
  writeFileSync(path("short"), "secret");
  for (const [file, why] of [
    ["missing", "does not exist"],
    ["empty", "is empty"],
    ["short", "has 6 characters"],
  ] as const) {
    const [one = ""] = await found(file);
    expect(one).toMatch(/^problem: .*kubectl create secret generic/);
    expect(one).toContain(why);
    expect(one).not.toContain("secret\n");
  }
});

test("a certificate without its key is to mend; both well, and no certificate, are well", async () => {
  writeFileSync(path("token"), "0123456789abcdef");
  const [pair, other] = [await makePair(Date.now()), await makePair(Date.now())];
  writeFileSync(path("cert"), pair.cert);
  writeFileSync(path("key"), pair.key);
  writeFileSync(path("other"), other.key);
  const well = [`ok: its token is in ${path("token")}`];
  expect(await found("token")).toEqual(well);
  expect(await found("token", ["cert", "key"])).toEqual(well);
  expect(await found("token", ["cert", "other"])).toEqual([
    ...well,
    expect.stringContaining("the key is not the certificate's"),
  ]);
  expect(await checkApi(null, new MemoryLog())).toEqual([]);
});
