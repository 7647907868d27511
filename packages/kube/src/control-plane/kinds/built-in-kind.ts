/** A built-in kind from what is special about it. */
import { apiVersionOf, type KindRef } from "../../objects/kubernetes.ts";
import { cellAt } from "../objects/json-path.ts";
import { PLAIN_KIND, type ServedKind } from "../objects/served-kind.ts";
import { builtInSchema } from "../schema/schema-table.ts";

/** The properties that each kind gives; the others have defaults. */
type Own = Partial<ServedKind> & Pick<ServedKind, "columns">;

/** The kind; its singular is its name in lower case, and its schema that of `built-in.txt`. */
export function builtInKind(ref: KindRef, own: Own): ServedKind {
  const schema = builtInSchema(`${apiVersionOf(ref)}/${ref.kind}`);
  return { ...PLAIN_KIND, ref, kept: ref, singular: ref.kind.toLowerCase(), ...own, schema };
}

/** Field selectors for the values at these paths. */
export function selectableAt(...paths: readonly string[]): ServedKind["selectable"] {
  return Object.fromEntries(
    paths.map((path) => [path, (object) => String(cellAt(object, `.${path}`) ?? "")]),
  );
}
