/**
 * Kubeconfig files (client.authentication and clientcmd v1 formats) to ClusterAccess. It parses
 * text: reading files and running plugins is for `credentials.ts`. No message contains a value of a
 * user. Of kubeconfigs that others hand in, only credentials in the text itself are taken, which go
 * over TLS that is verified.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Document } from "yaml";
import { fieldsOf, isFields, textOf } from "../../objects/object-fields.ts";
import { parseYamlFile } from "../../yaml/yaml-file.ts";
import { type ClusterAccess, type ExecConfig, emptyAccess } from "./cluster-access.ts";
import {
  base64Field,
  type ConfigEntry,
  ConfigFault,
  entryField,
  faultAt,
  flagField,
  pathField,
  resolveFromFile,
  textField,
  textsField,
} from "./config-field.ts";

/** One file as it was read. */
export interface KubeconfigFile {
  /** For messages, and the folder that relative paths start from. */
  readonly path: string;
  readonly text: string;
}

type Section = "clusters" | "users" | "contexts";

/** Several files merged: of entries with the same name the first counts, as with `$KUBECONFIG`. */
export interface Kubeconfig {
  /** The files, for messages. */
  readonly files: readonly string[];
  /** The first one that is set; null = none. */
  readonly currentContext: string | null;
  readonly clusters: ReadonlyMap<string, ConfigEntry>;
  readonly users: ReadonlyMap<string, ConfigEntry>;
  readonly contexts: ReadonlyMap<string, ConfigEntry>;
}

/** Parses and merges files. The error names the file and the field. */
export function parseKubeconfig(files: readonly KubeconfigFile[]): Result<Kubeconfig> {
  return guarded(() => {
    const documents = files.map(parseFile);
    const current = documents.map(({ fields }) => textOf(fields["current-context"]));
    return {
      files: files.map(({ path }) => path),
      currentContext: current.find((context) => context !== null) ?? null,
      clusters: merged(documents, "clusters"),
      users: merged(documents, "users"),
      contexts: merged(documents, "contexts"),
    };
  });
}

/**
 * The access that a context describes; no name = the current context. The error names file, context
 * and field.
 */
export function accessOfContext(config: Kubeconfig, contextName?: string): Result<ClusterAccess> {
  return guarded(() => {
    const name = contextName ?? config.currentContext;
    const known = [...config.contexts.keys()].join(", ") || "none";
    const files = config.files.join(", ");
    if (name === null) {
      throw new ConfigFault(`${files}: no current-context; name one of the contexts: ${known}`);
    }
    const context = config.contexts.get(name);
    if (context === undefined) {
      throw new ConfigFault(`${files}: no context "${name}"; there are: ${known}`);
    }
    return resolve(config, name, context);
  });
}

function resolve(config: Kubeconfig, name: string, context: ConfigEntry): ClusterAccess {
  const clusterName = textField(context, "cluster");
  const cluster = clusterName === null ? undefined : config.clusters.get(clusterName);
  if (cluster === undefined) throw faultAt(context, "cluster", "names no cluster of the files");
  const userName = textField(context, "user");
  const user = userName === null ? null : config.users.get(userName);
  if (user === undefined) throw faultAt(context, "user", "names no user of the files");
  const origin = `context "${name}" in ${context.file}`;
  return {
    ...emptyAccess(origin, serverOf(cluster)),
    ...clusterPart(cluster),
    ...(user === null ? {} : userPart(user)),
    namespace: textField(context, "namespace"),
  };
}

function serverOf(cluster: ConfigEntry): string {
  const server = textField(cluster, "server");
  if (server === null || !/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw faultAt(cluster, "server", "must be a URL that begins with https://");
  }
  return server;
}

function clusterPart(cluster: ConfigEntry): Partial<ClusterAccess> {
  const caData = base64Field(cluster, "certificate-authority-data");
  const insecureSkipTlsVerify = flagField(cluster, "insecure-skip-tls-verify");
  const caFile = caData === null ? pathField(cluster, "certificate-authority") : null;
  if (insecureSkipTlsVerify && (caData !== null || caFile !== null)) {
    const problem = "contradicts the certificate authority that is given too";
    throw faultAt(cluster, "insecure-skip-tls-verify", problem);
  }
  const proxyUrl = textField(cluster, "proxy-url");
  if (proxyUrl !== null && !/^https?:\/\//.test(proxyUrl)) {
    throw faultAt(cluster, "proxy-url", "must begin with http:// or https://");
  }
  const tlsServerName = textField(cluster, "tls-server-name");
  return { caData, caFile, insecureSkipTlsVerify, tlsServerName, proxyUrl };
}

function userPart(user: ConfigEntry): Partial<ClusterAccess> {
  refuseUnsupported(user);
  const clientCertificateData = base64Field(user, "client-certificate-data");
  const clientKeyData = base64Field(user, "client-key-data");
  return {
    clientCertificateData,
    clientCertificateFile:
      clientCertificateData === null ? pathField(user, "client-certificate") : null,
    clientKeyData,
    clientKeyFile: clientKeyData === null ? pathField(user, "client-key") : null,
    token: textField(user, "token"),
    tokenFile: pathField(user, "tokenFile"),
    username: textField(user, "username"),
    password: textField(user, "password"),
    exec: execOf(user),
  };
}

