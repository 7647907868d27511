import { fail, ok, type Result } from "@zonekeeper/base/result";
import { afterEach, expect, test } from "vitest";
import { IDLE_INSTANCE } from "../../../test/support/programs/idle-instance.ts";
import { type HttpApp, type HttpAppOptions, startHttpApp } from "./http-app.ts";

let app: HttpApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

async function start(token: HttpAppOptions["token"], isApiOnly = false) {
  const at = { host: "127.0.0.1", port: 0 };
  app = await startHttpApp({ at, token, isApiOnly, instance: IDLE_INSTANCE });
  const { port } = app.local;
  return async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return { status: response.status, text: await response.text() };
  };
}

test("the API takes its token in a header of its own, too, as it is now", async () => {
  let token: Result<string> = fail("the file is not there; make it");
  const get = await start(() => token);
  const own = (value: string) => ({ "x-zonekeeper-token": value });
  const missing = await get("/api/v1/leading", own("t0ken"));
  expect(missing.status).toBe(503);
  expect(missing.text).toContain("the file is not there; make it");
  expect((await get("/readyz")).status).toBe(200);
  token = ok("t0ken");
  expect((await get("/api/v1/leading", own("t0ken"))).status).toBe(200);
  for (const wrong of ["t0kem", "t0ken2", ""])
    expect((await get("/api/v1/leading", own(wrong))).status).toBe(401);
  token = ok("an0ther");
  expect((await get("/api/v1/leading", own("t0ken"))).status).toBe(401);
  expect((await get("/api/v1/leading", own("an0ther"))).status).toBe(200);
});

test("where only the API is served there are no metrics and no health", async () => {
  const get = await start("t0ken", true);
  for (const path of ["/metrics", "/healthz", "/readyz", "/version"])
    expect((await get(path)).status).toBe(404);
  expect((await get("/api/v1/leading", { authorization: "Bearer t0ken" })).status).toBe(200);
});
