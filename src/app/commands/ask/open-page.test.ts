import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IDLE_INSTANCE } from "../../../../test/support/programs/idle-instance.ts";
import type { ClientConfig } from "../../../config/client-options.ts";
import { type HttpApp, startHttpApp } from "../../api/http-app.ts";
import { askOpen, openerOf } from "./open-page.ts";

let folder = "";
let app: HttpApp | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zk-open-"));
});
afterEach(async () => {
  await app?.close();
  rmSync(folder, { recursive: true });
});

/** An instance whose data folder is found. */
async function start(host: string, origins: readonly string[] = []): Promise<ClientConfig> {
  const page = { origins };
  app = await startHttpApp({ at: { host, port: 0 }, token: "t", instance: IDLE_INSTANCE, page });
  const http = `http://127.0.0.1:${app.local.port}`;
  writeFileSync(join(folder, "ready.json"), JSON.stringify({ pid: 1, http, token: "t" }));
  return { data: folder, server: null, apiTokenFile: null, output: "text" };
}

test("the link that is printed lets a browser in, once", async () => {
  const config = await start("127.0.0.1");
  const { text, exitCode } = await askOpen(config, false);
  const [link = "", hint] = text.split("\n");
  expect([hint, exitCode]).toEqual(["It is good once, for a minute.", 0]);
  expect(link).toContain(`http://127.0.0.1:${app?.local.port}/page/open?code=`);
  const first = await fetch(link);
  expect([first.status, first.headers.get("set-cookie")]).toEqual([
    200,
    expect.stringContaining("HttpOnly"),
  ]);
  expect((await fetch(link)).status).toBe(403);
});

test("elsewhere it has the origin by which browsers come; programs get it as JSON", async () => {
  const config = await start("0.0.0.0", ["https://dns.example.org"]);
  const { text } = await askOpen({ ...config, output: "json" }, true);
  expect(JSON.parse(text)).toMatchObject({
    schema: "zonekeeper.dev/page-link/v1",
    link: expect.stringMatching(/^https:\/\/dns\.example\.org\/page\/open\?code=[\w-]{43}$/),
  });
});

test("where there is no page, it says what to set", async () => {
  const config = await start("0.0.0.0");
  await expect(askOpen(config, false)).rejects.toThrow("--page-origin");
});

describe("a browser is opened", () => {
  test.each<[NodeJS.Platform, NodeJS.ProcessEnv, readonly string[]]>([
    ["darwin", {}, ["open"]],
    ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
    ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
    ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
    ["linux", {}, []],
  ])("on %s with %o by %o", (platform, environment, command) => {
    expect(openerOf(platform, environment)).toEqual(command);
  });
});
