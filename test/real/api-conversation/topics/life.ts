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
  title: `the life of a ${sample.word}`,
  steps: [...birth(sample), ...changes(sample), ...status(sample), ...death(sample)],
}));

function nameOf({ object }: Sample): string {
  return String((object["metadata"] as JsonRecord)["name"]);
}

function birth(sample: Sample): readonly Step[] {
  const { word, collection, object } = sample;
  const path = `${collection}/${nameOf(sample)}`;
  return [
    { name: `${word}-dry-create`, method: "POST", path: `${collection}?dryRun=All`, body: object },
    { name: `${word}-create`, method: "POST", path: collection, body: object },
    { name: `${word}-create-again`, method: "POST", path: collection, body: object },
    { name: `${word}-get`, method: "GET", path },
    { name: `${word}-list`, method: "GET", path: `${collection}?labelSelector=life` },
    { name: `${word}-get-absent`, method: "GET", path: `${collection}/absent` },
    {
      name: `${word}-create-nameless`,
      method: "POST",
      path: collection,
      body: { ...object, metadata: {} },
    },
    {
      name: `${word}-create-bad-name`,
      method: "POST",
      path: collection,
      body: { ...object, metadata: { name: "Bad_Name" } },
    },
    {
      name: `${word}-create-wrong-kind`,
      method: "POST",
      path: collection,
      body: { ...object, kind: "Wrong" },
    },
  ];
}

function changes(sample: Sample): readonly Step[] {
  const { word, collection, object, change, custom = false } = sample;
  const path = `${collection}/${nameOf(sample)}`;
  const annotation = (value: string): JsonRecord => ({ metadata: { annotations: { by: value } } });
  const operations = [
    { op: "test", path: "/metadata/name", value: nameOf(sample) },
    { op: "add", path: "/metadata/labels", value: { life: "3" } },
  ];
  return [
    { name: `${word}-merge`, method: "PATCH", path, headers: PATCH.merge, body: change },
    { name: `${word}-merge-again`, method: "PATCH", path, headers: PATCH.merge, body: change },
    {
      name: `${word}-strategic`,
      method: "PATCH",
      path,
      headers: PATCH.strategic,
      body: annotation("strategic"),
    },
    { name: `${word}-json`, method: "PATCH", path, headers: PATCH.json, body: operations },
    {
      name: `${word}-json-test-fails`,
      method: "PATCH",
      path,
      headers: PATCH.json,
      body: [{ op: "test", path: "/metadata/name", value: "other" }],
    },
    {
      name: `${word}-dry-merge`,
      method: "PATCH",
      path: `${path}?dryRun=All`,
      headers: PATCH.merge,
      body: annotation("dry"),
    },
    {
      name: `${word}-stale-merge`,
      method: "PATCH",
      path,
      headers: PATCH.merge,
      body: { metadata: { resourceVersion: "1", annotations: { x: "y" } } },
    },
    {
      name: `${word}-update-without-version`,
      method: "PUT",
      path,
      body: { ...object, metadata: { name: nameOf(sample) } },
    },
    {
      name: `${word}-update-stale`,
      method: "PUT",
      path,
      body: {
        ...object,
        metadata: {
          name: nameOf(sample),
          resourceVersion: `{{${word}-create.metadata.resourceVersion}}`,
        },
      },
    },
    {
      name: `${word}-update-other-uid`,
      method: "PUT",
      path,
      body: {
        ...object,
        metadata: { name: nameOf(sample), uid: "11111111-2222-3333-4444-555555555555" },
      },
    },
    { name: `${word}-update-other-name`, method: "PUT", path: `${collection}/other`, body: object },
    {
      name: `${word}-patch-absent`,
      method: "PATCH",
      path: `${collection}/absent`,
      headers: PATCH.merge,
      body: change,
    },
    ...(custom ? [] : [{ name: `${word}-get-after`, method: "GET", path } as const]),
  ];
}

function status(sample: Sample): readonly Step[] {
  const { word, collection, custom = false, hasStatus = false } = sample;
  const path = `${collection}/${nameOf(sample)}/status`;
  const body = custom ? STATUS : BALANCED;
  if (!hasStatus) return [{ name: `${word}-no-status`, method: "GET", path }];
  return [
    { name: `${word}-status-get`, method: "GET", path },
    { name: `${word}-status-merge`, method: "PATCH", path, headers: PATCH.merge, body },
    { name: `${word}-status-strategic`, method: "PATCH", path, headers: PATCH.strategic, body },
    { name: `${word}-scale`, method: "GET", path: path.replace("/status", "/scale") },
  ];
}

function death(sample: Sample): readonly Step[] {
  const { word, collection } = sample;
  const path = `${collection}/${nameOf(sample)}`;
  return [
    { name: `${word}-dry-delete`, method: "DELETE", path: `${path}?dryRun=All` },
    {
      name: `${word}-delete-other-uid`,
      method: "DELETE",
      path,
      body: { preconditions: { uid: "other" } },
    },
    {
      name: `${word}-delete-other-version`,
      method: "DELETE",
      path,
      body: { preconditions: { resourceVersion: "1" } },
    },
    {
      name: `${word}-delete`,
      method: "DELETE",
      path: word === "pod" ? `${path}?gracePeriodSeconds=0` : path,
    },
    ...(word === "namespace"
      ? []
      : [{ name: `${word}-delete-again`, method: "DELETE", path } as const]),
    {
      name: `${word}-delete-all`,
      method: "DELETE",
      path: `${collection}?labelSelector=life=nothing`,
    },
  ];
}
