/** Rules of one version of a definition: columns, subresources, fields for selectors. Pure. */
import type { FieldError } from "../errors/api-error.ts";
import { forbidden, invalid, required } from "../errors/field-faults.ts";
import { parseJsonPath } from "../objects/json-path.ts";
import type { Schema } from "../schema/schema.ts";
import type { DefinitionVersion, PrinterColumn } from "./definition.ts";

/** Selectable fields of a version at most (apiextensions `MaxSelectableFields`). */
const SELECTABLE_MAX = 8;

/** Field errors of a version; `path` is where it stands. */
export function versionErrors(version: DefinitionVersion, path: string): readonly FieldError[] {
  const { deprecationWarning, isDeprecated } = version;
  const isIdle = deprecationWarning !== "" && !isDeprecated;
  const field = `${path}.deprecationWarning`;
  return [
    ...(isIdle
      ? [invalid(field, deprecationWarning, "can only be set for deprecated versions")]
      : []),
    ...version.columns.flatMap((column, index) =>
      columnErrors(column, `${path}.additionalPrinterColumns[${index}]`),
    ),
    ...scaleErrors(version, `${path}.subresources.scale`),
    ...selectableErrors(version, `${path}.selectableFields`),
  ];
}

function columnErrors(column: PrinterColumn, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (column.name === "") errors.push(required(`${path}.name`, ""));
  return [...errors, ...pathErrors(column.jsonPath, `${path}.jsonPath`, ".")];
}

function scaleErrors({ scale }: DefinitionVersion, path: string): readonly FieldError[] {
  if (scale === null) return [];
  const { labelSelectorPath, specReplicasPath, statusReplicasPath } = scale;
  return [
    ...pathErrors(specReplicasPath, `${path}.specReplicasPath`, ".spec."),
    ...pathErrors(statusReplicasPath, `${path}.statusReplicasPath`, ".status."),
    ...(labelSelectorPath === null
      ? []
      : pathErrors(labelSelectorPath, `${path}.labelSelectorPath`, ".")),
  ];
}

function pathErrors(value: string, field: string, start: string): readonly FieldError[] {
  if (value === "") return [required(field, "")];
  if (!value.startsWith("."))
    return [invalid(field, value, "must be a simple json path starting with .")];
  if (parseJsonPath(value) === null)
    return [invalid(field, value, "must be a simple json path in the dot notation")];
  if (!value.startsWith(start))
    return [invalid(field, value, `should be a json path under ${start.slice(0, -1)}`)];
  return [];
}

/** The fields are simple values that the schema knows, and not of metadata. */
function selectableErrors(version: DefinitionVersion, path: string): readonly FieldError[] {
  const fields = version.selectableFields;
  const errors: FieldError[] = [];
  if (fields.length > SELECTABLE_MAX)
    errors.push({
      field: path,
      reason: "FieldValueTooMany",
      value: fields.length,
      detail: `must have at most ${SELECTABLE_MAX} items`,
    });
  for (const [index, value] of fields.entries()) {
    const field = `${path}[${index}].jsonPath`;
    const node = nodeAt(version.schema, parseJsonPath(value) ?? []);
    if (fields.indexOf(value) !== index)
      errors.push({ field, reason: "FieldValueDuplicate", value, detail: "" });
    if (value.startsWith(".metadata"))
      errors.push(forbidden(field, "must not point to fields in metadata"));
    else if (!["string", "boolean", "integer"].includes(node?.type ?? ""))
      errors.push(
        invalid(
          field,
          value,
          "is an invalid path: must point to a field of type string, boolean or integer",
        ),
      );
  }
  return errors;
}

function nodeAt(schema: Schema, steps: readonly string[]): Schema | undefined {
  let node: Schema | undefined = schema;
  for (const step of steps) node = node?.properties?.[step];
  return node;
}
