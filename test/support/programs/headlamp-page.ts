/**
 * Headlamp as its plugin meets it, in Debian's chromium: the registry and the components that the
 * plugin takes from `pluginLib` (React by preact/compat, which the stub brings), and the way to a
 * cluster, whose answers of an instance are real. Failures are made as Headlamp makes them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page, Route } from "playwright-core";
import { makeTempFolder } from "../ports/temp-folder.ts";
import type { PageSession } from "./page-session.ts";
import { runOk } from "./run.ts";

const ORIGIN = "http://headlamp.test";
const STUB = `
import * as React from "preact/compat";
const { createElement: h, render } = React;
const sections = [], sources = [];
globalThis.pluginLib = {
  React,
  ApiProxy: {
    async request(path, { isJSON, timeout, cluster, ...init }) {
      const response = await fetch("/clusters/" + (cluster ?? "main") + path, init);
      if (response.ok) return response;
      const text = await response.text();
      let words = text;
      try { words = JSON.parse(text).message ?? text; } catch {}
      throw Object.assign(new Error(response.statusText + " - " + words), { status: response.status });
    },
  },
  CommonComponents: {
    SectionBox: ({ title, children }) => h("section", null, h("h1", null, title), children),
  },
  MuiMaterial: { styles: { useTheme: () => ({ palette: { mode: document.body.className } }) } },
  K8s: { ResourceClasses: { Service: { useList: () => [globalThis.services, null] } } },
  registerDetailsViewSection: (section) => sections.push(section),
  registerMapSource: (source) => sources.push(source),
};
globalThis.services = [];
const root = document.getElementById("root");
globalThis.showObject = (resource) => {
  render(null, root);
  render(sections.map((section) => h(section, { resource })), root);
};
const NamesMap = () => { globalThis.graph = sources[0].useData(); return null; };
globalThis.showMap = () => render(h(NamesMap), root);
`;
const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Headlamp</title></head>
<body class="MODE" style="margin:16px;font:15px sans-serif;color-scheme:MODE"><div id="root"></div>
<script src="/stub.js"></script><script src="/main.js"></script></body></html>`;

/** The Pod that is asked for, with the mount of its token. */
const POD = {
  metadata: { name: "zonekeeper-0", namespace: "dns" },
  spec: {
    containers: [
      {
        ports: [{ name: "api", containerPort: 8443 }],
        volumeMounts: [{ name: "api", mountPath: "/var/run/zonekeeper/api/" }],
      },
    ],
    volumes: [{ name: "api", secret: { secretName: "zk-api" } }],
  },
  status: { phase: "Running" },
};

/** An answer in place of the cluster's; null = the cluster's. */
export type Instead = (path: string) => { readonly status: number; readonly json: object } | null;

/** A window of Headlamp, and what was asked. */
export interface HeadlampPage {
  readonly page: Page;
  /** `METHOD /path` below the cluster. */
  readonly asked: readonly string[];
  /** To be replaced by a test. */
  instead: Instead;
  /** Opens the details of an object. */
  show(kind: string, name: string, spec?: object): Promise<void>;
}

/** Builds the plugin, and loads it. */
export async function openHeadlamp(
  world: PageSession,
  view: Parameters<PageSession["window"]>[0] = {},
): Promise<HeadlampPage> {
  const folder = makeTempFolder("headlamp");
  await runOk(process.execPath, ["script/headlamp.mjs", folder.path]);
  const main = readFileSync(join(folder.path, "main.js"), "utf8");
  folder.remove();
  const stub = await build({
    stdin: { contents: STUB, resolveDir: process.cwd() },
    ...{ bundle: true, write: false, format: "iife", logLevel: "error" },
  });
  const page = await world.window(view);
  const asked: string[] = [];
  const opened: HeadlampPage = {
    page,
    asked,
    instead: () => null,
    show: async (kind, name, spec = {}) => {
      const metadata = { name, namespace: "default", uid: `${kind} ${name}` };
      const resource = JSON.stringify({ kind, metadata, jsonData: { spec } });
      await page.evaluate(`showObject(${resource})`);
    },
  };
  const files: Readonly<Record<string, string>> = {
    "/stub.js": stub.outputFiles?.[0]?.text ?? "",
    "/main.js": main,
    "/": HTML.replaceAll("MODE", view.colorScheme === "dark" ? "dark" : "light"),
  };
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const file = files[pathname];
    if (file !== undefined) {
      const contentType = pathname === "/" ? "text/html" : "text/javascript";
      return route.fulfill({ body: file, contentType });
    }
    const path = pathname.replace(/^\/clusters\/main/, "") + search;
    asked.push(`${route.request().method()} ${path}`);
    const other = opened.instead(path);
    return other === null ? answer(world, route, path) : route.fulfill(other);
  });
  await page.goto(ORIGIN);
  return opened;
}

/** What API server and Pod answer. */
async function answer(world: PageSession, route: Route, path: string): Promise<void> {
  if (path.startsWith("/api/v1/pods?")) return route.fulfill({ json: { items: [POD] } });
  if (path === "/api/v1/namespaces/dns/secrets/zk-api") {
    const token = Buffer.from(world.instance.token()).toString("base64");
    return route.fulfill({ json: { data: { token } } });
  }
  const [, inside] = path.split("/api/v1/namespaces/dns/pods/https:zonekeeper-0:8443/proxy");
  if (inside === undefined) return route.fulfill({ status: 404, json: { message: "not found" } });
  const token = route.request().headers()["x-zonekeeper-token"] ?? "";
  const response = await fetch(`${world.instance.http}${inside}`, {
    headers: { "x-zonekeeper-token": token },
  });
  await route.fulfill({ status: response.status, body: await response.text() });
}
