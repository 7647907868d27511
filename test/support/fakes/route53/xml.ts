/** As much XML as the API of Route 53 uses: elements and text, no attributes that matter. */

/** An element with its children in their order. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const TOKEN = /<(?<close>\/?)(?<name>[A-Za-z0-9]+)[^>]*?(?<empty>\/?)>|<[?!][^>]*>|(?<text>[^<]+)/g;

/** Throws for what is not well formed. */
export function parseXml(source: string): XmlElement {
  const root = { name: "", children: [] as XmlElement[], text: "" };
  const stack = [root];
  for (const { groups = {} } of source.matchAll(TOKEN)) {
    const top = stack.at(-1) ?? root;
    const { name, text } = groups;
    if (text !== undefined) top.text += unescapeXml(text);
    else if (name === undefined) continue;
    else if (groups["close"] === "/") {
      if (stack.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const element = { name, children: [] as XmlElement[], text: "" };
      top.children.push(element);
      if (groups["empty"] !== "/") stack.push(element);
    }
  }
  const [only] = root.children;
  if (stack.length !== 1 || only === undefined) throw new Error("the document is not complete");
  return only;
}

/** The child of this name; undefined = there is none. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((one) => one.name === name);
}

/** The text of a child; undefined = there is none. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.text;
}

/** `<name>…</name>`; the content is XML already. */
export function xml(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}

function unescapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
  };
  return text.replace(/&(#x?[0-9a-fA-F]+|[a-z]+);/g, (_, code: string) => {
    if (code.startsWith("#x")) return String.fromCodePoint(Number.parseInt(code.slice(2), 16));
    if (code.startsWith("#")) return String.fromCodePoint(Number(code.slice(1)));
    return named[code] ?? "";
  });
}
