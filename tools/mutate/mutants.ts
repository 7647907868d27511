/**
 * Makes the mutants of one file (TypeScript 6; version 7 has no API of this kind yet): one text
 * that holds all of them, each behind `$mutant(id)`, so that a file is compiled once. Pure. What
 * `invariant` is asked is left alone: no test can fail it.
 */
import ts from "typescript";
import type { SourceFile } from "../measure/source-files.ts";

/** One change of one place. */
export interface Mutant {
  /** Different for each mutant of a run. */
  readonly id: number;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The source text and the text of the mutant, on one line. */
  readonly what: string;
}

/** A file with all its mutants asleep: it does what the file does while `$mutant` answers false. */
export interface Mutated {
  readonly text: string;
  /** Outer places first, ids from the first one up. */
  readonly mutants: readonly Mutant[];
}

const { SyntaxKind } = ts;

/** Operators and what they become. */
const OPERATORS: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, ["!=="]],
  [SyntaxKind.ExclamationEqualsEqualsToken, ["==="]],
  [SyntaxKind.LessThanToken, ["<=", ">="]],
  [SyntaxKind.LessThanEqualsToken, ["<", ">"]],
  [SyntaxKind.GreaterThanToken, [">=", "<="]],
  [SyntaxKind.GreaterThanEqualsToken, [">", "<"]],
  [SyntaxKind.PlusToken, ["-"]],
  [SyntaxKind.MinusToken, ["+"]],
]);

const LOGICAL: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
]);

/** Methods and what they become; null = the call is dropped, what it was called on stays. */
const METHODS: ReadonlyMap<string, string | null> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["min", "max"],
  ["max", "min"],
  ["filter", null],
  ["sort", null],
  ["slice", null],
]);

/** Methods whose callback answers true or false. */
const TAKES_PREDICATE: ReadonlySet<string> = new Set([
  "filter",
  "some",
  "every",
  "find",
  "findIndex",
]);

/** The file with its mutants. Those of one place are next to each other. */
export function mutate({ path, text }: SourceFile, firstId: number): Mutated {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const rendered = (node: ts.Node): string => {
    if (isLeftAlone(node)) return node.getText();
    const ids = [...new Set(variantsOf(node))].map((variant) => {
      const id = firstId + mutants.length;
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      mutants.push({ id, path, line, what: `${oneLine(node.getText())} -> ${oneLine(variant)}` });
      return { id, variant };
    });
    const own = withChildren(node, rendered);
    if (ids.length === 0) return own;
    const choices = ids.map(({ id, variant }) => `$mutant(${id}) ? (${variant}) : `).join("");
    return `(${choices}(${own}))`;
  };
  const head = text.slice(0, source.getStart());
  return { text: `${head}${rendered(source)}\n`, mutants };
}

/** The node's own text around that of its children. */
function withChildren(node: ts.Node, rendered: (child: ts.Node) => string): string {
  const text = node.getSourceFile().text;
  let [result, at] = ["", node.getStart()];
  ts.forEachChild(node, (child) => {
    result += text.slice(at, child.getStart()) + rendered(child);
    at = child.getEnd();
  });
  return result + text.slice(at, node.getEnd());
}

/** Types, names, and what asks for bugs: nothing there is behaviour that a test can see. */
function isLeftAlone(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isCallExpression(node) && node.expression.getText() === "invariant")
  );
}

/** What may stand in the node's place, as text. */
function variantsOf(node: ts.Node): readonly string[] {
  if (!ts.isExpression(node) || isNameOrTarget(node) || isInsideChain(node)) return [];
  const text = node.getText();
  return [...positionVariants(node), ...chainVariants(node), ...kindVariants(node)].filter(
    (variant) => variant !== text,
  );
}

