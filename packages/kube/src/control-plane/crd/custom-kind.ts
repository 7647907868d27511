/**
 * Makes the served kinds of a definition: one for each served version, all on the same kept
 * objects.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { FieldError } from "../errors/api-error.ts";
import { isObject, type JsonObject, without } from "../json/json.ts";
import { AGE_COLUMN, NAME_COLUMN } from "../objects/columns.ts";
import { cellAt } from "../objects/json-path.ts";
import { METADATA_SCHEMA } from "../objects/metadata.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { byPreference } from "../objects/version-order.ts";
import { contentSchema, shapeOf, TYPE_FIELDS } from "../schema/schema-shape.ts";
import { SchemaValidator } from "../schema/schema-validate.ts";
import { ruleCheck } from "./cel/rule-check.ts";
import type { Definition, DefinitionVersion } from "./definition.ts";

/** What a definition serves. */
export interface CustomServing {
  /** One kind for each served version; the storage version last, if it is one. */
  readonly served: readonly ServedKind[];
  /** The kind of the storage version, served or not: all objects are kept under it. */
  readonly kept: ServedKind;
}

/**
 * The kinds of a definition. `isRevised`: an object may have been written under another schema or
 * version of it.
 */
export function customKinds(definition: Definition, isRevised: boolean): CustomServing {
  const { versions } = definition;
  const storage = versions.find((version) => version.storage) ?? versions[0];
  invariant(storage !== undefined, `the definition ${definition.name} has no version`);
  const kindOf = (version: DefinitionVersion): ServedKind =>
    customKind({ definition, version, storage: storage.name, isRevised });
  const kept = kindOf(storage);
  const others = versions.filter((version) => version.served && version !== storage).map(kindOf);
  return { kept, served: storage.served ? [...others, kept] : others };
}

interface KindInput {
  readonly definition: Definition;
  readonly version: DefinitionVersion;
  /** Name of the version that objects are kept in. */
  readonly storage: string;
  readonly isRevised: boolean;
}

function customKind(input: KindInput): ServedKind {
  const { definition, version } = input;
  const { group, names, namespaced } = definition;
  const validator = new SchemaValidator(version.schema);
  const rules = ruleCheck(version.schema);
  const storageVersion = `${group}/${input.storage}`;
  const present = presenter(input);
  const unseen = statusDefault(version);
  const { kind, plural } = names;
  const { columns } = version;
  const ref = { group, version: version.name, kind, plural, namespaced };
  return {
    ...PLAIN_KIND,
    ref,
    kept: ref,
    singular: names.singular,
    shortNames: names.shortNames,
    categories: names.categories,
    hasStatus: version.hasStatus,
    unconditionalUpdate: false,
    listKind: names.listKind,
    deprecation: deprecationOf(input),
    custom: true,
    generation: "counted",
    schema: version.schema,
    // A definition without columns shows the age.
    columns: [NAME_COLUMN, ...(columns.length === 0 ? [AGE_COLUMN] : columns)],
    selectable: Object.fromEntries(
      version.selectableFields.map((path) => [
        path.slice(1),
        (object) => String(cellAt(present(object), path) ?? ""),
      ]),
    ),
    present,
    admit: (object) => ({
      ...object,
      ...(object["status"] === undefined ? unseen : {}),
      apiVersion: storageVersion,
    }),
    check: (object, previous): readonly FieldError[] => {
      const shown = { ...object, apiVersion: `${group}/${version.name}` };
      const errors = validator.validate(shown);
      return errors.length > 0 ? errors : rules(shown, previous);
    },
  };
}

/**
 * The default of a status: a creation drops what it was given, and the default is seen all the
 * same, as kube-apiserver fills it in when it reads what it has stored.
 */
function statusDefault({ schema, hasStatus }: DefinitionVersion): JsonObject {
  const status = schema.properties?.["status"];
  if (!hasStatus || status?.default === undefined) return {};
  const options = { nulls: "custom", metadata: METADATA_SCHEMA } as const;
  const { value } = shapeOf({ type: "object", properties: { status } }, {}, options);
  return isObject(value) ? value : {};
}

/**
 * The warning of kube-apiserver (apiextensions-apiserver pkg/apiserver/customresource_handler.go).
 */
function deprecationOf({ definition, version }: KindInput): string | null {
  if (!version.isDeprecated) return null;
  if (version.deprecationWarning !== "") return version.deprecationWarning;
  const { group, names, versions } = definition;
  const [preferred] = versions
    .filter((each) => each.served && !each.isDeprecated)
    .map((each) => each.name)
    .sort(byPreference);
  const isNewer = preferred !== undefined && byPreference(preferred, version.name) < 0;
  const use = isNewer ? `; use ${group}/${preferred} ${names.kind}` : "";
  return `${group}/${version.name} ${names.kind} is deprecated${use}`;
}

/**
 * Objects of another version or an older schema are brought into shape once and remembered as long
 * as they are kept.
 */
function presenter(input: KindInput): (object: StoredObject) => StoredObject {
  const { definition, version, isRevised } = input;
  const apiVersion = `${definition.group}/${version.name}`;
  if (!isRevised && version.name === input.storage) return (object) => object;
  const shaped = new WeakMap<StoredObject, StoredObject>();
  return (object) => {
    const known = shaped.get(object);
    if (known !== undefined) return known;
    const { kind, metadata } = object;
    const content = shapeOf(contentSchema(version.schema), without(object, ...TYPE_FIELDS), {
      nulls: "custom",
      metadata: METADATA_SCHEMA,
    });
    const fields = typeof content.value === "object" ? content.value : {};
    const made: StoredObject = { apiVersion, kind, metadata, ...fields };
    shaped.set(object, made);
    return made;
  };
}
