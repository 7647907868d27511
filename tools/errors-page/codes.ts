/**
 * Finds the codes of Problems, OperationErrors, holds, reasons and conditions in source text:
 * string literals in PascalCase that are the value of a property or constant named `code`, that go
 * to `retryable`, `permanent` or a parameter named `code` of a function in the same file, or that
 * stand between condition and message in a `TroubleRow`, and the keys of *_REASONS tables. Pure.
 */
import ts from "typescript";
import { syntaxOf } from "../measure/comments.ts";
import type { SourceFile } from "../measure/source-files.ts";

/** One place where a code is written. */
export interface FoundCode {
  readonly code: string;
  /** File it stands in. */
  readonly path: string;
  /** The message beside it as text, `…` where a value is put in; empty when there is none. */
  readonly message: string;
  /**
   * True when `message` is written for people who look a code up (a *_REASONS table), and wins over
   * the page.
   */
  readonly authoritative: boolean;
}

const CODE = /^[A-Z][a-z0-9]+([A-Z][a-z0-9]*)*$/;

/** All codes of one file in the order in which they stand; one code may come several times. */
export function codesIn(file: SourceFile): readonly FoundCode[] {
  // To parse a file is dearer than to look.
  if (!/\bcode\b|_REASONS\b|\bTroubleRow\b|\b(retryable|permanent)\(/.test(file.text)) return [];
  const source = syntaxOf(file);
  const positions = codeParameters(source);
  const hasRows = /\bTroubleRow\b/.test(file.text);
  const found: FoundCode[] = [];
  const add = (literals: readonly string[], message: string, authoritative = false): void => {
    for (const code of literals.filter((text) => CODE.test(text)))
      found.push({ code, path: file.path, message, authoritative });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && nameOf(node) === "code")
      add(literalsOf(node.initializer), messageNextTo(node.parent));
    if (ts.isPropertySignature(node) && nameOf(node) === "code" && node.type !== undefined)
      add(literalsOf(node.type), "");
    if (ts.isCallExpression(node)) {
      const code = node.arguments[positions.get(calleeOf(node)) ?? -1];
      if (code !== undefined) add(literalsOf(code), messageAfter(node, code));
    }
    if (ts.isVariableDeclaration(node) && node.name.getText() === "code" && node.initializer)
      add(literalsOf(node.initializer), "");
    if (hasRows && ts.isArrayLiteralExpression(node) && node.elements.length === 3) {
      const [, code, message] = node.elements;
      if (code && message) add(literalsOf(code), textOf(message));
    }
    if (ts.isVariableDeclaration(node) && isReasonTable(node))
      for (const [code, message] of reasonsOf(node)) add([code], message, true);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Functions of the file that take a code, and `retryable` and `permanent` of the base package:
 * name → position of the parameter.
 */
function codeParameters(source: ts.SourceFile): ReadonlyMap<string, number> {
  const positions = new Map([
    ["retryable", 0],
    ["permanent", 0],
  ]);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const position = node.parameters.findIndex(({ name }) => name.getText() === "code");
      const holder = ts.isVariableDeclaration(node.parent) ? node.parent.name : node.name;
      if (position >= 0 && holder !== undefined) positions.set(holder.getText(), position);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return positions;
}

/** `f(…)` → f; `this.#f(…)` → #f. */
function calleeOf(node: ts.CallExpression): string {
  const { expression } = node;
  return ts.isPropertyAccessExpression(expression)
    ? expression.name.getText()
    : expression.getText();
}

/** The first text among the arguments that follow the code. */
function messageAfter(call: ts.CallExpression, code: ts.Expression): string {
  const texts = call.arguments.slice(call.arguments.indexOf(code) + 1).map(textOf);
  return texts.find((text) => text !== "") ?? "";
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

/**
 * Entries of the outermost object in a table's initializer: key → its texts (meaning, remedy) in
 * one line.
 */
function reasonsOf(node: ts.VariableDeclaration): readonly (readonly [string, string])[] {
  let table: ts.ObjectLiteralExpression | null = null;
  const visit = (child: ts.Node): void => {
    if (table !== null) return;
    if (ts.isObjectLiteralExpression(child)) table = child;
    else ts.forEachChild(child, visit);
  };
  visit(node);
  const properties = (table as ts.ObjectLiteralExpression | null)?.properties ?? [];
  return properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property)) return [];
    const { initializer } = property;
    const texts = ts.isObjectLiteralExpression(initializer)
      ? initializer.properties.flatMap((field) =>
          ts.isPropertyAssignment(field) && /^(meaning|remedy)$/.test(nameOf(field))
            ? [textOf(field.initializer)]
            : [],
        )
      : [];
    return [[nameOf(property), texts.join(" ")] as const];
  });
}

function messageNextTo(node: ts.Node): string {
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
