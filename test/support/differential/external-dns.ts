/**
 * What the external-dns that EXTERNAL_DNS_BIN names makes of the same worlds: one process for many
 * of them, on an API that lists what it was given, with a webhook provider that keeps the records.
 * The API is no API server: what writes to it, other than statuses of DNSEndpoints, has none here.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { apiVersionOf, type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { ZONE } from "./chance.ts";
import { KINDS, type Located } from "./objects.ts";
import { SOURCES } from "./our-answers.ts";
import type { Endpoint } from "./worlds.ts";

const MEDIA_TYPE = "application/external.dns.webhook+json;version=1";
const run = promisify(execFile);

/** The zone after one run of it. */
export async function leftByExternalDns(
  bin: string,
  zone: readonly Endpoint[],
  objects: readonly Located[],
): Promise<readonly Endpoint[]> {
  const records = new Map(zone.map((one) => [keyOf(one), one]));
  const api = await listening(apiOf(objects));
  const webhook = await listening((request, response) => answer(records, request, response));
  const folder = makeTempFolder("external-dns");
  const kubeconfig = join(folder.path, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(api.url)));
  try {
    await run(
      bin,
      [
        ...["--once", "--provider=webhook", `--webhook-provider-url=${webhook.url}`],
        ...SOURCES.map((one) => `--source=${one}`),
        ...["--registry=txt", "--txt-owner-id=me", "--policy=sync", "--log-level=error"],
        ...["--webhook-provider-read-timeout=60s", "--webhook-provider-write-timeout=60s"],
        ...[`--kubeconfig=${kubeconfig}`, "--metrics-address=127.0.0.1:0"],
      ],
      { maxBuffer: 64 << 20, timeout: 120_000 },
    );
  } finally {
    await Promise.all([api.close(), webhook.close()]);
  }
  return [...records.values()];
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listening(handler: Handler) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function kubeconfigOf(server: string): object {
  return {
    ...{ apiVersion: "v1", kind: "Config", "current-context": "x" },
    clusters: [{ name: "x", cluster: { server } }],
    contexts: [{ name: "x", context: { cluster: "x", user: "x" } }],
    users: [{ name: "x", user: {} }],
  };
}

/** Lists and watches that never hear anything, and as much of discovery as clients ask for. */
function apiOf(objects: readonly Located[]): Handler {
  const lists = new Map<string, readonly object[]>();
  for (const kind of KINDS)
    lists.set(
      pathOf(kind),
      objects
        .filter((one) => kindText(one.kind) === kindText(kind))
        .map(({ object }, at) => {
          const { namespace = "", name } = object.metadata;
          const uid = `${kind.plural}-${namespace}-${name}`;
          const metadata = { ...object.metadata, uid, resourceVersion: String(at + 1) };
          return { ...object, metadata };
        }),
    );
  const documents = discoveryOf();
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const list = lists.get(pathname);
    const kind = KINDS.find((one) => pathOf(one) === pathname);
    response.setHeader("content-type", "application/json");
    if (list === undefined || kind === undefined) {
      const document = documents.get(pathname);
      response.statusCode = document === undefined ? 404 : 200;
      response.end(JSON.stringify(document ?? { kind: "Status", apiVersion: "v1", code: 404 }));
      return;
    }
    const metadata = { resourceVersion: "1000000" };
    const apiVersion = apiVersionOf(kind);
    if (searchParams.get("watch") === null) {
      const whole = { kind: `${kind.kind}List`, apiVersion, metadata, items: list };
      response.end(JSON.stringify(whole));
      return;
    }
    response.flushHeaders();
    if (searchParams.get("sendInitialEvents") !== "true") return;
    for (const object of list) response.write(JSON.stringify({ type: "ADDED", object }));
    const annotations = { "k8s.io/initial-events-end": "true" };
    const object = { kind: kind.kind, apiVersion, metadata: { ...metadata, annotations } };
    response.write(JSON.stringify({ type: "BOOKMARK", object }));
  };
}

function discoveryOf(): ReadonlyMap<string, object> {
  const documents = new Map<string, object>();
  const versionsOf = (group: string) => {
    const versions = new Set(KINDS.filter((one) => one.group === group).map((one) => one.version));
    return [...versions].map((version) => ({ groupVersion: `${group}/${version}`, version }));
  };
  const groups = [...new Set(KINDS.map(({ group }) => group))].filter((group) => group !== "");
  documents.set("/api", { kind: "APIVersions", versions: ["v1"] });
  documents.set("/apis", {
    ...{ kind: "APIGroupList", apiVersion: "v1" },
    groups: groups.map((name) => {
      const versions = versionsOf(name);
      return { name, versions, preferredVersion: versions[0] };
    }),
  });
  for (const kind of KINDS) {
    const base = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
    const resources = KINDS.filter((one) => apiVersionOf(one) === apiVersionOf(kind)).map(
      (one) => ({
        ...{ name: one.plural, singularName: one.kind.toLowerCase(), kind: one.kind },
        ...{ namespaced: one.namespaced, verbs: ["get", "list", "watch"] },
      }),
    );
    const groupVersion = apiVersionOf(kind);
    documents.set(base, { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources });
  }
  return documents;
}

function pathOf({ group, version, plural }: KindRef): string {
  return group === "" ? `/api/${version}/${plural}` : `/apis/${group}/${version}/${plural}`;
}

/** The four calls of a webhook provider. */
function answer(
  records: Map<string, Endpoint>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const chunks: Uint8Array[] = [];
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString("utf8");
    response.setHeader("content-type", MEDIA_TYPE);
    if (request.url === "/adjustendpoints") response.end(body);
    else if (request.url !== "/records") response.end(JSON.stringify({ include: [ZONE] }));
    else if (request.method === "GET") response.end(JSON.stringify([...records.values()]));
    else {
      carryOut(records, JSON.parse(body) as Changes);
      response.writeHead(204).end();
    }
  });
}

interface Changes {
  readonly create?: readonly Endpoint[] | null;
  readonly updateOld?: readonly Endpoint[] | null;
  readonly updateNew?: readonly Endpoint[] | null;
  readonly delete?: readonly Endpoint[] | null;
}

function carryOut(records: Map<string, Endpoint>, changes: Changes): void {
  for (const one of [...(changes.delete ?? []), ...(changes.updateOld ?? [])])
    records.delete(keyOf(one));
  for (const one of [...(changes.create ?? []), ...(changes.updateNew ?? [])])
    records.set(keyOf(one), one);
}

function keyOf({ dnsName, recordType, setIdentifier = "" }: Endpoint): string {
  return `${dnsName} ${recordType} ${setIdentifier}`;
}
