/** Commands as documents have them, for tests that run them as they stand. */

/** Texts of the code blocks of a section of a Markdown document; `language` empty = none. */
export function blocksOf(markdown: string, section: string, language = ""): readonly string[] {
  const text = markdown.split(/^## /m).find((one) => one.startsWith(section)) ?? "";
  return [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].flatMap(([, of = "", block = ""]) =>
    of === language ? [block] : [],
  );
}

/**
 * What a person types in the `console` blocks of a section: what follows `$ `, here-documents with
 * it.
 */
export function commandsOf(markdown: string, section: string): readonly string[] {
  return promptedLines(blocksOf(markdown, section, "console").join(""));
}

/** As `commandsOf`, in blocks without a language. */
export function commandsIn(markdown: string, section: string): readonly string[] {
  return promptedLines(blocksOf(markdown, section).join(""));
}

/** Commands within sentences, in the order of the text, each once. */
export function inlineCommandsIn(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, "");
  return [...new Set(prose.match(/(?<=`)(?:kubectl|zonekeeper) [^`]+(?=`)/g) ?? [])];
}

function promptedLines(text: string): readonly string[] {
  const commands: string[] = [];
  let isInHereDocument = false;
  for (const line of text.split("\n")) {
    if (isInHereDocument) commands.push(`${commands.pop()}\n${line}`);
    else if (line.startsWith("$ ")) commands.push(line.slice(2));
    if (line.includes("<<'EOF'")) isInHereDocument = true;
    else if (line === "EOF") isInHereDocument = false;
  }
  return commands;
}
