/**
 * Fuzz targets of the Kubernetes side: kubeconfig, patches, bodies, selectors, and whole requests
 * to the control plane.
 */

import { joinedBytes } from "@zonekeeper/base/bytes";
import { accessOfContext, parseKubeconfig } from "@zonekeeper/kube/client/access/kubeconfig";
import { ApiError } from "@zonekeeper/kube/control-plane/errors/api-error";
import { bodyOf } from "@zonekeeper/kube/control-plane/http/body";
import {
  DEPTH_MAX,
  isDeeperThan,
  isObject,
  type JsonObject,
} from "@zonekeeper/kube/control-plane/json/json";
import { BUILT_IN_KINDS } from "@zonekeeper/kube/control-plane/kinds/index";
import { SERVICE_KIND } from "@zonekeeper/kube/control-plane/kinds/service";
import { decodeObject } from "@zonekeeper/kube/control-plane/objects/decode";
import {
  parseFieldSelector,
  parseLabelSelector,
} from "@zonekeeper/kube/control-plane/objects/selectors";
import { jsonPatch } from "@zonekeeper/kube/control-plane/patch/patches";
import { strategicMerge } from "@zonekeeper/kube/control-plane/patch/strategic-merge";
import {
  type Encoded,
  messageField,
  textField,
} from "@zonekeeper/kube/control-plane/protobuf/protobuf-fields";
import { mergePatch } from "@zonekeeper/kube/objects/object-fields";
import { CONFIG_API_VERSION, readConfigFile } from "../../src/config/read-config-file.ts";
import { CORE, ENTRIES, entry, service, TestApi } from "../support/clients/control-plane-api.ts";
import { bytes, type FuzzOutcome, type FuzzTarget, kindOf, law, text } from "./target.ts";

const OBJECT = {
  ...service("web", { selector: { app: "web" }, externalIPs: ["192.0.2.1"] }),
  metadata: {
    name: "web",
    namespace: "default",
    uid: "1",
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
    labels: { app: "web", tier: "front" },
    annotations: { "dns.gardener.cloud/dnsnames": "web.example.org" },
  },
};
const JSON_TOKENS = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "null",
  '"__proto__"',
  '"constructor"',
  '"$patch"',
  "/-",
  "~1",
  "1e309",
];

/** A patch that is thousands of objects and lists deep: recursion must end in an answer. */
const DEEP: readonly string[] = [
  `{"spec":${"[".repeat(8000)}${"]".repeat(8000)}}`,
  `${'{"metadata":'.repeat(3000)}{}${"}".repeat(3000)}`,
  `[{"op":"add","path":"/x","value":${"[".repeat(8000)}${"]".repeat(8000)}}]`,
];

/** Runs; an ApiError is an outcome, anything else a finding. */
function guarded(work: () => FuzzOutcome): FuzzOutcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError)
      return {
        outcome: `${error.code} ${kindOf(error.message)}`,
        outputBytes: error.message.length,
      };
    throw error;
  }
}

/** As bodies are read: what is deeper than a body may be never gets to a patch. */
function jsonOf(input: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(text(input));
    return isDeeperThan(value, DEPTH_MAX) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Nothing that came from outside may reach the prototypes of all objects. */
function checkPrototypes(): void {
  for (const prototype of [Object.prototype, Array.prototype, Function.prototype])
    for (const key of Object.keys(prototype)) {
      Reflect.deleteProperty(prototype, key);
      law(false, `prototype pollution: ${key}`);
    }
}

function patchTarget(
  name: string,
  seeds: readonly unknown[],
  apply: (patch: unknown) => unknown,
): FuzzTarget {
  return {
    name,
    seeds: [...seeds.map((seed) => JSON.stringify(seed)), ...DEEP].map(bytes),
    tokens: JSON_TOKENS,
    outputBytesMax: (input) => 8_000_000 + input * 10,
    run: (input) => {
      const patch = jsonOf(input);
      if (patch === undefined) return { outcome: "no JSON", outputBytes: 0 };
      const before = JSON.stringify(OBJECT);
      const result = guarded(() => {
        const patched = JSON.stringify(apply(patch)) ?? "";
        return { outcome: kindOf(patched.slice(0, 200)).slice(0, 24), outputBytes: patched.length };
      });
      checkPrototypes();
      law(JSON.stringify(OBJECT) === before, "the object that was patched has changed");
      return result;
    },
  };
}

const JSON_PATCH = patchTarget(
  "json-patch",
  [
    [{ op: "add", path: "/metadata/labels/a", value: "b" }],
    [
      { op: "remove", path: "/spec/ports/0" },
      { op: "test", path: "/metadata/name", value: "web" },
    ],
    [{ op: "replace", path: "/spec/type", value: "ClusterIP" }],
    [
      { op: "copy", from: "/spec", path: "/spec/copy" },
      { op: "move", from: "/spec/copy", path: "/x" },
    ],
    [{ op: "add", path: "/spec/externalIPs/-", value: { a: [1, null, true] } }],
    [{ op: "add", path: "/metadata/constructor/x", value: 1 }],
  ],
  (patch) => jsonPatch(OBJECT, patch),
);

const MERGE_PATCH = patchTarget(
  "merge-patch",
  [
    { metadata: { labels: { a: "b", tier: null } }, spec: { ports: [{ port: 81 }] } },
    { spec: null },
  ],
  (patch) => mergePatch(OBJECT, patch),
);

const STRATEGIC = patchTarget(
  "strategic-merge",
  [
    {
      spec: {
        ports: [
          { port: 80, name: "http" },
          { port: 81, $patch: "delete" },
        ],
      },
    },
    { spec: { $retainKeys: ["type"], type: "ClusterIP" } },
    {
      "$setElementOrder/ports": [{ port: 80 }],
      spec: { "$setElementOrder/ports": [{ port: 80 }] },
    },
    { metadata: { "$deleteFromPrimitiveList/finalizers": ["a"], finalizers: ["b"] } },
    { spec: { $patch: "replace", type: "LoadBalancer" } },
  ],
  (patch) => strategicMerge(SERVICE_KIND.schema, OBJECT, patch),
);

function envelope(kind: string, raw: Encoded): Uint8Array {
  const type = messageField(1, [...textField(1, "v1"), ...textField(2, kind)]);
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...joinedBytes([...type, ...messageField(2, raw)])]);
}

