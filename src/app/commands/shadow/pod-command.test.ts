/** A container as a kubelet starts it: a Deployment becomes arguments, values and files. */
import { expect, test } from "vitest";
import { podCommand } from "./pod-command.ts";

type Fields = Readonly<Record<string, unknown>>;

const OBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Secret/aws": { key: "AKIA", secret: "s3cret" },
  "Secret/all": { TOKEN: "t0ken" },
  "ConfigMap/flags": { OWNER: "team" },
  "ServiceAccount/cloud": { "eks.amazonaws.com/role-arn": "arn:of-role" },
  "ConfigMap/azure": { "azure.json": "{}", "other.json": "[]" },
};

const read = async (kind: string, name: string) => OBJECTS[`${kind}/${name}`] ?? null;

function deployment(container: Fields, more: Fields = {}) {
  const side = { name: "side", args: ["--listen=:8888"] };
  const main = { name: "main", args: ["--provider=aws", "--source=service"], ...container };
  const template = {
    metadata: { labels: { app: "dns" } },
    spec: { containers: [side, main], ...more },
  };
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment" },
    metadata: { name: "external-dns", namespace: "infra" },
    spec: { template },
  };
}

const started = (container: Fields, more: Fields = {}, name: string | null = null) =>
  podCommand(deployment(container, more), name, read);

test("arguments behind the program, of the container that names a provider", async () => {
  const command = ["/bin/external-dns", "--events"];
  expect(await started({ command })).toMatchObject({
    value: { args: ["--events", "--provider=aws", "--source=service"], remarks: [] },
  });
  const env = [{ name: "EXTERNAL_DNS_PROVIDER", value: "aws" }];
  expect(await started({ args: undefined, env })).toMatchObject({
    value: { args: [], environment: { EXTERNAL_DNS_PROVIDER: "aws" } },
  });
  expect(await started({}, {}, "side")).toMatchObject({ value: { args: ["--listen=:8888"] } });
});

test.each([
  [{ args: [] }, null, /^no container names a --provider; name it with --container.*side, main$/],
  [{ name: "side" }, "side", /^more than one container is called side/],
  [{ command: ["/bin/sh", "-c"] }, null, /^its command is \/bin\/sh, a shell/],
])("%j is refused with what to do", async (container, name, error) => {
  expect(await started(container, {}, name)).toEqual({
    ok: false,
    error: expect.stringMatching(error),
  });
});

test("environment in the order of a kubelet, with what is secret", async () => {
  const secretKeyRef = { name: "aws", key: "secret" };
  const envFrom = [
    { secretRef: { name: "all" }, prefix: "MY_" },
    { configMapRef: { name: "flags" } },
    { configMapRef: { name: "none", optional: true } },
    { unknownRef: {} },
  ];
  const env = [
    { name: "KEY", valueFrom: { secretKeyRef } },
    { name: "URL", value: "https://$(KEY)@$(OWNER).$(NONE)/$$(KEY)" },
    { name: "NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
    { name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
    { name: "EMPTY", value: "" },
    { name: "APP", valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
    { name: "LOST", valueFrom: { configMapKeyRef: { name: "lost", key: "x" } } },
    { name: "LOST_TOO", valueFrom: { configMapKeyRef: { name: "lost", key: "y" } } },
  ];
  const command = await started({ env, envFrom });
  expect(command.ok && Object.keys(command.value.environment)).not.toContain("NODE");
  expect(command).toMatchObject({
    value: {
      environment: {
        EMPTY: "",
        ...{ MY_TOKEN: "t0ken", OWNER: "team", KEY: "s3cret", NAMESPACE: "infra", APP: "dns" },
        URL: "https://s3cret@team.$(NONE)/$(KEY)",
      },
      secrets: new Set(["MY_TOKEN", "KEY", "URL"]),
      remarks: ["ConfigMap lost of the Deployment does not exist"],
    },
  });
});

test.each([
  [{ template: {} }, { serviceAccountName: "cloud" }, "arn:of-role (eks.amazonaws.com/role-arn)"],
  [{ template: { "iam.amazonaws.com/role": "dns" } }, {}, "dns (iam.amazonaws.com/role)"],
  [{ template: {}, env: [{ name: "AWS_ROLE_ARN", value: "arn:x" }] }, {}, "arn:x (AWS_ROLE_ARN)"],
])(
  "an identity that the Pod alone has is told: %j %j",
  async ({ template, ...more }, pod, whom) => {
    const found = deployment(more, pod);
    Object.assign(found.spec.template.metadata, { annotations: template });
    const command = await podCommand(found, null, read);
    expect(command.ok && command.value.remarks).toEqual([
      expect.stringContaining(`the Pod acts as ${whom}, and this process as you`),
    ]);
  },
);

test("files of mounted Secrets and ConfigMaps", async () => {
  const volumes = [
    { name: "azure", configMap: { name: "azure" } },
    { name: "key", secret: { secretName: "aws", items: [{ key: "key", path: "id" }] } },
    { name: "both", projected: { sources: [{ secret: { name: "all" } }] } },
    { name: "scratch", emptyDir: {} },
  ];
  const volumeMounts = [
    { name: "azure", mountPath: "/etc/kubernetes/" },
    { name: "azure", mountPath: "/azure.json", subPath: "azure.json" },
    { name: "key", mountPath: "/aws" },
    { name: "both", mountPath: "/all" },
    { name: "scratch", mountPath: "/tmp" },
    { name: "nothing", mountPath: "/none" },
  ];
  const command = await started({ volumeMounts }, { volumes });
  expect(command.ok && [...command.value.files]).toEqual([
    ["/etc/kubernetes/azure.json", "{}"],
    ["/etc/kubernetes/other.json", "[]"],
    ["/azure.json", "{}"],
    ["/aws/id", "AKIA"],
    ["/all/TOKEN", "t0ken"],
  ]);
});
