/**
 * docs/reference/library.md: the exports of each entry of the package `zonekeeper`, without
 * comments and bodies, so that a change of the surface is seen in review.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { LIBRARY } from "../script/library.mjs";

const HEAD = `# What the package exports

\`npm run generate\` writes this page from the entries of \`package.json\`; what each export means is in its docstring. A change here that an existing plug-in
module would not survive is another \`api\` ([ADR 0109](../adr/0109-plug-in-modules.md)). How to use it: [extend](../guides/extend.md).
`;

/** The page as it is to be. */
export function libraryPage(): string {
  const sections = Object.entries(LIBRARY).map(([entry, path]) => {
    const exported = exportsOf(path).sort((a, b) => (a.name < b.name ? -1 : 1));
    const texts = exported.map(({ name, from }) => declarationIn(from, name));
    return `\n## zonekeeper/${entry}\n\n\`\`\`ts\n${texts.join("\n")}\n\`\`\`\n`;
  });
  return HEAD + sections.join("");
}

interface Exported {
  readonly name: string;
  /** Path of the file that declares it. */
  readonly from: string;
}

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

function exportsOf(path: string): Exported[] {
  return parsed(path).statements.flatMap((one): readonly Exported[] => {
    if (!ts.isExportDeclaration(one))
      return isExported(one) ? [{ name: nameOf(one), from: path }] : [];
    const { exportClause, moduleSpecifier } = one;
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
    const from = moduleSpecifier?.getText().slice(1, -1) ?? "";
    return exportClause.elements.map(({ name }) => ({ name: name.text, from: fileOf(from, path) }));
  });
}

function fileOf(specifier: string, importer: string): string {
  const [scope, name = "", ...rest] = specifier.split("/");
  if (scope === "@zonekeeper") return `packages/${name}/src/${rest.join("/")}.ts`;
  return join(dirname(importer), specifier);
}

function isExported(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

function nameOf(node: ts.Statement): string {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations[0]?.name.getText() ?? "";
  return "name" in node ? String((node.name as ts.Identifier).text) : "";
}

function declarationIn(path: string, name: string): string {
  const file = parsed(path);
  const found = file.statements.find((one) => isExported(one) && nameOf(one) === name);
  if (found === undefined) throw new Error(`${path} declares no ${name}`);
  if (ts.isClassDeclaration(found)) {
    const members = found.members.filter((one) => !/^(readonly )?#/.test(one.getText()));
    const head = found.getText().slice(0, found.getText().indexOf("{"));
    return `${plain(head)}{\n${members.map((one) => `  ${signature(one)};`).join("\n")}\n}`;
  }
  if (ts.isVariableStatement(found)) return `${plain(found.getText().split(" = ")[0] ?? "")};`;
  return ts.isFunctionDeclaration(found) ? `${signature(found)};` : plain(printer(found, file));
}

/** Without body and value. */
function signature(node: ts.Node): string {
  const end = "body" in node ? (node.body as ts.Node | undefined)?.getStart() : undefined;
  const text = node.getText();
  const head =
    end === undefined ? (text.split(" = ")[0] ?? "") : text.slice(0, end - node.getStart());
  return plain(head).replace(/;$/, "");
}

function printer(node: ts.Node, file: ts.SourceFile): string {
  return ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Unspecified, node, file);
}

/** In one line where it is one in the source, too. */
function plain(text: string): string {
  return text
    .replace(/^export /, "")
    .replace(/\/\*\*[\s\S]*?\*\/\s*/g, "")
    .trim();
}
