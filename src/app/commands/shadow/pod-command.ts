/**
 * Computes how a Deployment starts an external-dns, as a kubelet would: arguments, environment and
 * mounted files. Values from Secrets must never be shown.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import {
  type Fields,
  fieldsOf,
  listOf,
  textOf,
  textsOf,
} from "@zonekeeper/kube/objects/object-fields";

/**
 * Reads an object of the Pod's namespace: its texts by key, for a ServiceAccount its annotations;
 * null = there is no such object.
 */
export type ReadData = (
  kind: "Secret" | "ConfigMap" | "ServiceAccount",
  name: string,
) => Promise<Readonly<Record<string, string>> | null>;

/** How the container starts. */
export interface PodCommand {
  /** Arguments, without the name of the program. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Variables whose values come from Secrets. */
  readonly secrets: ReadonlySet<string>;
  /** Mounted texts by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  /** Says what is missing, for people. */
  readonly remarks: readonly string[];
}

/**
 * The command of the container called `name`; null = of the only one that names a provider. The
 * error says what to write instead. Rejects as `read` does.
 */
export async function podCommand(
  deployment: KubeObject,
  name: string | null,
  read: ReadData,
): Promise<Result<PodCommand>> {
  const { metadata, spec } = fieldsOf(fieldsOf(deployment["spec"])["template"]);
  const pod = fieldsOf(spec);
  const chosen = chosenContainer(containersOf(deployment), name);
  if (!chosen.ok) return chosen;
  const [program = "", ...given] = textsOf(chosen.value.command) ?? [];
  const args = !/(^|\/)(ba|da|a|z)?sh$/.test(program)
    ? ok([...given, ...(textsOf(chosen.value.args) ?? [])])
    : fail(`its command is ${program}, a shell; give the arguments in place of --deployment`);
  if (!args.ok) return args;
  const found: Found = { environment: {}, secrets: new Set(), files: new Map(), remarks: [] };
  const { namespace = "default" } = deployment.metadata;
  const own = { namespace, labels: fieldsOf(fieldsOf(metadata)["labels"]) };
  await readEnvironment(chosen.value, own, found, read);
  await readMounts(chosen.value, fieldsIn(pod["volumes"]), found, read);
  const account = await read("ServiceAccount", textOf(pod["serviceAccountName"]) ?? "default");
  const annotations = { ...fieldsOf(fieldsOf(metadata)["annotations"]), ...account };
  const saying = { ...annotations, ...found.environment };
  for (const key of IDENTITIES.filter((one) => textOf(saying[one]) !== null))
    found.remarks.push(
      `the Pod acts as ${saying[key]} (${key}), and this process as you: zones that only that identity may read are not known here`,
    );
  return ok({ args: args.value, ...found });
}

/**
 * Annotations by which a cloud gives a Pod an identity, those of IRSA, kube2iam, GKE and Azure, and
 * the variable of AWS's SDKs that names one.
 */
const IDENTITIES = [
  ...["eks.amazonaws.com/role-arn", "iam.amazonaws.com/role", "AWS_ROLE_ARN"],
  ...["iam.gke.io/gcp-service-account", "azure.workload.identity/client-id"],
];

interface Found {
  readonly environment: Record<string, string>;
  readonly secrets: Set<string>;
  readonly files: Map<string, string>;
  readonly remarks: string[];
}

function fieldsIn(list: unknown): readonly Fields[] {
  return (listOf(list) ?? []).map(fieldsOf);
}

function containersOf(deployment: KubeObject): readonly Fields[] {
  const { spec } = fieldsOf(fieldsOf(deployment["spec"])["template"]);
  return fieldsIn(fieldsOf(spec)["containers"]);
}

/** Names of the containers that name a provider; an operator has one for each zone. */
export function externalDnsIn(deployment: KubeObject): readonly string[] {
  return containersOf(deployment)
    .filter(isExternalDns)
    .map(({ name }) => textOf(name) ?? "");
}

function chosenContainer(all: readonly Fields[], name: string | null): Result<Fields> {
  const isMeant = (one: Fields): boolean =>
    name === null ? isExternalDns(one) : one["name"] === name;
  const [container, second] = all.filter(isMeant);
  if (container !== undefined && second === undefined) return ok(container);
  const names = all.map((one) => textOf(one["name"])).join(", ");
  const which = name === null ? "names a --provider" : `is called ${name}`;
  const count = container === undefined ? "no container" : "more than one container";
  return fail(`${count} ${which}; name it with --container. There are ${names}`);
}

/** Whether a container names a provider of external-dns. */
function isExternalDns({ command, args, env }: Fields): boolean {
  const written = [...(textsOf(command) ?? []), ...(textsOf(args) ?? [])];
  return (
    written.some((one) => /^--provider(=|$)/.test(one)) ||
    fieldsIn(env).some((one) => one["name"] === "EXTERNAL_DNS_PROVIDER")
  );
}

