import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { givenBySecrets } from "./given-clusters.ts";

const KUBECONFIG = JSON.stringify({
  "current-context": "x",
  contexts: [{ name: "x", context: { cluster: "x", user: "x" } }],
  clusters: [{ name: "x", cluster: { server: "https://192.0.2.1" } }],
  users: [{ name: "x", user: { token: "s3cret" } }],
});

interface SecretInput {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly created?: string;
  readonly data: Readonly<Record<string, string>>;
}

function secret(name: string, input: SecretInput): KubeObject {
  const { annotations = {}, labels = { "istio/multiCluster": "true" }, created, data } = input;
  const creationTimestamp = created ?? "2026-01-01T00:00:00Z";
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "dns", creationTimestamp, annotations, labels },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, btoa(text)])),
  };
}

const idsOf = (...secrets: readonly KubeObject[]) => givenBySecrets(secrets).map(({ id }) => id);
const modeOf = (mode: string) =>
  givenBySecrets([
    secret("a", { data: { eu: KUBECONFIG }, annotations: { "zonekeeper.dev/mode": mode } }),
  ]).map((one) => [one.mode, one.remark]);

test("each key is a cluster, of labelled Secrets alone; the older Secret comes first", () => {
  const late = secret("a", { data: { asia: KUBECONFIG }, created: "2026-02-01T00:00:00Z" });
  const early = secret("b", { data: { eu: KUBECONFIG, us: KUBECONFIG } });
  const other = secret("c", { data: { x: KUBECONFIG }, labels: {} });
  expect(idsOf(late, early, other)).toEqual(["eu", "us", "asia"]);
});

test("a cluster is observed until it is said to be active, also by a slip", () => {
  expect(givenBySecrets([secret("a", { data: { eu: KUBECONFIG } })])[0]?.mode).toBe("observe");
  expect(modeOf("active")).toEqual([["active", ""]]);
  expect(modeOf("actve")).toEqual([["observe", expect.stringContaining('"actve"')]]);
});

test("rank, region and what becomes of records are read; a slip removes nothing and is told", () => {
  const stated = (annotations: Readonly<Record<string, string>>) => {
    const given = givenBySecrets([secret("a", { data: { eu: KUBECONFIG }, annotations })]);
    return given.map(({ rank, region, onRemoval, remark }) => [rank, region, onRemoval, remark]);
  };
  const of = (rank: string, region: string, onRemoval: string) =>
    stated({
      "zonekeeper.dev/rank": rank,
      "zonekeeper.dev/region": region,
      "zonekeeper.dev/on-removal": onRemoval,
    });
  expect(stated({})).toEqual([[null, "", "retain", ""]]);
  expect(of("0", "europe", "delete")).toEqual([[0, "europe", "delete", ""]]);
  const slips = expect.stringMatching(/on-removal\] is "Delete".*; .*rank\] is "-1"/);
  expect(of("-1", "", "Delete")).toEqual([[null, "", "retain", slips]]);
});

test("a bad id or kubeconfig names Secret and key, spoils no other key, and shows no content", () => {
  const text = KUBECONFIG.replace("https:", "http:");
  const given = givenBySecrets([
    secret("a", { data: { "-x": KUBECONFIG, bad: text, eu: KUBECONFIG } }),
  ]);
  const errors = given.map(({ access }) => (access.ok ? "" : access.error));
  expect(errors).toEqual([
    expect.stringMatching(/^Secret dns\/a, key -x: is no cluster id/),
    expect.stringMatching(/^Secret dns\/a, key bad: clusters\["x"\]\.server: .*https/),
    "",
  ]);
  expect(errors.join()).not.toContain("s3cret");
});

test("another content is another kubeconfig", () => {
  const print = (text: string) => givenBySecrets([secret("a", { data: { eu: text } })])[0]?.print;
  expect(print(KUBECONFIG)).toBe(print(KUBECONFIG));
  expect(print(KUBECONFIG)).not.toBe(print(KUBECONFIG.replace("s3cret", "n3w")));
});
