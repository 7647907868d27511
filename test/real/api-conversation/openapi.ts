/**
 * What OpenAPI v3 says of a server's kinds, as one short text for each field and operation: enough
 * for what kubectl does with it (validating, explaining, merging), without descriptions.
 */
import type { ApiServer } from "../../support/api-servers/api-server.ts";
import { HttpsCaller } from "../../support/api-servers/https-caller.ts";
import { eventually } from "../../support/ports/eventually.ts";
import type { Difference } from "./compare.ts";
import { type Json, type JsonRecord, recordOf } from "./step.ts";

/** Texts by the fields (`.spec.ports[].port`) or operations of one kind. */
export type Texts = Readonly<Record<string, string>>;

/** By kind: `core/v1/Service`; `operations` are those of all kinds, `ObjectMeta` is told once. */
export type Described = Readonly<Record<string, Texts>>;

const META = "ObjectMeta";
const OPERATIONS = "operations";

/** Where a server's documents lie: `api/v1`, `apis/dns.gardener.cloud/v1alpha1`. */
export function documentPaths(server: ApiServer): Promise<readonly string[]> {
  return asked(server, async (admin) => pathsOf(await admin.json("GET", "/openapi/v3")));
}

/** Describes the kinds of these documents; waits until the server has all of them. */
export function describeKinds(server: ApiServer, documents: readonly string[]): Promise<Described> {
  return asked(server, async (admin) => {
    await eventually(
      "every document",
      async () => pathsOf(await admin.json("GET", "/openapi/v3")),
      (served) => documents.every((path) => served.includes(path)),
    );
    const read = documents.map((path) => admin.json("GET", `/openapi/v3/${path}`));
    return describedBy((await Promise.all(read)) as readonly Json[]);
  });
}

/** What documents of OpenAPI v3 say. */
export function describedBy(documents: readonly Json[]): Described {
  const kinds = documents.map((document) => kindsOf(at(document, "components", "schemas")));
  const operations = documents.map((document) => operationsOf(at(document, "paths")));
  return { ...merged(kinds), [OPERATIONS]: merged(operations) };
}

const merged = <T>(records: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> =>
  Object.fromEntries(records.flatMap((record) => Object.entries(record)));

async function asked<T>(server: ApiServer, ask: (admin: HttpsCaller) => Promise<T>): Promise<T> {
  const { url, caFile } = server;
  const admin = HttpsCaller.open(url, { caFile, token: server.tokenOf("admin") });
  try {
    return await ask(admin);
  } finally {
    admin.close();
  }
}

/** Of what a server describes, that which another describes, too: same kinds, same paths. */
export function sharedKinds(all: Described, wanted: Described): Described {
  const paths = new Set(Object.keys(wanted[OPERATIONS] ?? {}).map(pathIn));
  return Object.fromEntries(
    Object.keys(wanted)
      .sort()
      .map((kind) => {
        const texts = Object.entries(all[kind] ?? {});
        const isShared = ([key]: [string, string]): boolean => paths.has(pathIn(key));
        return [kind, Object.fromEntries(kind === OPERATIONS ? texts.filter(isShared) : texts)];
      }),
  );
}

/** The path of an operation: `get:/api/v1/secrets?dryRun` without method and parameter. */
const pathIn = (operation: string): string => operation.replace(/^[a-z]+:|\?.*$/g, "");

/**
 * What differs: fields and operations of ours that the other does not have or describes otherwise,
 * and fields that only the other has, without those inside of them.
 */
export function describedDifferences(own: Described, other: Described): readonly Difference[] {
  return Object.entries(own).flatMap(([step, texts]) => {
    const others = other[step] ?? {};
    const changed = Object.entries(texts).filter(([path, text]) => others[path] !== text);
    const absent =
      step === OPERATIONS ? [] : Object.keys(others).filter((path) => isTopMost(path, texts));
    return [
      ...changed.map(([path, text]) => ({ step, path, own: text, other: others[path] })),
      ...absent.map((path) => ({ step, path, own: undefined, other: others[path] })),
    ];
  });
}

/** True for a field that is absent while its parent is there and says what it holds. */
function isTopMost(path: string, texts: Texts): boolean {
  const parent = texts[path.replace(/(\.[^.]+|\[\]|\{\})$/, "")];
  return texts[path] === undefined && parent !== undefined && !parent.startsWith("open");
}

function pathsOf(index: unknown): readonly string[] {
  return Object.keys(at(index as Json, "paths"));
}

/** Served kinds with all their fields; a schema that contains itself is not entered twice. */
function kindsOf(schemas: JsonRecord): Described {
  const found = Object.entries(schemas).flatMap(([name, schema]): [string, Texts][] => {
    if (name.endsWith(`.${META}`)) return [[META, fieldsOf(schema, schemas)]];
    const title = titleOf(name, at(schema));
    return title === null ? [] : [[title, fieldsOf(schema, schemas)]];
  });
  return Object.fromEntries(found);
}

/** Null = no kind of its own: a part, a list, or what all kinds share (DeleteOptions, Status). */
function titleOf(name: string, schema: JsonRecord): string | null {
  const [kind, ...more] = (schema["x-kubernetes-group-version-kind"] ?? []) as readonly Json[];
  const { group, version, kind: title } = at(kind ?? {});
  const isList = String(title).endsWith("List");
  if (kind === undefined || more.length > 0 || isList || name.includes(".meta.")) return null;
  return `${group === "" ? "core" : group}/${version}/${title}`;
}

function fieldsOf(schema: Json, schemas: JsonRecord): Texts {
  const texts: Record<string, string> = {};
  enter({ path: "", schema, isRequired: false, within: [] });
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));

  function enter(node: Node): void {
    const [shape, names] = resolved(at(node.schema), schemas);
    texts[node.path] = `${formOf(shape)}${node.isRequired ? " required" : ""}`;
    const isMeta = names.some((name) => name.endsWith(`.${META}`)) && node.path !== "";
    if (isMeta || names.some((name) => node.within.includes(name))) return;
    const within = [...node.within, ...names];
    const required = (shape["required"] ?? []) as readonly Json[];
    for (const [key, value] of Object.entries(at(shape["properties"] ?? {})))
      enter({
        path: `${node.path}.${key}`,
        schema: value,
        isRequired: required.includes(key),
        within,
      });
    for (const [key, mark] of INSIDE) {
      const value = recordOf(shape[key]);
      if (value !== null)
        enter({ path: `${node.path}${mark}`, schema: value, isRequired: false, within });
    }
  }
}

