/**
 * Finds retired words: in declared identifiers and file names by word part, in comments and texts
 * by set phrase. Pure.
 */
import { basename } from "node:path";
import ts from "typescript";
import { commentsOf, nodesOf, syntaxOf } from "./comments.ts";
import { EXCEPTIONS, RETIRED_PARTS, RETIRED_PHRASES } from "./retired-words.ts";
import type { SourceFile } from "./source-files.ts";

/** One place with a retired word. */
export interface Retired {
  /** `src/plan/plan.ts:12`; of a file's name the line is 1. */
  readonly at: string;
  /** The identifier, file name or phrase. */
  readonly text: string;
}

/** Files that have to quote retired words. */
const QUOTES: ReadonlySet<string> = new Set([
  "tools/measure/retired-words.ts",
  "test/tidy/retired-words.test.ts",
]);

/** The words of a camel-case, kebab-case or constant-case name, lower case. */
export function segmentsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((one) => one.toLowerCase());
}

/** Declared identifiers and file names with a retired part, in the order of files and lines. */
export function retiredNames(files: readonly SourceFile[]): readonly Retired[] {
  return files
    .filter(({ path }) => !QUOTES.has(path))
    .flatMap(({ path, text }) => {
      const file = basename(path);
      const named = isRetired(file, path) ? [{ at: `${path}:1`, text: file }] : [];
      if (!hasRetired(text, path)) return named;
      const source = syntaxOf({ path, text });
      return [...named, ...identifiersIn(source)];
    });
}

/**
 * Whether anything in it could be such an identifier: to parse a file is dearer than to look. No
 * comment of whole lines declares one, and no text in quotes.
 */
function hasRetired(text: string, path: string): boolean {
  const code = text.replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)|"(?:[^"\\\n]|\\.)*"/gm, "");
  return [...new Set(code.match(/[\w$]+/g))].some((name) => isRetired(name, path));
}

/** Comments and texts with a retired phrase, also where a line ends within it. */
export function retiredPhrases(files: readonly SourceFile[]): readonly Retired[] {
  const pattern = RETIRED_PHRASES.map((one) => one.replaceAll(" ", "[\\s*/]+")).join("|");
  const phrase = new RegExp(`\\b(?:${pattern})\\b`, "gi");
  return files
    .filter(({ path }) => !QUOTES.has(path))
    .flatMap(({ path, text }) => {
      const matches = [...text.matchAll(phrase)];
      if (matches.length === 0) return [];
      const source = syntaxOf({ path, text });
      const prose = proseOf(source);
      return matches
        .filter(({ index }) => prose.some(({ pos, end }) => index >= pos && index < end))
        .map(({ 0: found, index }) => ({
          at: `${path}:${source.getLineAndCharacterOfPosition(index).line + 1}`,
          text: found.replaceAll(/[\s*/]+/g, " "),
        }));
    });
}

function isRetired(name: string, path: string): boolean {
  return segmentsOf(name).some(
    (part) => RETIRED_PARTS.has(part) && !EXCEPTIONS.some((one) => isExcepted(one, part)),
  );

  function isExcepted(exception: (typeof EXCEPTIONS)[number], part: string): boolean {
    const isTest = exception.below === "test/" && path.endsWith(".test.ts");
    if (!isTest && !path.startsWith(exception.below)) return false;
    return exception.parts === null ? exception.name === name : exception.parts.includes(part);
  }
}

function identifiersIn(source: ts.SourceFile): readonly Retired[] {
  const found: Retired[] = [];
  const visit = (node: ts.Node): void => {
    if (isDeclaredName(node) && isRetired(node.text, source.fileName)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ at: `${source.fileName}:${line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The name of a declaration, of a parameter or of a member; no use of one, and no import. */
function isDeclaredName(node: ts.Node): node is ts.Identifier | ts.PrivateIdentifier {
  if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return false;
  const { parent } = node;
  return (
    "name" in parent &&
    parent.name === node &&
    !ts.isPropertyAccessExpression(parent) &&
    !ts.isImportSpecifier(parent)
  );
}

/** Comments, and texts in quotes. */
function proseOf(source: ts.SourceFile): readonly ts.TextRange[] {
  const texts = nodesOf(source).filter(
    (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node),
  );
  return [...commentsOf(source), ...texts];
}
