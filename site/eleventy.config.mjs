// The documentation as a site (ADR 0130): `npm run site` writes dist-site/ from README.md and
// docs/. Each link is held to a page and an anchor that are there: a dead one ends the build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import { deadLinks } from "./links.mjs";
import { sectionsOf } from "./sections.mjs";

/** Pages outside of docs/: source → page. */
const ELSEWHERE = {
  "README.md": "index",
  "CONTRIBUTING.md": "contributing",
  "CHANGELOG.md": "changelog",
};
/** A folder with a list of its pages. */
const DECISIONS = "docs/adr";
const CODES = "docs/reference/errors.md";
const CODE_ROW = /^\| `(\w+)` \| (.*) \| (.*) \|$/gm;

const ANCHOR_OR_COMMENT = /^<(?:a id="[^"]+"|\/a|!--.*--)>\s*$/s;

const textOf = (path) => readFileSync(path, "utf8");
/** `docs/guides/page.md` → `guides/page.html`; null = it is no page. */
function pageOf(source) {
  if (source === DECISIONS) return "adr/index.html";
  if (source in ELSEWHERE) return `${ELSEWHERE[source]}.html`;
  return /^docs\/.*\.md$/.test(source) ? `${source.slice("docs/".length, -"md".length)}html` : null;
}
const sourceOf = (page) =>
  Object.keys(ELSEWHERE).find((source) => ELSEWHERE[source] === page) ?? `docs/${page}.md`;

/** The anchor that GitHub gives to a heading, the second time with -1. */
function slugOf(title, used) {
  const slug = title
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replaceAll(/\s/g, "-");
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** Where a link of a source leads; null = to a file that is no page, so that no link is made. */
function addressOf(href, source) {
  const [path, anchor] = href.split("#");
  if (path === "" || /^[a-z]+:/.test(href)) return href;
  const target = join(dirname(source), path).replace(/\/$/, "");
  // What is not there stays as it is, and is told with all dead links.
  if (!existsSync(target) && !target.startsWith("docs/errors/")) return href;
  const page = pageOf(target) ?? (/^docs\/(?!adr)/.test(target) ? target.slice(5) : null);
  if (page === null) return null;
  return relative(dirname(pageOf(source)), page) + (anchor === undefined ? "" : `#${anchor}`);
}

/** Anchors, addresses, wide tables and codes, in the tokens of a page. */
function adapt(markdown, codes, troubles) {
  markdown.core.ruler.push("site", ({ tokens, env }) => {
    const source = sourceOf(env.page.filePathStem.slice(1));
    const used = new Map();
    for (const [index, token] of tokens.entries()) {
      if (token.type === "heading_open")
        token.attrSet(
          "id",
          slugOf(tokens[index + 1].children.map((one) => one.content).join(""), used),
        );
      const links = [];
      for (const child of [token, ...(token.children ?? [])]) {
        if (/^html/.test(child.type) && !ANCHOR_OR_COMMENT.test(child.content))
          troubles.push(`${source}: ${child.content} is a tag; put it into backticks`);
        const key = child.type === "image" ? "src" : "href";
        if (child.type === "link_close") child.tag = links.pop();
        if (child.type !== "link_open" && child.type !== "image") continue;
        const address = addressOf(child.attrGet(key), source);
        if (address === null)
          Object.assign(child, { tag: "span", attrs: [["title", "in the sources"]] });
        else child.attrSet(key, address);
        if (child.type === "link_open") links.push(child.tag);
      }
    }
  });
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
  rules.table_close = () => "</table></div>\n";
  const plain = rules.code_inline;
  rules.code_inline = (tokens, index, options, env, self) => {
    const html = plain(tokens, index, options, env, self);
    const before = tokens.slice(0, index).map(({ nesting }) => nesting);
    const stem = env.page.filePathStem;
    const code = tokens[index].content;
    const isLink = codes.has(code) && stem !== `/errors/${code}`;
    if (!isLink || before.reduce((sum, one) => sum + one, 0) > 0) return html;
    return `<a href="${relative(dirname(stem), `/errors/${code}.html`)}">${html}</a>`;
  };
}

/** A page for each code: its words, and the pages that speak of it. */
function addCodes(config, pages) {
  const codes = new Map();
  for (const [, code, meaning, from] of textOf(CODES).matchAll(CODE_ROW))
    codes.set(code, { meaning: meaning.replaceAll("\\|", "|"), from });
  for (const [code, { meaning, from }] of codes) {
    const says = new RegExp(`\`${code}[\`:]`);
    const speak = pages.filter((page) => page !== CODES && says.test(textOf(page)));
    const more = speak.map((page) => `- [${titleOf(page)}](../../${page})\n`).join("");
    config.addTemplate(
      `errors/${code}.md`,
      `# ${code}\n\n${meaning.replaceAll(/docs\/[\w/-]+\.md/g, "[$&](../../$&)")}\n\n` +
        `Told by ${from}. [All codes](../reference/errors.md)\n\n${more && `## Where else\n\n${more}`}`,
    );
  }
  return codes;
}

const titleOf = (source) => /^# (.+)$/m.exec(textOf(source))[1].replaceAll("`", "");

/** What README lists, in its order: title of the group, and its pages by their words. */
function contentsOf(readme) {
  const list = readme.slice(readme.indexOf("## Documentation"));
  return [...list.matchAll(/^- ([\w ]+): ((?:.|\n {2})+)/gm)].map(([, title, links]) => ({
    title,
    pages: [...links.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, words, source]) => ({
      words: words
        .replace(/^(?!kubectl)[a-z]/, (letter) => letter.toUpperCase())
        .replaceAll("`", ""),
      page: pageOf(source),
    })),
  }));
}