function refuseUnsupported(user: ConfigEntry): void {
  if (entryField(user, "auth-provider") !== null) {
    const remedy =
      "was removed from Kubernetes in 1.26; use an exec plugin instead " +
      "(user.exec with apiVersion client.authentication.k8s.io/v1, e.g. kubelogin or gke-gcloud-auth-plugin)";
    throw faultAt(user, "auth-provider", remedy);
  }
  for (const field of ["as", "as-uid", "as-groups", "as-user-extra"]) {
    // Without impersonation the program would act with more rights than configured.
    if (user.fields[field] !== undefined) {
      throw faultAt(user, field, "impersonation is not supported; configure a dedicated user");
    }
  }
}

function execOf(user: ConfigEntry): ExecConfig | null {
  const exec = entryField(user, "exec");
  if (exec === null) return null;
  const apiVersion = textField(exec, "apiVersion");
  if (
    apiVersion !== "client.authentication.k8s.io/v1" &&
    apiVersion !== "client.authentication.k8s.io/v1beta1"
  ) {
    const remedy =
      "must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1";
    throw faultAt(exec, "apiVersion", remedy);
  }
  const command = textField(exec, "command");
  if (command === null) throw faultAt(exec, "command", "is missing");
  if (textField(exec, "interactiveMode") === "Always") {
    throw faultAt(exec, "interactiveMode", "is Always, but this program runs without a terminal");
  }
  return {
    apiVersion,
    command: /[/\\]/.test(command) ? resolveFromFile(exec.file, command) : command,
    args: textsField(exec, "args"),
    env: envOf(exec),
    installHint: textField(exec, "installHint") ?? "",
    provideClusterInfo: flagField(exec, "provideClusterInfo"),
  };
}

function envOf(exec: ConfigEntry): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  const list = exec.fields["env"] ?? [];
  if (!Array.isArray(list)) throw faultAt(exec, "env", "must be a list");
  for (const item of list) {
    const { name, value } = fieldsOf(item);
    if (typeof name !== "string" || typeof value !== "string")
      throw faultAt(exec, "env", "needs name and value as texts");
    env[name] = value;
  }
  return env;
}

/** The content of a file. The parser's own messages are not used: they quote the text. */
function parseFile(file: KubeconfigFile): ConfigEntry {
  const { document, faults } = parseYamlFile(file.text);
  const [fault] = faults;
  if (fault !== undefined) {
    const { line, column, code } = fault;
    throw new ConfigFault(`${file.path}: not YAML at line ${line}, column ${column} (${code})`);
  }
  const content = contentOf(document, file.path);
  if (!isFields(content)) throw new ConfigFault(`${file.path}: not a kubeconfig: no object`);
  const kind = content["kind"] ?? "Config";
  if (kind !== "Config") throw new ConfigFault(`${file.path}: kind must be Config`);
  return { file: file.path, label: "", fields: content };
}

/**
 * The parser throws for an alias without anchor and for too many aliases; its message would show
 * values.
 */
function contentOf(document: Pick<Document, "toJS">, path: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch {
    throw new ConfigFault(
      `${path}: not YAML that can be used: an alias (*name) leads nowhere or too far`,
    );
  }
}

const INNER: Readonly<Record<Section, string>> = {
  clusters: "cluster",
  users: "user",
  contexts: "context",
};

function merged(documents: readonly ConfigEntry[], section: Section): Map<string, ConfigEntry> {
  const entries = new Map<string, ConfigEntry>();
  for (const { file, fields } of documents) {
    const list = fields[section] ?? [];
    if (!Array.isArray(list)) throw new ConfigFault(`${file}: ${section} must be a list`);
    for (const item of list) {
      const { name } = fieldsOf(item);
      if (typeof name !== "string")
        throw new ConfigFault(`${file}: an entry of ${section} has no name`);
      if (entries.has(name)) continue;
      const inner = fieldsOf(fieldsOf(item)[INNER[section]]);
      entries.set(name, { file, label: `${section}["${name}"]`, fields: inner });
    }
  }
  return entries;
}

function guarded<T>(parse: () => T): Result<T> {
  try {
    return ok(parse());
  } catch (error) {
    if (error instanceof ConfigFault) return fail(error.message);
    throw error;
  }
}

const DATA = "names a file of this machine; give its content as";
const PLUGIN = "would run a program here; give a token, or a client certificate as data";

/**
 * What each field that is refused in a kubeconfig of others would do, and what to give instead: it
 * would run a program or read a file here, or lead through a proxy.
 */
const REFUSED: Readonly<Record<string, string>> = {
  "certificate-authority": `${DATA} certificate-authority-data`,
  "insecure-skip-tls-verify":
    "would send credentials to whoever answers; give certificate-authority-data",
  "proxy-url": "would lead connections elsewhere; leave it out",
  "client-certificate": `${DATA} client-certificate-data`,
  "client-key": `${DATA} client-key-data`,
  tokenFile: `${DATA} token`,
  exec: PLUGIN,
  "auth-provider": PLUGIN,
};

/**
 * The access of the current context. The error names the text (`path`), the field and the remedy,
 * and no value. Entries of other contexts are held to the same rules.
 */
export function untrustedAccess(text: KubeconfigFile): Result<ClusterAccess> {
  const config = parseKubeconfig([text]);
  if (!config.ok) return config;
  for (const entry of [...config.value.clusters.values(), ...config.value.users.values()]) {
    const fault = refusalOf(entry);
    if (fault !== null) return fail(fault);
  }
  return accessOfContext(config.value);
}

function refusalOf({ file, label, fields }: ConfigEntry): string | null {
  const { server } = fields;
  if (typeof server === "string" && !server.startsWith("https://"))
    return `${file}: ${label}.server: is not encrypted; give an https:// address`;
  const field = Object.keys(REFUSED).find((name) => (fields[name] ?? false) !== false);
  return field === undefined ? null : `${file}: ${label}.${field}: ${REFUSED[field]}`;
}
