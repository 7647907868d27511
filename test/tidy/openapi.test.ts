/** The OpenAPI document and the routes of the program are about the same. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpApp, startHttpApp } from "../../src/app/api/http-app.ts";
import { filesBelow } from "../../tools/measure/source-files.ts";
import { API_ROUTES } from "../../tools/openapi/api-routes.ts";
import { IDLE_INSTANCE } from "../support/programs/idle-instance.ts";

let app: HttpApp;
beforeAll(async () => {
  const at = { host: "127.0.0.1", port: 0 };
  app = await startHttpApp({ at, token: "t0ken", instance: IDLE_INSTANCE });
});
afterAll(() => app.close());

const statusOf = async (path: string, method: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${app.local.port}${path}`, { method })).status;

test.each(API_ROUTES.map(({ method, path }) => [method.toUpperCase(), path]))(
  "%s %s is a route, behind the token",
  async (method, path) => {
    const isBeginning = path.endsWith("/session/begin");
    const status = await statusOf(path.replaceAll(/[{}]/g, ""), method);
    expect(status).toBe(/* no page of ours */ isBeginning ? 403 : 401);
  },
);

test("what is no route is told from one", async () => {
  expect(await statusOf("/api/v1/nothing", "GET")).toBe(404);
  expect(await statusOf("/api/v1/names", "POST")).toBe(404);
});

test("each route of the source is in the document", () => {
  const files = filesBelow(".", "src/app/api").filter(({ path }) => !path.endsWith(".test.ts"));
  const written = files.flatMap(({ text }) => [...text.matchAll(/"(\/api\/v1\/[^"?]+)"/g)]);
  const paths = new Set(written.map(([, path = ""]) => path.replaceAll(/:(\w+)/g, "{$1}")));
  const known = new Set(API_ROUTES.map(({ path }) => path));
  expect([...paths].filter((path) => !known.has(path))).toEqual([]);
  expect(paths.size).toBeGreaterThan(20);
});

test("the document has the routes of the table, and the schema of each answer", () => {
  const { paths, components } = JSON.parse(readFileSync("docs/reference/openapi.json", "utf8"));
  const listed = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  expect(listed.sort()).toEqual(API_ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
  const lacking = API_ROUTES.flatMap(({ answers }) => answers).filter(
    (type) => components.schemas[type] === undefined,
  );
  expect(lacking).toEqual([]);
});