export default function configure(config) {
  const troubles = [];
  const files = readdirSync("docs", { recursive: true }).map((path) => `docs/${path}`);
  const pages = files.filter((path) => path.endsWith(".md")).sort();
  const codes = addCodes(config, [...pages, "README.md"]);
  const decisions = pages.filter((page) => page.startsWith(`${DECISIONS}/`));
  const list = decisions.map(
    (page) => `- [${titleOf(page)}](${page.slice(DECISIONS.length + 1)})\n`,
  );
  config.addTemplate("adr/index.md", `# Decisions\n\n${list.join("")}`);
  for (const source of Object.keys(ELSEWHERE))
    config.addTemplate(`${ELSEWHERE[source]}.md`, textOf(source));
  config.addGlobalData("layout", "frame.11ty.mjs");
  config.addGlobalData("contents", contentsOf(textOf("README.md")));
  config.addGlobalData(
    "permalink",
    () =>
      ({ page }) =>
        `${page.filePathStem}.html`,
  );
  config.amendLibrary("md", (markdown) => adapt(markdown, codes, troubles));
  config.addPassthroughCopy({
    "docs/pictures": "pictures",
    "docs/reference/*.json": "reference",
    "page/theme.css": "theme.css",
    "page/icon.svg": "icon.svg",
    "site/site.css": "site.css",
    "site/search.js": "search.js",
    "node_modules/minisearch/dist/umd/index.js": "minisearch.js",
  });
  config.on("eleventy.after", ({ directories, results }) => {
    const all = [...troubles, ...deadLinks(results, directories.output)];
    if (all.length > 0) throw new Error(`dead links and tags:\n${all.join("\n")}`);
    // A script and no JSON, so that the search works from files, too, where nothing can be fetched.
    const sections = results.flatMap(sectionsOf).sort((a, b) => (a.id < b.id ? -1 : 1));
    const index = `SECTIONS = ${JSON.stringify(sections)};\n`;
    writeFileSync(join(directories.output, "search-index.js"), index);
  });
  return {
    dir: { input: "docs", includes: "../site", output: "dist-site" },
    templateFormats: ["md", "11ty.mjs"],
    markdownTemplateEngine: false,
  };
}
