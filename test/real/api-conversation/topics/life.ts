/** The life of one object of each kind: made, read, changed in every way, listed and deleted. */
import { type JsonRecord, PATCH, type Step, type Topic } from "../step.ts";
import { SAMPLES, type Sample } from "./kinds.ts";

const STATUS: JsonRecord = {
  metadata: { labels: { ignored: "yes" } },
  spec: { ignored: true },
  status: { observedGeneration: 1 },
};
const BALANCED: JsonRecord = { status: { loadBalancer: { ingress: [{ ip: "192.0.2.5" }] } } };

/** One topic for each kind. */
export const LIVES: readonly Topic[] = SAMPLES.map((sample) => ({
  title: `the life of a ${sample.fragment}`,
  steps: [...birth(sample), ...changes(sample), ...status(sample), ...death(sample)],
}));

function nameOf({ object }: Sample): string {
  return String((object["metadata"] as JsonRecord)["name"]);
}

function birth(sample: Sample): readonly Step[] {
  const { fragment, collection, object } = sample;
  const path = `${collection}/${nameOf(sample)}`;
  return [
    {
      name: `${fragment}-dry-create`,
      method: "POST",
      path: `${collection}?dryRun=All`,
      body: object,
    },
    { name: `${fragment}-create`, method: "POST", path: collection, body: object },
    { name: `${fragment}-create-again`, method: "POST", path: collection, body: object },
    { name: `${fragment}-get`, method: "GET", path },
    { name: `${fragment}-list`, method: "GET", path: `${collection}?labelSelector=life` },
    { name: `${fragment}-get-absent`, method: "GET", path: `${collection}/absent` },
    {
      name: `${fragment}-create-nameless`,
      method: "POST",
      path: collection,
      body: { ...object, metadata: {} },
    },
    {
      name: `${fragment}-create-bad-name`,
      method: "POST",
      path: collection,
      body: { ...object, metadata: { name: "Bad_Name" } },
    },
    {
      name: `${fragment}-create-wrong-kind`,
      method: "POST",
      path: collection,
      body: { ...object, kind: "Wrong" },
    },
  ];
}

function changes(sample: Sample): readonly Step[] {
  const { fragment, collection, object, change, custom = false } = sample;
  const path = `${collection}/${nameOf(sample)}`;
  const annotation = (value: string): JsonRecord => ({ metadata: { annotations: { by: value } } });
  const operations = [
    { op: "test", path: "/metadata/name", value: nameOf(sample) },
    { op: "add", path: "/metadata/labels", value: { life: "3" } },
  ];
  return [
    { name: `${fragment}-merge`, method: "PATCH", path, headers: PATCH.merge, body: change },
    { name: `${fragment}-merge-again`, method: "PATCH", path, headers: PATCH.merge, body: change },
    {
      name: `${fragment}-strategic`,
      method: "PATCH",
      path,
      headers: PATCH.strategic,
      body: annotation("strategic"),
    },
    { name: `${fragment}-json`, method: "PATCH", path, headers: PATCH.json, body: operations },
    {
      name: `${fragment}-json-test-fails`,
      method: "PATCH",
      path,
      headers: PATCH.json,
      body: [{ op: "test", path: "/metadata/name", value: "other" }],
    },
    {
      name: `${fragment}-dry-merge`,
      method: "PATCH",
      path: `${path}?dryRun=All`,
      headers: PATCH.merge,
      body: annotation("dry"),
    },
    {
      name: `${fragment}-stale-merge`,
      method: "PATCH",
      path,
      headers: PATCH.merge,
      body: { metadata: { resourceVersion: "1", annotations: { x: "y" } } },
    },
    {
      name: `${fragment}-update-without-version`,
      method: "PUT",
      path,
      body: { ...object, metadata: { name: nameOf(sample) } },
    },
    {
      name: `${fragment}-update-stale`,
      method: "PUT",
      path,
      body: {
        ...object,
        metadata: {
          name: nameOf(sample),
          resourceVersion: `{{${fragment}-create.metadata.resourceVersion}}`,
        },
      },
    },
    {
      name: `${fragment}-update-other-uid`,
      method: "PUT",
      path,
      body: {
        ...object,
        metadata: { name: nameOf(sample), uid: "11111111-2222-3333-4444-555555555555" },
      },
    },
    {
      name: `${fragment}-update-other-name`,
      method: "PUT",
      path: `${collection}/other`,
      body: object,
    },
    {
      name: `${fragment}-patch-absent`,
      method: "PATCH",
      path: `${collection}/absent`,
      headers: PATCH.merge,
      body: change,
    },
    ...(custom ? [] : [{ name: `${fragment}-get-after`, method: "GET", path } as const]),
  ];
}

function status(sample: Sample): readonly Step[] {
  const { fragment, collection, custom = false, hasStatus = false } = sample;
  const path = `${collection}/${nameOf(sample)}/status`;
  const body = custom ? STATUS : BALANCED;
  if (!hasStatus) return [{ name: `${fragment}-no-status`, method: "GET", path }];
  return [
    { name: `${fragment}-status-get`, method: "GET", path },
    { name: `${fragment}-status-merge`, method: "PATCH", path, headers: PATCH.merge, body },
    { name: `${fragment}-status-strategic`, method: "PATCH", path, headers: PATCH.strategic, body },
    { name: `${fragment}-scale`, method: "GET", path: path.replace("/status", "/scale") },
  ];
}

function death(sample: Sample): readonly Step[] {
  const { fragment, collection } = sample;
  const path = `${collection}/${nameOf(sample)}`;
  return [
    { name: `${fragment}-dry-delete`, method: "DELETE", path: `${path}?dryRun=All` },
    {
      name: `${fragment}-delete-other-uid`,
      method: "DELETE",
      path,
      body: { preconditions: { uid: "other" } },
    },
    {
      name: `${fragment}-delete-other-version`,
      method: "DELETE",
      path,
      body: { preconditions: { resourceVersion: "1" } },
    },
    {
      name: `${fragment}-delete`,
      method: "DELETE",
      path: fragment === "pod" ? `${path}?gracePeriodSeconds=0` : path,
    },
    ...(fragment === "namespace"
      ? []
      : [{ name: `${fragment}-delete-again`, method: "DELETE", path } as const]),
    {
      name: `${fragment}-delete-all`,
      method: "DELETE",
      path: `${collection}?labelSelector=life=nothing`,
    },
  ];
}
