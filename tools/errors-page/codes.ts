/**
 * Finds the codes of Problems, OperationErrors, holds, reasons and conditions in source text: string literals in
 * PascalCase that are the value of a property, parameter or variable named `code`, and the keys of *_REASONS tables.
 * Pure.
 */
import ts from "typescript";
import type { SourceFile } from "../measure/source-files.ts";

/** One place where a code is written. */
export interface FoundCode {
  readonly code: string;
  /** File it stands in. */
  readonly path: string;
  /** The message beside it as text, `…` where a value is put in; empty when there is none. */
  readonly message: string;
}

const CODE = /^[A-Z][a-z0-9]+([A-Z][a-z0-9]*)*$/;

/** All codes of one file in the order in which they stand; one code may come several times. */
export function codesIn(file: SourceFile): readonly FoundCode[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found: FoundCode[] = [];
  const add = (literals: readonly string[], beside: ts.Node): void => {
    const message = messageBeside(beside);
    for (const code of literals.filter((text) => CODE.test(text)))
      found.push({ code, path: file.path, message });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && nameOf(node) === "code")
      add(literalsOf(node.initializer), node.parent);
    if (ts.isPropertySignature(node) && nameOf(node) === "code" && node.type !== undefined)
      add(literalsOf(node.type), node.parent);
    if (ts.isVariableDeclaration(node) && isReasonTable(node)) add(keysOf(node), node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node: ts.PropertyAssignment | ts.PropertySignature): string {
  return node.name.getText().replaceAll('"', "");
}

/** `"A"`, `x ? "A" : "B"`, `"A" | "B"`; what is compared in a condition is not a code. */
function literalsOf(node: ts.Node): readonly string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node))
    return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(literalsOf);
  if (ts.isLiteralTypeNode(node)) return literalsOf(node.literal);
  if (ts.isBinaryExpression(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return ts.isBinaryExpression(node) ? literalsOf(node.right) : literalsOf(node.expression);
  return [];
}

function isReasonTable(node: ts.VariableDeclaration): boolean {
  return /_REASONS$/.test(node.name.getText());
}

/** Keys of the outermost object in a table's initializer, through `as const`, `satisfies` and calls. */
function keysOf(node: ts.VariableDeclaration): readonly string[] {
  let object: ts.ObjectLiteralExpression | null = null;
  const visit = (child: ts.Node): void => {
    if (object !== null) return;
    if (ts.isObjectLiteralExpression(child)) object = child;
    else ts.forEachChild(child, visit);
  };
  visit(node);
  const table = object as ts.ObjectLiteralExpression | null;
  return (table?.properties ?? []).flatMap((property) =>
    property.name === undefined ? [] : [property.name.getText().replaceAll('"', "")],
  );
}

function messageBeside(node: ts.Node): string {
  if (!ts.isObjectLiteralExpression(node)) return "";
  for (const property of node.properties) {
    if (ts.isPropertyAssignment(property) && nameOf(property) === "message")
      return textOf(property.initializer);
  }
  return "";
}

/** A literal as people will see it, `…` for what is put in. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join("");
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  return "";
}