/** Bodies as JSON, YAML and protobuf; the first byte chooses. */
const TYPES = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "text/x",
];
const BODY: FuzzTarget = {
  name: "body",
  seeds: [
    withFirst(0, bytes(JSON.stringify(OBJECT))),
    withFirst(0, bytes(JSON.stringify(entry("a")))),
    ...DEEP.map((seed) => withFirst(0, bytes(seed))),
    withFirst(1, bytes(`a: ${"[".repeat(3000)}${"]".repeat(3000)}`)),
    withFirst(
      1,
      bytes("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: &x\n  a: eA==\nb: *x\n"),
    ),
    withFirst(2, envelope("Secret", textField(3, "Opaque"))),
    withFirst(2, envelope("Service", messageField(2, textField(4, "LoadBalancer")))),
    withFirst(2, envelope("Namespace", messageField(1, textField(1, "a")))),
  ],
  tokens: [...JSON_TOKENS, "&a ", "*a", "<<: ", "- ", "\n  ", "!!binary "],
  outputBytesMax: (input) => 100_000 + input * 200,
  run: (input) =>
    guarded(() => {
      const contentType = TYPES[(input[0] ?? 0) % TYPES.length] ?? "";
      const body = bodyOf({
        method: "POST",
        path: "/",
        headers: { "content-type": contentType },
        body: input.subarray(1),
        signal: new AbortController().signal,
      });
      const kind = BUILT_IN_KINDS.find((each) => isObject(body) && each.ref.kind === body["kind"]);
      const decoded = decodeObject(kind ?? SERVICE_KIND, body, "Warn");
      checkPrototypes();
      const outputBytes = JSON.stringify(decoded).length;
      return {
        outcome: `${contentType} ${kind?.ref.kind} ${decoded.warnings.length}`,
        outputBytes,
      };
    }),
};

function withFirst(first: number, rest: Uint8Array): Uint8Array {
  return Uint8Array.from([first, ...rest]);
}

const STORED = { ...OBJECT, apiVersion: "v1", kind: "Service" };
const SELECTORS: FuzzTarget = {
  name: "selectors",
  seeds: [
    "app=web,tier!=back",
    "app in (a, b),!x",
    "tier notin (front)",
    "metadata.name=web,spec.type!=x",
  ].map(bytes),
  tokens: [" in ", " notin ", "(", ")", ",", "=", "==", "!=", "!", "metadata.name", "constructor"],
  outputBytesMax: (input) => 1000 + input * 8,
  run: (input) => {
    const selector = text(input);
    const outcomes = [
      parseLabelSelector,
      (each: string) => parseFieldSelector(SERVICE_KIND, each),
    ].map((parse) => guarded(() => ({ outcome: String(parse(selector)(STORED)), outputBytes: 0 })));
    return {
      outcome: outcomes.map(({ outcome }) => outcome.slice(0, 40)).join(" "),
      outputBytes: outcomes.reduce((sum, { outputBytes }) => sum + outputBytes, 0),
    };
  },
};

const KUBECONFIG: FuzzTarget = {
  name: "kubeconfig",
  seeds: [
    `apiVersion: v1
kind: Config
current-context: a
contexts: [{name: a, context: {cluster: c, user: u, namespace: n}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: eA==}}]
users: [{name: u, user: {token: t}}, {name: e, user: {exec: {command: x, args: [a], env: [{name: A, value: b}], apiVersion: client.authentication.k8s.io/v1}}}]
`,
    '{"contexts":[{"name":"a","context":{"cluster":"c"}}],"clusters":[{"name":"c","cluster":{"server":"http://x"}}]}',
  ].map(bytes),
  tokens: [
    "&a ",
    "*a",
    "<<: ",
    "- ",
    "\n",
    "\n  ",
    "users:",
    "exec:",
    "!!binary ",
    "{",
    "[",
    '"',
    "%YAML 1.1\n---\n",
  ],
  outputBytesMax: (input) => 10_000 + input * 200,
  run: (input) => {
    const parsed = parseKubeconfig([{ path: "/tmp/config", text: text(input) }]);
    if (!parsed.ok) return { outcome: kindOf(parsed.error), outputBytes: parsed.error.length };
    const access = accessOfContext(parsed.value);
    const shown = access.ok ? JSON.stringify(access.value) : access.error;
    return { outcome: access.ok ? "access" : kindOf(access.error), outputBytes: shown.length };
  },
};

