/**
 * The forms in which objects are answered: as they are, metadata only, or as rows of a Table
 * (meta.k8s.io v1 and v1beta1). Pure but for the time that ages are counted from.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { apiVersionOf } from "../../objects/kubernetes.ts";
import { type JsonObject, without } from "../json/json.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";

/** The object that each row of a Table has, with its cells. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** How to answer. */
export type Form =
  | { readonly as: "object" }
  | { readonly as: "metadata"; readonly version: MetaVersion }
  | TableForm;

interface TableForm {
  readonly as: "table";
  readonly version: MetaVersion;
  readonly include: IncludeObject;
}

/** Versions of meta.k8s.io. */
export type MetaVersion = "v1" | "v1beta1";

/** What a list carries in its metadata. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Answers objects of one kind in one form. */
export class ObjectForms {
  readonly #kind: ServedKind;
  readonly #form: Form;
  readonly #clock: Clock;

  constructor(kind: ServedKind, form: Form, clock: Clock) {
    this.#kind = kind;
    this.#form = form;
    this.#clock = clock;
  }

  /** Key under which an encoding may be shared by watchers; null = it depends on the time. */
  get sharedKey(): string | null {
    if (this.#form.as === "table") return null;
    if (this.#form.as === "metadata") return `metadata/${this.#form.version}`;
    return `object/${apiVersionOf(this.#kind.ref)}`;
  }

  /** One object. */
  one(object: StoredObject): JsonObject {
    if (this.#form.as === "object") return this.#kind.present(object);
    if (this.#form.as === "metadata") return partial(object.metadata, this.#form.version);
    const { resourceVersion = "" } = object.metadata;
    return this.#table(this.#form, [object], { resourceVersion });
  }

  /** A list. */
  many(objects: readonly StoredObject[], meta: ListMeta): JsonObject {
    const form = this.#form;
    if (form.as === "table") return this.#table(form, objects, meta);
    if (form.as === "metadata")
      return {
        kind: "PartialObjectMetadataList",
        apiVersion: `meta.k8s.io/${form.version}`,
        metadata: meta,
        items: objects.map((object) => partial(object.metadata, form.version)),
      };
    const { ref, listKind, custom } = this.#kind;
    const shown = objects.map(this.#kind.present);
    return {
      kind: listKind ?? `${ref.kind}List`,
      apiVersion: apiVersionOf(ref),
      metadata: meta,
      // Native kinds leave type fields out of their lists; custom objects keep them, as
      // kube-apiserver does.
      items: custom ? shown : shown.map((each) => without(each, "apiVersion", "kind")),
    };
  }

  /** The object of a bookmark event. */
  bookmark(metadata: JsonObject): JsonObject {
    const form = this.#form;
    const { ref } = this.#kind;
    if (form.as === "object") return { kind: ref.kind, apiVersion: apiVersionOf(ref), metadata };
    if (form.as === "metadata") return partial(metadata, form.version);
    return { kind: "Table", apiVersion: `meta.k8s.io/${form.version}`, metadata, rows: [] };
  }

  #table(form: TableForm, kept: readonly StoredObject[], metadata: ListMeta): JsonObject {
    const nowMs = this.#clock.nowMs();
    const objects = kept.map(this.#kind.present);
    const { columns } = this.#kind;
    return {
      kind: "Table",
      apiVersion: `meta.k8s.io/${form.version}`,
      metadata,
      columnDefinitions: columns.map(({ name, type, description, priority }) => ({
        name,
        type,
        format: name === "Name" ? "name" : "",
        description,
        priority,
      })),
      rows: objects.map((object) => ({
        cells: columns.map((column) => column.cell(object, nowMs)),
        object: {
          None: null,
          Metadata: partial(object.metadata, form.version),
          Object: object,
        }[form.include],
      })),
    };
  }
}

function partial(metadata: JsonObject, version: MetaVersion): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}
