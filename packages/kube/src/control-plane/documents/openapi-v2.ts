/**
 * OpenAPI v2 of the served kinds as protobuf (gnostic openapi.v2.Document), with what kubectl
 * before 1.27 reads of it to validate, to explain and to decide about dry runs (ADR 0139); and what
 * the documents of both versions call things.
 */
import { joinedBytes } from "@zonekeeper/base/bytes";
import { apiVersionOf } from "../../objects/kubernetes.ts";
import { METADATA_SCHEMA } from "../objects/metadata.ts";
import type { ServedKind } from "../objects/served-kind.ts";
import { type Encoded, messageField, textField } from "../protobuf/protobuf-fields.ts";
import type { Schema } from "../schema/schema.ts";

/** Title and version of the API. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
}

/** The schema of `metadata`. */
export const META_NAME = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** `cloud.gardener.dns.v1alpha1.DNSEntry`, `io.k8s.api.core.v1.Service`. */
export function schemaName(kind: ServedKind): string {
  const { group, version, kind: name } = kind.ref;
  const reversed = group === "" ? "io.k8s.api.core" : group.split(".").reverse().join(".");
  return `${reversed}.${version}.${name}`;
}

/** `api/v1`, `apis/dns.gardener.cloud/v1alpha1`. */
export function versionPath(kind: ServedKind): string {
  return kind.ref.group === "" ? `api/${kind.ref.version}` : `apis/${apiVersionOf(kind.ref)}`;
}

/** `/apis/dns.gardener.cloud/v1alpha1/namespaces/{namespace}/dnsentries`. */
export function collectionPath(kind: ServedKind): string {
  const namespace = kind.ref.namespaced ? "namespaces/{namespace}/" : "";
  return `/${versionPath(kind)}/${namespace}${kind.ref.plural}`;
}

/** The value of `x-kubernetes-group-version-kind`. */
export function groupVersionKind({ ref }: Pick<ServedKind, "ref">): object {
  return { group: ref.group, version: ref.version, kind: ref.kind };
}

/** Query parameters of what writes. */
export const WRITE_PARAMETERS = ["dryRun", "fieldManager", "fieldValidation"];

/** The schema of a kind as OpenAPI shows it, with `metadata` as the document refers to it. */
export function shownSchema<T>(kind: ServedKind, metadata: T) {
  const properties = {
    apiVersion: { type: "string", description: "API version of this object." },
    kind: { type: "string", description: "Kind of this object." },
    ...kind.schema.properties,
    metadata: { description: "Metadata that every object has.", ...metadata },
  } as const;
  const identity = [groupVersionKind(kind)];
  return { ...kind.schema, properties, "x-kubernetes-group-version-kind": identity };
}

/** A schema of the v2 document: our schema, a reference, or either with a kind's identity. */
interface Definition extends Omit<Schema, "properties" | "additionalProperties" | "items"> {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly additionalProperties?: Definition | boolean;
  readonly items?: Definition;
  readonly "x-kubernetes-group-version-kind"?: readonly object[];
}

/** The document. */
export function openApiV2(kinds: readonly ServedKind[], info: ApiInfo): Uint8Array {
  const definitions = kinds.flatMap((kind) =>
    named(1, schemaName(kind), schemaFields(shownSchema(kind, METADATA))),
  );
  return joinedBytes([
    ...textField(1, "2.0"),
    ...messageField(2, [...textField(1, info.title), ...textField(2, info.version)]),
    ...messageField(8, kinds.flatMap(pathFields)),
    ...messageField(9, [...named(1, META_NAME, schemaFields(METADATA_SCHEMA)), ...definitions]),
  ]);
}

const METADATA = { $ref: `#/definitions/${META_NAME}` };

/** NamedPathItem { name = 1, value = 2 { patch = 8 } }. */
function pathFields(kind: ServedKind): Encoded {
  const parameters = WRITE_PARAMETERS.flatMap((name) => {
    const query = [...textField(2, "query"), ...textField(4, name), ...textField(6, "string")];
    // ParametersItem.parameter = 1, Parameter.non_body_parameter = 2, query_parameter_sub_schema =
    // 3.
    return messageField(8, messageField(1, messageField(2, messageField(3, query))));
  });
  const identity = extension(13, "x-kubernetes-group-version-kind", groupVersionKind(kind));
  const responses = messageField(9, []);
  const patch = messageField(8, [...parameters, ...responses, ...identity]);
  return named(2, `${collectionPath(kind)}/{name}`, patch);
}

/** A Named… message { name = 1, value = 2 } as field `number`. */
function named(number: number, name: string, value: Encoded): Encoded {
  return messageField(number, [...textField(1, name), ...messageField(2, value)]);
}

/** NamedAny { name = 1, value = 2 Any { yaml = 2 } }; JSON is YAML. */
function extension(number: number, name: string, value: unknown): Encoded {
  return named(number, name, textField(2, JSON.stringify(value)));
}

/** openapi.v2.Schema. */
function schemaFields(definition: Definition): Encoded {
  const isIntOrText = definition["x-kubernetes-int-or-string"] === true;
  const type = isIntOrText ? "string" : definition.nullable === true ? undefined : definition.type;
  return [
    ...textField(1, definition.$ref),
    ...textField(2, isIntOrText ? "int-or-string" : definition.format),
    ...textField(4, definition.description),
    ...(definition.required ?? []).flatMap((name) => textField(19, name)),
    ...(type === undefined ? [] : messageField(22, textField(1, type))),
    ...childFields(definition),
    ...Object.entries(definition)
      .filter(([key]) => key.startsWith("x-kubernetes-"))
      .flatMap(([key, value]) => extension(31, key, value)),
  ];
}

/**
 * additional_properties = 21 { schema = 1 }, items = 23 { schema = 1 }, properties = 25 { Named = 1
 * }.
 */
function childFields(definition: Definition): Encoded {
  const { additionalProperties, items } = definition;
  // Where anything goes, naming some fields would make a strict client refuse the others.
  const isOpen = definition["x-kubernetes-preserve-unknown-fields"] === true;
  const properties = isOpen ? {} : (definition.properties ?? {});
  const fields = Object.entries(properties).flatMap(([name, child]) =>
    named(1, name, schemaFields(child)),
  );
  return [
    ...(typeof additionalProperties === "object"
      ? messageField(21, messageField(1, schemaFields(additionalProperties)))
      : []),
    ...(items === undefined ? [] : messageField(23, messageField(1, schemaFields(items)))),
    ...(fields.length === 0 ? [] : messageField(25, fields)),
  ];
}
