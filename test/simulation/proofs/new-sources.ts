/**
 * A source of each sort that the program did not know: what its objects publish while a kind that
 * they rest on is not live, may not be read, is stale or is not served, and when it is listed anew
 * (Z-1, Z-3).
 */
import { CONFIG_MAP, NODE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { HOST, HOST_SOURCES, NODE_NAME } from "../../support/sources/host-sources.ts";
import { Stage } from "../incidents/stage.ts";
import { wantedByBalancer } from "../world/desired-names.ts";

/** What is wrong with the secondary kind. */
export const TROUBLES = ["syncing", "forbidden", "stale", "absent"] as const;
/** One of them. */
export type Trouble = (typeof TROUBLES)[number];
/** By the sort of the source. */
export type Sort = keyof typeof HOST_SOURCES;

/** One story. */
export interface SourceStory {
  readonly sort: Sort;
  readonly kind: KindRef;
  readonly trouble: Trouble;
}

const NAMESPACE = "default";
const TROUBLE_MS = 60_000;
const WWW = ["www.example.org", "A"] as const;
const API = ["api.example.org", "A"] as const;

/** Throws Violation if the zone has other records than it should. */
export async function playSource(story: SourceStory): Promise<void> {
  const { sort, kind, trouble } = story;
  const { stage, cluster, wants, put, putNode, shown } = await published(sort);

  begin(stage, kind, trouble);
  await stage.pass(TROUBLE_MS / 4);
  // Its author changes something else: it is answered again, without what it rests on.
  put({ "example.org/note": "1" });
  await stage.pass(TROUBLE_MS / 4);
  shown("Z-1", "192.0.2.1", "192.0.2.1");

  // Nobody sees this before the kind is listed anew.
  if (kind === NODE) {
    wants({ address: "192.0.2.2", names: [WWW[0], API[0]] });
    putNode("192.0.2.2");
  } else {
    wants({ address: "192.0.2.1", names: [WWW[0]] });
    cluster.delete(CONFIG_MAP, NAMESPACE, "more");
  }
  await stage.pass(TROUBLE_MS / 4);
  shown("Z-1", "192.0.2.1", "192.0.2.1");
  await stage.pass(TROUBLE_MS + 120_000);
  if (kind === NODE) shown("L1", "192.0.2.2", "192.0.2.2");
  else shown("L1", "192.0.2.1", "");
}

/**
 * Z-2: the host that a ConfigMap gives is gone from the cache alone, because the watch lags. The
 * removal is confirmed with what the API server has.
 */
export async function playLateSecondary(sort: Sort): Promise<void> {
  const { stage, cluster, putConfig, shown } = await published(sort);
  stage.instance.lag(CONFIG_MAP, TROUBLE_MS, TROUBLE_MS);
  cluster.delete(CONFIG_MAP, NAMESPACE, "more");
  putConfig("web");
  for (let step = 0; step < 8; step++) {
    await stage.pass(TROUBLE_MS / 4);
    shown("Z-2", "192.0.2.1", "192.0.2.1");
  }
}

/**
 * Z-3: an object ends while no process runs, and a ConfigMap gives its host to another one. The
 * removal waits until ConfigMaps are listed, too.
 */
export async function playUnlistedSecondary(sort: Sort): Promise<void> {
  const { stage, cluster, wants, put, putConfig, shown, remove } = await published(sort);
  put({}, "next");
  wants({ name: "next", address: "192.0.2.1", names: [WWW[0]] });
  await stage.pass();
  stage.instance.kill();
  remove();
  putConfig("next");
  wants({ name: "next", address: "192.0.2.1", names: [WWW[0], API[0]] });
  stage.instance.start({ slow: { kind: CONFIG_MAP, forMs: TROUBLE_MS } });
  for (let step = 0; step < 8; step++) {
    await stage.pass(TROUBLE_MS / 4);
    shown("Z-3", "192.0.2.1", "192.0.2.1");
  }
  cluster.delete(CONFIG_MAP, NAMESPACE, "more");
  wants({ name: "next", address: "192.0.2.1", names: [WWW[0]] });
  await stage.pass(TROUBLE_MS);
  shown("L1", "192.0.2.1", "");
}

interface Wanted {
  /** Absent = `web`. */
  readonly name?: string;
  readonly address: string;
  readonly names: readonly string[];
}

/** `web` with its own host and that of a ConfigMap, both in the zone. */
async function published(sort: Sort) {
  const row = HOST_SOURCES[sort];
  const stage = new Stage({ sources: [row] });
  const { cluster, truth } = stage.instance;
  const namespace = row.primary.namespaced ? NAMESPACE : undefined;
  const resourceOf = (name: string): string =>
    `${row.primary.kind.toLowerCase()}/${namespace ?? ""}/${name}`;
  const put = (more: object, name = "web"): void => {
    const annotations = { [HOST]: WWW[0], [NODE_NAME]: "n1", ...more };
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }), annotations };
    cluster.apply(row.primary, { apiVersion: "v1", kind: row.primary.kind, metadata });
  };
  const putNode = (ip: string): void => {
    const metadata = { name: "n1", labels: { ip } };
    cluster.apply(NODE, { apiVersion: "v1", kind: "Node", metadata });
  };
  const putConfig = (of: string): void => {
    const metadata = { name: "more", namespace: NAMESPACE };
    const data = { for: of, host: API[0] };
    cluster.apply(CONFIG_MAP, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
  };
  const wants = ({ name = "web", address, names }: Wanted): void => {
    const resource = resourceOf(name);
    truth.applied(wantedByBalancer({ resource, names, address, ttlSeconds: null }));
  };
  const remove = (): void => {
    truth.deleted(resourceOf("web"));
    cluster.delete(row.primary, namespace ?? "", "web");
  };
  const shown = (id: string, www: string, api: string): void => {
    stage.expectShown(id, WWW, [www]);
    stage.expectShown(id, API, api === "" ? [] : [api]);
  };
  wants({ address: "192.0.2.1", names: [WWW[0], API[0]] });
  putNode("192.0.2.1");
  putConfig("web");
  put({});
  await stage.pass();
  shown("L1", "192.0.2.1", "192.0.2.1");
  return { stage, cluster, wants, put, putNode, putConfig, shown, remove };
}

function begin({ instance, world }: Stage, kind: KindRef, trouble: Trouble): void {
  world.note(`${kind.plural} are ${trouble}`);
  if (trouble === "absent") instance.loseKind(kind, TROUBLE_MS);
  else if (trouble === "syncing") {
    instance.kill();
    instance.start({ slow: { kind, forMs: TROUBLE_MS } });
  } else instance.interrupt(kind, trouble, TROUBLE_MS);
}
