/** Lists and watches of a few labelled Secrets: selectors, pages, resource versions, events. */
import type { JsonRecord, Step, Topic } from "../step.ts";
import { PATCH } from "../step.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";
const LABEL = "labelSelector=row";

const row = (name: string, labels: JsonRecord): Step => ({
  name: `row-${name}`,
  method: "POST",
  path: SECRETS,
  body: {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `row-${name}`, labels: { row: name, ...labels } },
  },
});
const get = (name: string, query: string): Step => ({
  name,
  method: "GET",
  path: `${SECRETS}?${query}`,
});
const watch = (name: string, query: string, lines: number): Step => ({
  name,
  method: "GET",
  path: `${SECRETS}?watch=1&timeoutSeconds=2&${query}`,
  lines,
});
const CREATED = "{{row-a.metadata.resourceVersion}}";

const rows: readonly Step[] = [
  row("a", { tier: "one" }),
  row("b", { tier: "two" }),
  row("c", { tier: "one" }),
  row("d", {}),
];

/** Reading many. */
export const LISTS: Topic = {
  title: "lists",
  steps: [
    ...rows,
    get("list-label-exists", LABEL),
    get("list-label-equal", "labelSelector=tier=one"),
    get("list-label-double-equal", "labelSelector=tier==one"),
    get("list-label-not-equal", "labelSelector=row,tier!=one"),
    get("list-label-in", "labelSelector=tier%20in%20(one,two)"),
    get("list-label-notin", "labelSelector=row,tier%20notin%20(one)"),
    get("list-label-absent", "labelSelector=row,!tier"),
    get("list-label-in-close", "labelSelector=row,tier%20in(one,)"),
    get("list-label-greater", "labelSelector=row,tier%3E1"),
    get("list-label-comma", "labelSelector=row,"),
    get("list-label-brackets", "labelSelector=row(tier)"),
    get("list-field-name", "fieldSelector=metadata.name=row-a"),
    get("list-field-comma", "fieldSelector=metadata.name=row-a,"),
    get("list-field-unescaped", "fieldSelector=metadata.name=row-a%3D"),
    get("list-field-not-name", `${LABEL}&fieldSelector=metadata.name!=row-a`),
    get(
      "list-field-namespace",
      `${LABEL}&fieldSelector=metadata.namespace=default,metadata.name=row-b`,
    ),
    get("list-field-type", `${LABEL}&fieldSelector=type=Opaque`),
    get("list-none", "labelSelector=row=nothing"),
    { name: "list-all-namespaces", method: "GET", path: `/api/v1/secrets?${LABEL}` },
    { name: "list-namespace-absent", method: "GET", path: "/api/v1/namespaces/absent/secrets" },
    get("page-1", `${LABEL}&limit=3`),
    get("page-2", `${LABEL}&limit=3&continue={{page-1.metadata.continue}}`),
    { name: "page-plain-1", method: "GET", path: `${ENTRIES}?limit=1` },
    get(
      "page-other-version",
      `${LABEL}&limit=3&continue={{page-1.metadata.continue}}&resourceVersion=${CREATED}`,
    ),
    get("list-version-zero", `${LABEL}&resourceVersion=0`),
    get("list-version-not-older", `${LABEL}&resourceVersion=${CREATED}`),
    get(
      "list-version-not-older-match",
      `${LABEL}&resourceVersion=${CREATED}&resourceVersionMatch=NotOlderThan`,
    ),
    get(
      "list-version-exact",
      `${LABEL}&resourceVersion=${CREATED}&resourceVersionMatch=Exact&limit=5`,
    ),
    get(
      "list-version-exact-no-limit",
      `${LABEL}&resourceVersion=${CREATED}&resourceVersionMatch=Exact`,
    ),
    get(
      "list-limit-and-version",
      `${LABEL}&limit=2&resourceVersion={{row-d.metadata.resourceVersion}}`,
    ),
  ],
};

/** Being told. */
export const WATCHES: Topic = {
  title: "watches",
  steps: [
    {
      name: "row-a-change",
      method: "PATCH",
      path: `${SECRETS}/row-a`,
      headers: PATCH.merge,
      body: { metadata: { labels: { tier: "two" } } },
    },
    { name: "row-c-delete", method: "DELETE", path: `${SECRETS}/row-c` },
    watch("watch-history", `${LABEL}&resourceVersion=${CREATED}`, 5),
    watch("watch-leaves-selector", `labelSelector=tier=one&resourceVersion=${CREATED}`, 3),
    watch("watch-enters-selector", `labelSelector=tier=two&resourceVersion=${CREATED}`, 2),
    { ...watch("watch-from-now", LABEL, 3), unordered: true },
    { ...watch("watch-from-zero", `${LABEL}&resourceVersion=0`, 3), unordered: true },
    watch("watch-one-name", `fieldSelector=metadata.name=row-a&resourceVersion=${CREATED}`, 1),
    watch("watch-nothing", `labelSelector=row=nothing&resourceVersion=${CREATED}`, 1),
    watch("watch-bookmarks", `${LABEL}&allowWatchBookmarks=true&resourceVersion=${CREATED}`, 5),
    watch("watch-too-old", `${LABEL}&resourceVersion=1`, 1),
    {
      name: "watch-path-old",
      method: "GET",
      path: `/api/v1/watch/namespaces/default/secrets?${LABEL}&timeoutSeconds=1`,
      lines: 3,
    },
    {
      name: "watch-table",
      method: "GET",
      path: `${SECRETS}?watch=1&${LABEL}&timeoutSeconds=2`,
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      lines: 3,
      unordered: true,
    },
    {
      name: "watch-metadata",
      method: "GET",
      path: `${SECRETS}?watch=1&${LABEL}&timeoutSeconds=2`,
      headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
      lines: 3,
      unordered: true,
    },
    {
      name: "rows-delete",
      method: "DELETE",
      path: `${SECRETS}?${LABEL}`,
    },
    get("rows-gone", LABEL),
  ],
};