const CONFIG_FILE: FuzzTarget = {
  name: "config-file",
  seeds: [
    bytes(
      `apiVersion: ${CONFIG_API_VERSION}\nkind: Configuration\nowner: me\nttl: 300\npolicy: sync\n`,
    ),
    bytes("owner: &a [x]\npolicy: *a\n"),
  ],
  tokens: KUBECONFIG.tokens,
  outputBytesMax: (input) => 10_000 + input * 200,
  run: (input) => {
    const read = readConfigFile({ name: "config.yaml", text: text(input) });
    if (read.ok) return { outcome: [...read.value.keys()].sort().join(" "), outputBytes: 0 };
    const messages = read.error.map(({ message }) => message);
    return { outcome: kindOf(messages[0] ?? ""), outputBytes: messages.join("").length };
  },
};

/** What the first byte of an input chooses. */
const REQUESTS: readonly (readonly [method: string, path: string, type: string])[] = [
  ["POST", `${CORE}/services?dryRun=All`, "application/json"],
  ["POST", `${ENTRIES}?dryRun=All&fieldValidation=Strict`, "application/json"],
  ["PATCH", `${CORE}/services/web?dryRun=All`, "application/json-patch+json"],
  ["PATCH", `${CORE}/services/web?dryRun=All`, "application/strategic-merge-patch+json"],
  ["PATCH", `${ENTRIES}/a?dryRun=All`, "application/merge-patch+json"],
  ["PUT", `${CORE}/services/web?dryRun=All`, "application/json"],
  ["DELETE", `${CORE}/services/web?dryRun=All`, "application/json"],
  ["POST", `${CORE}/secrets?dryRun=All`, "application/vnd.kubernetes.protobuf"],
  ["POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "application/json"],
];

/**
 * Plain errors of kube-apiserver's strategic merge patch, which it answers with 500 (apimachinery
 * pkg/util/strategicpatch/patch.go; apiserver endpoints/handlers/patch.go
 * interpretStrategicMergePatchError); so do we.
 */
const KNOWN_500 = [
  "unknown patch type: ",
  "an item of the patch does not contain declared merge key: ",
];

/**
 * Whole requests: the control plane never answers 500 to what a client sends, but for what the real
 * one does.
 */
class ApiTarget implements FuzzTarget {
  readonly name = "api";
  readonly seeds = [
    bytes(JSON.stringify(OBJECT)),
    bytes(JSON.stringify(entry("b"))),
    ...JSON_PATCH.seeds.slice(0, 2),
    STRATEGIC.seeds[0] ?? bytes("{}"),
    MERGE_PATCH.seeds[0] ?? bytes("{}"),
    ...DEEP.map(bytes),
    bytes(`{"metadata":{"name":"x","labels":${"[".repeat(8000)}${"]".repeat(8000)}}}`),
  ].flatMap((body) => REQUESTS.map((_, index) => withFirst(index, body)));
  readonly tokens = JSON_TOKENS;
  readonly outputBytesMax = (input: number): number => 100_000 + input * 20;
  #api: Promise<TestApi> | null = null;

  async run(input: Uint8Array): Promise<FuzzOutcome> {
    this.#api ??= openApi();
    const api = await this.#api;
    const [method, path, type] = REQUESTS[(input[0] ?? 0) % REQUESTS.length] ?? ["GET", "/", ""];
    const answer = await api.request(method, path, {
      body: input.subarray(1),
      headers: { "content-type": type },
    });
    checkPrototypes();
    const message: JsonObject = answer.body;
    const printed = String(message["message"] ?? "");
    law(
      answer.status < 500 || KNOWN_500.some((known) => printed.startsWith(known)),
      `${method} ${path} answers ${answer.status}: ${answer.text.slice(0, 200)}`,
    );
    return {
      outcome: `${method} ${type} ${answer.status} ${kindOf(printed)}`,
      outputBytes: answer.text.length,
    };
  }
}

async function openApi(): Promise<TestApi> {
  const api = await TestApi.open();
  await api.made(api.post(`${CORE}/services`, service("web")));
  await api.made(api.post(ENTRIES, entry("a")));
  return api;
}

/** All of the Kubernetes side. */
export const API_TARGETS: readonly FuzzTarget[] = [
  KUBECONFIG,
  CONFIG_FILE,
  JSON_PATCH,
  MERGE_PATCH,
  STRATEGIC,
  BODY,
  SELECTORS,
  new ApiTarget(),
];
