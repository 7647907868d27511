/**
 * The container of a rendered Deployment as a process of this machine, without a kubelet: the same
 * arguments and environment, with what is mounted below a folder in place of the root.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { objectOf, type Rendered } from "./helm.ts";

/** What a Pod's container is made from, as far as it is needed here. */
export interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Volume {
  readonly name: string;
  readonly emptyDir?: object;
  readonly configMap?: { readonly name: string };
  readonly secret?: {
    readonly secretName: string;
    readonly optional?: boolean;
    readonly items?: readonly { readonly key: string; readonly path: string }[];
  };
}

/** How to start it. */
export interface PodProcess {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** By name of the Secret or ConfigMap. */
type Data = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The Pod of the Deployment. */
export function podOf(objects: readonly Rendered[]): PodSpec {
  const { spec } = objectOf(objects, "Deployment") as unknown as {
    readonly spec: { readonly template: { readonly spec: PodSpec } };
  };
  return spec.template.spec;
}

/** What is mounted (rendered, or given as `data`) is written below `root`. */
export function podProcess(
  objects: readonly Rendered[],
  { root, data = {}, pod = podOf(objects) }: { root: string; data?: Data; pod?: PodSpec },
): PodProcess {
  const [container] = pod.containers;
  if (container === undefined) throw new Error("the Pod has no container");
  const mounts = container.volumeMounts;
  const paths = mounts.map(({ mountPath }) => mountPath).sort((a, b) => b.length - a.length);
  const mounted = new RegExp(`(?<![\\w/])(?=(?:${paths.join("|")})(?:/|$|"))`, "gm");
  const below = (text: string): string => text.replace(mounted, root);
  for (const { name, mountPath } of mounts) {
    const volume = pod.volumes.find((one) => one.name === name);
    if (volume === undefined) throw new Error(`nothing is mounted as ${name}`);
    mkdirSync(join(root, mountPath), { recursive: true });
    for (const [path, text] of filesOf(volume, objects, data)) {
      const file = join(root, mountPath, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, below(text));
    }
  }
  const env = (container.env ?? []).map(({ name, value = "" }) => [name, below(value)] as const);
  return { args: container.args.map(below), env: Object.fromEntries(env) };
}

function filesOf(
  { name, emptyDir, configMap, secret }: Volume,
  objects: readonly Rendered[],
  data: Data,
): readonly (readonly [string, string])[] {
  if (emptyDir !== undefined) return [];
  const source = configMap?.name ?? secret?.secretName ?? "";
  const texts = data[source] ?? textsOf(objects, source);
  if (texts === null && secret?.optional === true) return [];
  if (texts === null) throw new Error(`the volume ${name} has nothing to mount: ${source}`);
  const files = Object.entries(texts);
  return secret?.items?.map(({ key, path }) => [path, texts[key] ?? ""] as const) ?? files;
}

/** Of a rendered ConfigMap or Secret; null = there is none of that name. */
function textsOf(objects: readonly Rendered[], name: string): Data[string] | null {
  const kinds = ["ConfigMap", "Secret"];
  const found = objects.find((one) => kinds.includes(one.kind) && one.metadata.name === name);
  if (found === undefined) return null;
  const decode = (text: string): string =>
    found.kind === "Secret" ? Buffer.from(text, "base64").toString() : text;
  const entries = Object.entries(found["data"] as Data[string]);
  return Object.fromEntries(entries.map(([key, text]) => [key, decode(text)]));
}
