/** The map of Headlamp: from objects to their names, and from these to their zones. */
import { ApiError, ask } from "../api.ts";
import type { NameRow, NamesDocument } from "../contract.ts";
import type { Graph, GraphNode, KubeObject } from "./plugin-lib.ts";
import { senderTo } from "./send.ts";

const { React, K8s } = pluginLib;
/** Whose nodes Headlamp draws itself; an older one may not know all. */
const KINDS = ["Service", "Ingress", "HTTPRoute"].filter((kind) => kind in K8s.ResourceClasses);
const PERIOD_MS = 30_000;
/** Names on the map at most, and in one answer. */
const NAMES_MAX = 1_000;
const PAGE = 200;

const STATUS: Readonly<Record<NameRow["state"], GraphNode["status"]>> = {
  published: "success",
  held: "error",
  failing: "error",
  pending: "warning",
  waiting: "warning",
  foreign: "warning",
  marker: "warning",
};

/** Null = not known yet. A hook of React. */
export function useNamesMap(): Graph | null {
  const [rows, setRows] = React.useState<readonly NameRow[] | null>(null);
  const [graph, setGraph] = React.useState<Graph | null>(null);
  const objects = KINDS.map((kind) => K8s.ResourceClasses[kind]?.useList()[0] ?? null);
  React.useEffect(() => {
    let isOver = false;
    let isKnown = false;
    const read = async (): Promise<void> => {
      try {
        const names = await namesOf();
        isKnown = true;
        if (!isOver) setRows(names);
      } catch (error) {
        // What was known stays. A map without an end of its loading would say nothing.
        if (!isOver && !isKnown) setGraph(unread(error));
      }
    };
    void read();
    const timer = setInterval(() => void read(), PERIOD_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  React.useEffect(() => {
    if (rows === null) return undefined;
    setGraph(
      graphOf(
        rows,
        objects.flatMap((list) => list ?? []),
      ),
    );
    return undefined;
  }, [rows, ...objects]);
  return graph;
}

function unread(error: unknown): Graph {
  const subtitle = error instanceof ApiError ? `${error.code}: ${error.message}` : String(error);
  const label = "The names of zones cannot be read";
  return { nodes: [{ id: "zonekeeper unread", label, subtitle, status: "error" }], edges: [] };
}

async function namesOf(): Promise<readonly NameRow[]> {
  const names: NameRow[] = [];
  let after: string | null = "";
  while (after !== null && names.length < NAMES_MAX) {
    const query: string = after === "" ? "" : `&after=${encodeURIComponent(after)}`;
    const page: NamesDocument = await ask(`names?limit=${PAGE}${query}`, {}, senderTo(undefined));
    names.push(...page.rows);
    after = page.next;
  }
  return names;
}

/** Each node once; edges sorted as the names are. */
function graphOf(rows: readonly NameRow[], objects: readonly KubeObject[]): Graph {
  const known = new Map(
    objects.map((one) => [
      `${one.kind}/${one.metadata.namespace ?? ""}/${one.metadata.name}`.toLowerCase(),
      one,
    ]),
  );
  const nodes = new Map<string, GraphNode>();
  const add = (node: GraphNode): string => {
    nodes.set(node.id, node);
    return node.id;
  };
  const edges = rows.flatMap(({ zone, name, state, code, object }) => {
    const subtitle = code === "" ? state : `${state}: ${code}`;
    const label = { label: name, subtitle, status: STATUS[state] ?? "warning" };
    const nameNode = add({ id: `zonekeeper ${zone} ${name}`, ...label });
    const zoneNode = add({ id: `zonekeeper ${zone}`, label: zone, subtitle: "zone" });
    const [kind = "", ...rest] = object.split("/");
    const it = known.get(object.toLowerCase());
    const id = it?.metadata.uid ?? `zonekeeper ${object}`;
    const plain = { label: rest.join("/"), subtitle: kind };
    const from =
      object === "" ? null : add({ id, ...(it === undefined ? plain : { kubeObject: it }) });
    const ends = [[nameNode, zoneNode], ...(from === null ? [] : [[from, nameNode]])] as const;
    return ends.map(([source = "", target = ""]) => ({
      id: `${source} > ${target}`,
      source,
      target,
    }));
  });
  return { nodes: [...nodes.values()], edges };
}
