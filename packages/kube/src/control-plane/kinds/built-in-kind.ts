/** A built-in kind from what is special about it. */
import type { KindRef } from "../../objects/kubernetes.ts";
import { cellAt } from "../objects/json-path.ts";
import { PLAIN_KIND, type ServedKind } from "../objects/served-kind.ts";

/** The properties that each kind gives; the others have defaults. */
type Own = Partial<ServedKind> & Pick<ServedKind, "schema" | "columns">;

/** The kind; its singular is its name in lower case. */
export function builtInKind(ref: KindRef, own: Own): ServedKind {
  return { ...PLAIN_KIND, ref, kept: ref, singular: ref.kind.toLowerCase(), ...own };
}

/** Field selectors for the values at these paths. */
export function selectableAt(...paths: readonly string[]): ServedKind["selectable"] {
  return Object.fromEntries(
    paths.map((path) => [path, (object) => String(cellAt(object, `.${path}`) ?? "")]),
  );
}