/** By where it stands. */
function positionVariants(node: ts.Expression): readonly string[] {
  const { parent } = node;
  if (ts.isExpressionStatement(parent)) return ["undefined"];
  if (ts.isForOfStatement(parent) && parent.expression === node) return ["[]"];
  if ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node)
    return ts.isIfStatement(parent) ? ["true", "false"] : ["false"];
  if (ts.isForStatement(parent)) return parent.condition === node ? ["false"] : [];
  if (ts.isConditionalExpression(parent)) return parent.condition === node ? ["true", "false"] : [];
  const answered = answeredBy(node);
  if (answered === null) return [];
  const type = answered.type?.getText() ?? "";
  if (isPredicate(answered) || /^(Promise<)?boolean>?$| is /.test(type)) return ["true", "false"];
  return /\bnull\b/.test(type) ? ["null"] : [];
}

/** The function whose answer the expression is, or null. */
function answeredBy(node: ts.Expression): ts.SignatureDeclaration | null {
  const { parent } = node;
  if (ts.isArrowFunction(parent)) return parent.body === node ? parent : null;
  if (!ts.isReturnStatement(parent)) return null;
  return ts.findAncestor(parent, ts.isFunctionLike) ?? null;
}

function isPredicate(node: ts.SignatureDeclaration): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression))
    return false;
  return TAKES_PREDICATE.has(parent.expression.name.text);
}

/** `a?.b` without its question. */
function chainVariants(node: ts.Expression): readonly string[] {
  const variants: string[] = [];
  const [start, text] = [node.getStart(), node.getText()];
  for (let at: ts.Node = node; ts.isOptionalChain(at); at = at.expression) {
    const question = "questionDotToken" in at ? at.questionDotToken : undefined;
    if (question === undefined) continue;
    const isDot = ts.isPropertyAccessChain(at);
    const rest = text.slice(question.getEnd() - start);
    variants.push(`${text.slice(0, question.getStart() - start)}${isDot ? "." : ""}${rest}`);
  }
  return variants;
}

/** By what it is. */
function kindVariants(node: ts.Expression): readonly string[] {
  if (node.kind === SyntaxKind.TrueKeyword) return ["false"];
  if (node.kind === SyntaxKind.FalseKeyword) return ["true"];
  if (ts.isStringLiteralLike(node)) return [node.text === "" ? '"mutated"' : '""'];
  if (ts.isTemplateExpression(node)) return ['""'];
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return [node.operand.getText()];
  if (ts.isBinaryExpression(node)) return binaryVariants(node);
  if (ts.isArrayLiteralExpression(node)) return arrayVariants(node);
  return ts.isCallExpression(node) ? callVariants(node) : [];
}

function binaryVariants({ left, operatorToken, right }: ts.BinaryExpression): readonly string[] {
  const [a, b] = [left.getText(), right.getText()];
  if (LOGICAL.has(operatorToken.kind)) return [a, b];
  return (OPERATORS.get(operatorToken.kind) ?? []).map((operator) => `${a} ${operator} ${b}`);
}

function arrayVariants({ elements }: ts.ArrayLiteralExpression): readonly string[] {
  const texts = elements.map((element) => element.getText());
  if (texts.length === 0) return ['["mutated"]'];
  return ["[]", ...texts.map((_, index) => `[${texts.toSpliced(index, 1).join(", ")}]`)];
}

function callVariants({ expression, arguments: given }: ts.CallExpression): readonly string[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const other = METHODS.get(expression.name.text);
  if (other === undefined) return [];
  const on = expression.expression.getText();
  return [other === null ? on : `${on}.${other}(${given.map((one) => one.getText()).join(", ")})`];
}

/** A property's name, or what is written to. */
function isNameOrTarget(node: ts.Expression): boolean {
  const { parent } = node;
  if ("name" in parent && parent.name === node) return true;
  if (ts.isTaggedTemplateExpression(parent)) return true;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return true;
  return (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === SyntaxKind.EqualsToken &&
    parent.left === node
  );
}

/** In parentheses of its own it would no longer end with the chain. */
function isInsideChain(node: ts.Expression): boolean {
  const { parent } = node;
  return ts.isOptionalChain(node) && ts.isOptionalChain(parent) && parent.expression === node;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 60)}…${line.slice(-28)}` : line;
}