/** `envFrom`, then `env`, whose later variables may name earlier ones. */
async function readEnvironment(
  { env, envFrom }: Fields,
  own: { readonly namespace: string; readonly labels: Fields },
  { environment, secrets, remarks }: Found,
  read: ReadData,
): Promise<void> {
  const set = (name: string, text: string, isSecret: boolean): void => {
    environment[name] = text;
    secrets[isSecret ? "add" : "delete"](name);
  };
  for (const { prefix, ...refs } of fieldsIn(envFrom)) {
    const ref = refIn(refs, "Ref");
    if (ref === null) continue;
    const data = await dataOf(ref, remarks, read);
    for (const [key, text] of Object.entries(data))
      set(`${textOf(prefix) ?? ""}${key}`, text, ref.kind === "Secret");
  }
  for (const variable of fieldsIn(env)) {
    const name = textOf(variable["name"]) ?? "";
    const from = fieldsOf(variable["valueFrom"]);
    const ref = refIn(from, "KeyRef");
    const text =
      ref === null
        ? plainValue(variable, own, environment)
        : (await dataOf(ref, remarks, read))[ref.key];
    const names = textOf(variable["value"])?.matchAll(VARIABLE) ?? [];
    const isSecret =
      ref?.kind === "Secret" || [...names].some(([, , one]) => secrets.has(one ?? ""));
    if (text !== undefined) set(name, text, isSecret);
  }
}

/** The value of a plain variable; undefined = it is known only when the Pod runs. */
function plainValue(
  { value, valueFrom }: Fields,
  own: { readonly namespace: string; readonly labels: Fields },
  environment: Readonly<Record<string, string>>,
): string | undefined {
  if (valueFrom !== undefined) return podField(fieldsOf(valueFrom), own) ?? undefined;
  // A variable that is not set stays as it is written.
  return (textOf(value) ?? "").replace(VARIABLE, (whole, twice: string, name: string) =>
    twice === "" ? (environment[name] ?? whole) : whole.slice(1),
  );
}

interface DataRef {
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
  readonly key: string;
  readonly isOptional: boolean;
}

/** `secretRef`, `configMapRef`; with `KeyRef` those of one key. */
function refIn(fields: Fields, suffix: "Ref" | "KeyRef"): DataRef | null {
  for (const [field, kind] of [
    ["secret", "Secret"],
    ["configMap", "ConfigMap"],
  ] as const) {
    const { name, key, optional } = fieldsOf(fields[`${field}${suffix}`]);
    const text = textOf(name);
    if (text !== null)
      return { kind, name: text, key: textOf(key) ?? "", isOptional: optional === true };
  }
  return null;
}

/** The texts of the object. A missing one is remarked once, unless it is optional. */
async function dataOf(
  { kind, name, isOptional }: Omit<DataRef, "key">,
  remarks: string[],
  read: ReadData,
): Promise<Readonly<Record<string, string>>> {
  const data = await read(kind, name);
  const remark = `${kind} ${name} of the Deployment does not exist`;
  if (data === null && !isOptional && !remarks.includes(remark)) remarks.push(remark);
  return data ?? {};
}

/** A field of the downward API that the Deployment knows; null = another one. */
function podField(
  from: Fields,
  { namespace, labels }: { readonly namespace: string; readonly labels: Fields },
): string | null {
  const path = textOf(fieldsOf(from["fieldRef"])["fieldPath"]);
  if (path === "metadata.namespace") return namespace;
  const [, label] = /^metadata\.labels\['(.+)'\]$/.exec(path ?? "") ?? [];
  return label === undefined ? null : textOf(labels[label]);
}

/** `$(NAME)`, which the kubelet replaces. */
const VARIABLE = /\$(\$?)\(([A-Za-z_][\w.-]*)\)/g;

/** Reads mounted Secrets and ConfigMaps, also projected ones. */
async function readMounts(
  { volumeMounts }: Fields,
  volumes: readonly Fields[],
  { files, remarks }: Found,
  read: ReadData,
): Promise<void> {
  for (const { name, mountPath, subPath } of fieldsIn(volumeMounts)) {
    const volume = volumes.find((one) => one["name"] === name);
    const at = textOf(mountPath)?.replace(/\/$/, "") ?? "";
    const only = textOf(subPath);
    for (const part of mountedIn(volume ?? {})) {
      const texts = textsAt(part, await dataOf(part, remarks, read));
      for (const [path, text] of texts.filter(([one]) => (only ?? one) === one))
        files.set(only === null ? `${at}/${path}` : at, text);
    }
  }
}

function textsAt(
  { items }: VolumePart,
  data: Readonly<Record<string, string>>,
): readonly (readonly [path: string, text: string])[] {
  if (items === null) return Object.entries(data);
  return items.flatMap(([path, key]) => {
    const text = data[key];
    return text === undefined ? [] : [[path, text] as const];
  });
}

interface VolumePart extends Omit<DataRef, "key"> {
  /** Paths with their keys; null = each key is a path. */
  readonly items: readonly (readonly [path: string, key: string])[] | null;
}

function mountedIn({ secret, configMap, projected }: Fields): readonly VolumePart[] {
  const sources = [{ secret, configMap }, ...fieldsIn(fieldsOf(projected)["sources"])];
  return sources.flatMap((source) =>
    (["secret", "configMap"] as const).flatMap((field): VolumePart[] => {
      const { name, secretName, items, optional } = fieldsOf(source[field]);
      const text = textOf(name) ?? textOf(secretName);
      if (text === null) return [];
      const listed = fieldsIn(items).map(
        ({ key, path }) => [textOf(path) ?? "", textOf(key) ?? ""] as const,
      );
      const kind = field === "secret" ? "Secret" : "ConfigMap";
      const isOptional = optional === true;
      return [{ kind, name: text, isOptional, items: listed.length === 0 ? null : listed }];
    }),
  );
}