interface Node {
  readonly path: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  /** Names of the schemas that the node is in. */
  readonly within: readonly string[];
}

const INSIDE = [
  ["items", "[]"],
  ["additionalProperties", "{}"],
] as const;

/** A schema with what it refers to put in, and the names of that. */
function resolved(
  schema: JsonRecord,
  schemas: JsonRecord,
): readonly [JsonRecord, readonly string[]] {
  const pieces = [schema, ...((schema["allOf"] ?? []) as readonly Json[]).map((part) => at(part))];
  const names = pieces.flatMap(({ $ref }) => (typeof $ref === "string" ? [nameIn($ref)] : []));
  const referred = names.map((name) => at(schemas[name] ?? {}));
  return [Object.assign({}, ...referred, schema) as JsonRecord, names];
}

const nameIn = (reference: string): string => reference.replace("#/components/schemas/", "");

/** Type, format, and how lists and objects are merged. */
function formOf(shape: JsonRecord): string {
  const marks = MARKS.flatMap(([key, mark]) => {
    const value = shape[key];
    return value === undefined ? [] : [`${mark}=${String(value)}`];
  });
  const type = typeOf(shape);
  const format = [shape["format"]].filter((text) => text !== undefined && text !== type);
  return [type, ...format, ...marks].join(" ");
}

const MARKS = [
  ["x-kubernetes-list-type", "list"],
  ["x-kubernetes-list-map-keys", "keys"],
  ["x-kubernetes-map-type", "map"],
  ["x-kubernetes-patch-strategy", "patch"],
  ["x-kubernetes-patch-merge-key", "key"],
] as const;

/** Kubernetes describes its own open objects without any field, and texts or numbers by `oneOf`. */
function typeOf(shape: JsonRecord): string {
  if (shape["x-kubernetes-int-or-string"] === true || shape["format"] === "int-or-string")
    return "int-or-string";
  if (shape["x-kubernetes-preserve-unknown-fields"] === true) return "open";
  const { type, oneOf } = shape;
  if (type === undefined) return Array.isArray(oneOf) ? "text-or-number" : "open";
  const isEmpty = shape["properties"] === undefined && shape["additionalProperties"] === undefined;
  return type === "object" && isEmpty ? "open" : String(type);
}

function operationsOf(paths: JsonRecord): Texts {
  const found = Object.entries(paths).flatMap(([path, item]) => {
    const { parameters: shared, ...methods } = at(item);
    return Object.entries(methods).flatMap(([method, value]): [string, string][] => {
      const operation = at(value);
      const action = operation["x-kubernetes-action"];
      const names = [shared, operation["parameters"]].flatMap(queryNames);
      return action === undefined
        ? []
        : [
            [`${method}:${path}`, String(action)],
            ...names.map((name): [string, string] => [`${method}:${path}?${name}`, "query"]),
          ];
    });
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function queryNames(parameters: Json | undefined): readonly string[] {
  return ((parameters ?? []) as readonly Json[]).map((one) => String(at(one)["name"]));
}

/** The object at a path; an empty one where there is none. */
function at(value: Json, ...keys: readonly string[]): JsonRecord {
  let found: Json | undefined = value;
  for (const key of keys) found = recordOf(found)?.[key];
  return recordOf(found) ?? {};
}
