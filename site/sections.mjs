// What the search knows of a page: each heading with the text below it.
const TAGS = /<[^>]*>/g;
const HEADING = /<h[123] id="([^"]+)"[^>]*>(.*?)<\/h[123]>/g;
const SIGNS = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

const plain = (html) =>
  html
    .replaceAll(TAGS, " ")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (sign) => SIGNS[sign])
    .replaceAll(/\s+/g, " ")
    .trim();

/** A section: address below the root, title, title of its page, text. */
export function sectionsOf({ url, content }) {
  const main = content.slice(content.indexOf("<main"), content.indexOf("</main>"));
  const headings = [...main.matchAll(HEADING)];
  const [first] = headings;
  return headings.map((found, index) => ({
    id: `${url.slice(1) || "index.html"}${index === 0 ? "" : `#${found[1]}`}`,
    title: plain(found[2]),
    page: found === first ? "" : plain(first[2]),
    text: plain(main.slice(found.index + found[0].length, headings[index + 1]?.index)),
  }));
}
