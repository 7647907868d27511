/**
 * Schemas written as tables: one line for each field, the fields inside of it indented below. A
 * line that begins with # is a comment.
 *
 *     v1/Service                      | A service behind one address or name.
 *       spec                          | What is wanted.
 *         type default=ClusterIP      | ClusterIP, NodePort, LoadBalancer or ExternalName.
 *         ports [] key=port           | The ports.
 *           port! int32               | Port number.
 *
 * `!` = the field is required. A field is text unless a type follows its name: one of `TYPES`, a
 * name of `named`, or a list `[type]` or map `{type}` of these (`[]` and `{}`: of text). A field
 * with fields below it is an object, or a list or map of such objects; `open` = it may have others.
 *
 * Attributes: `default=`, `nullable`, `atomic` (the object or map has one owner),
 * `list=set|atomic|map:KEY,KEY` (x-kubernetes-list-type; without it a list is a map by `key`, else
 * atomic), `merge` and `key=KEY` (strategic merge).
 */

import { invariant } from "@zonekeeper/base/invariant";
import { jsonIn } from "@zonekeeper/base/json-text";
import text from "./built-in.txt" with { type: "text" };
import { type Extra, mergedBy, type Schema } from "./schema.ts";

/** Schemas of the type names. */
const TYPES: Readonly<Record<string, Schema>> = {
  text: { type: "string" },
  bool: { type: "boolean" },
  number: { type: "number" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  time: { type: "string", format: "date-time" },
  "micro-time": { type: "string", format: "micro-time" },
  byte: { type: "string", format: "byte" },
  any: { "x-kubernetes-preserve-unknown-fields": true },
  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  "int-or-string": { "x-kubernetes-int-or-string": true },
};

/** Schemas that a table may name, such as a container that three lists have. */
export type NamedSchemas = Readonly<Record<string, Schema>>;

/** The schemas of a text by name: the lines that are not indented, each with those below it. */
export function schemasIn(text: string, known: NamedSchemas): NamedSchemas {
  const rows = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const schemas: Record<string, Schema> = { ...known };
  for (const [row, below] of withBelow(rows.map(rowOf)))
    schemas[row.name] = fieldOf(row, below, schemas);
  return schemas;
}

interface Row {
  readonly indent: number;
  readonly name: string;
  readonly isRequired: boolean;
  readonly tokens: readonly string[];
  readonly description: string;
}

const LINE = /^( *)([^\s!|]+)(!?)([^|]*)\| (.*)$/;

function rowOf(line: string): Row {
  const match = LINE.exec(line);
  invariant(match !== null, `a line of a schema table cannot be read: ${line}`);
  const [, indent = "", name = "", required, form = "", description = ""] = match;
  const tokens = form.split(" ").filter((token) => token !== "");
  return { indent: indent.length, name, isRequired: required === "!", tokens, description };
}

/** The rows that are indented least, each with those below it. */
function withBelow(rows: readonly Row[]): readonly (readonly [Row, readonly Row[]])[] {
  const indent = rows[0]?.indent ?? 0;
  return rows.flatMap((row, index) => {
    if (row.indent !== indent) return [];
    const next = rows.findIndex((each, at) => at > index && each.indent <= indent);
    return [[row, rows.slice(index + 1, next < 0 ? rows.length : next)] as const];
  });
}

function objectOf(rows: readonly Row[], named: NamedSchemas): Schema {
  const fields = withBelow(rows);
  const required = fields.flatMap(([row]) => (row.isRequired ? [row.name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([row, below]) => [row.name, fieldOf(row, below, named)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

function fieldOf(row: Row, below: readonly Row[], named: NamedSchemas): Schema {
  const { description } = row;
  const [form = "", ...rest] = row.tokens.filter((token) => !ATTRIBUTE.test(token));
  invariant(rest.length === 0, `the field ${row.name} of a schema table has two types`);
  const inner = form.replace(/^[[{](.*)[\]}]$/, "$1");
  const type = TYPES[inner === "" ? "text" : inner] ?? named[inner];
  invariant(type !== undefined, `a schema table has no type ${inner}`);
  const isAtomic = row.tokens.includes("atomic");
  const atomic: Extra = isAtomic ? { "x-kubernetes-map-type": "atomic" } : {};
  const open = inner === "open" ? type : {};
  const value = below.length > 0 ? { ...open, ...objectOf(below, named), ...atomic } : type;
  const own = Object.assign({}, ...row.tokens.map(attributeOf));
  if (form.startsWith("["))
    return { type: "array", description, items: value, ...listTypeOf(own), ...own };
  if (form.startsWith("{"))
    return { type: "object", description, additionalProperties: value, ...atomic, ...own };
  return { ...value, description, ...atomic, ...own };
}

/** A list is one piece unless it says otherwise, or by the key of strategic merges. */
function listTypeOf(own: Extra): Extra {
  if (own["x-kubernetes-list-type"] !== undefined) return {};
  const key = own["x-kubernetes-patch-merge-key"];
  if (key === undefined) return { "x-kubernetes-list-type": "atomic" };
  return { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key] };
}

const ATTRIBUTE = /^(?:default=|nullable$|atomic$|merge$|list=|key=)/;

function attributeOf(token: string): Extra {
  const [name, value = ""] = token.split(/=(.*)/s);
  // `default=30` is a number, `default=TCP` a text.
  if (name === "default") return { default: jsonIn(value) ?? value };
  if (name === "nullable") return { nullable: true };
  if (name === "merge") return { "x-kubernetes-patch-strategy": "merge" };
  if (name === "key") return mergedBy(value);
  if (name !== "list") return {};
  if (value === "set" || value === "atomic") return { "x-kubernetes-list-type": value };
  const keys = value.replace("map:", "").split(",");
  return { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

const OPEN = { "x-kubernetes-preserve-unknown-fields": true } as const;

/**
 * A schema contains itself (apiextensions.k8s.io/v1 JSONSchemaProps). Documents, which cannot
 * contain themselves, show an object of any fields.
 */
const RECURSIVE: Readonly<Record<string, Schema>> = {
  JsonSchema: { type: "object", ...OPEN, resolve: () => builtInSchema("JSONSchemaProps") },
  /** A schema, or true or false. */
  SchemaOrBoolean: { ...OPEN, resolve: () => UNTYPED_KEYWORDS },
};

const SCHEMAS = schemasIn(text, RECURSIVE);
const { type: _object, ...UNTYPED_KEYWORDS } = builtInSchema("JSONSchemaProps");

/** A schema of the file; it has to be there. */
export function builtInSchema(name: string): Schema {
  const schema = SCHEMAS[name];
  invariant(schema !== undefined, `there is no built-in schema ${name}`);
  return schema;
}
