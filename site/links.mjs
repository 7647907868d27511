// Links of the built site. Addresses of others are not asked.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** `guides/page.html → ../x.html#y` for each that leads to no file, or to no anchor of a page. */
export function deadLinks(results, folder) {
  const pages = new Map(
    results.map(({ outputPath, content }) => [
      join(outputPath),
      { content, ids: new Set([...content.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)) },
    ]),
  );
  return [...pages].flatMap(([path, { content }]) =>
    [...content.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, href]) => href)
      .filter((href) => !/^[a-z]+:/.test(href) && !leads(href, path))
      .map((href) => `${path.slice(join(folder).length)} → ${href}`),
  );
  function leads(href, path) {
    const [file, anchor] = href.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (anchor !== undefined)
      return pages.get(target)?.ids.has(decodeURIComponent(anchor)) === true;
    return pages.has(target) || existsSync(target);
  }
}
