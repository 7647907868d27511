/**
 * A source of each sort that the program did not know: what its objects publish while a kind that
 * they rest on is not live, may not be read, is stale or is not served, and when it is listed anew
 * (Z-1, Z-3).
 */
import { CONFIG_MAP, NODE } from "../../../src/model/kinds.ts";
import type { KindRef, KubeObject } from "../../../src/model/kubernetes.ts";
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
  const row = HOST_SOURCES[sort];
  const stage = new Stage({ sources: [row] });
  const { cluster, truth } = stage.instance;
  const namespace = row.primary.namespaced ? NAMESPACE : undefined;
  const primary = (more: object): KubeObject => ({
    apiVersion: "v1",
    kind: row.primary.kind,
    metadata: {
      name: "web",
      ...(namespace === undefined ? {} : { namespace }),
      annotations: { [HOST]: WWW[0], [NODE_NAME]: "n1", ...more },
    },
  });
  const node = (ip: string): KubeObject => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1", labels: { ip } },
  });
  const wants = (address: string, ...names: readonly string[]): void => {
    const resource = `${row.primary.kind.toLowerCase()}/${namespace ?? ""}/web`;
    truth.applied(wantedByBalancer({ resource, names, address, ttlSeconds: null }));
  };
  const all = async (id: string, www: string, api: string): Promise<void> => {
    stage.expectShown(id, WWW, [www]);
    stage.expectShown(id, API, api === "" ? [] : [api]);
  };

  wants("192.0.2.1", WWW[0], API[0]);
  cluster.apply(NODE, node("192.0.2.1"));
  cluster.apply(CONFIG_MAP, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "more", namespace: NAMESPACE },
    ...{ data: { for: "web", host: API[0] } },
  });
  cluster.apply(row.primary, primary({}));
  await stage.pass();
  await all("L1", "192.0.2.1", "192.0.2.1");

  begin(stage, kind, trouble);
  await stage.pass(TROUBLE_MS / 4);
  // Its author changes something else: it is answered again, without what it rests on.
  cluster.apply(row.primary, primary({ "example.org/note": "1" }));
  await stage.pass(TROUBLE_MS / 4);
  await all("Z-1", "192.0.2.1", "192.0.2.1");

  // Nobody sees this before the kind is listed anew.
  if (kind === NODE) {
    wants("192.0.2.2", WWW[0], API[0]);
    cluster.apply(NODE, node("192.0.2.2"));
  } else {
    wants("192.0.2.1", WWW[0]);
    cluster.delete(CONFIG_MAP, NAMESPACE, "more");
  }
  await stage.pass(TROUBLE_MS / 4);
  await all("Z-1", "192.0.2.1", "192.0.2.1");
  await stage.pass(TROUBLE_MS + 120_000);
  if (kind === NODE) await all("L1", "192.0.2.2", "192.0.2.2");
  else await all("L1", "192.0.2.1", "");
}

function begin({ instance, world }: Stage, kind: KindRef, trouble: Trouble): void {
  world.note(`${kind.plural} are ${trouble}`);
  if (trouble === "absent") instance.loseKind(kind, TROUBLE_MS);
  else if (trouble === "syncing") {
    instance.kill();
    instance.start({ slow: { kind, forMs: TROUBLE_MS } });
  } else instance.interrupt(kind, trouble, TROUBLE_MS);
}
