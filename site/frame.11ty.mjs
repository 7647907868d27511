// The frame of each page. Nothing is inline and nothing comes from elsewhere, and addresses are
// relative: the site works below any path, and from files.
import { dirname, relative } from "node:path/posix";

const CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

export function render({ content, contents, page }) {
  const path = `${page.filePathStem.slice(1)}.html`;
  const to = (target) => relative(dirname(path), target);
  const title = /<h1[^>]*>(.*?)<\/h1>/.exec(content)?.[1].replaceAll(/<[^>]*>/g, "") ?? path;
  const headings = [...content.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)];
  const here = headings.map(
    ([, id, words]) => `<li><a href="#${id}">${words.replaceAll(/<\/?a[^>]*>/g, "")}</a></li>`,
  );
  const nav = contents.map(
    ({ title: group, pages }) => `<h2>${group}</h2>
<ul>${pages.map((one) => `<li><a href="${to(one.page)}"${one.page === path ? ' aria-current="page"' : ""}>${one.words}</a></li>`).join("")}</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CSP}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title === "Zonekeeper" ? title : `${title} · Zonekeeper`}</title>
<link rel="icon" href="${to("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${to("theme.css")}">
<link rel="stylesheet" href="${to("site.css")}">
<script src="${to("search.js")}" data-root="${to(".") || "."}" defer></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header>
<a class="brand" href="${to("index.html")}">Zonekeeper</a>
<search><label><span class="hidden">Search the documentation</span><input type="search" placeholder="Search: a word, an option, a code" aria-controls="found"></label><ol id="found" hidden></ol></search>
</header>
<div class="sides">
<nav aria-label="Pages"><details><summary>All pages</summary>${nav.join("\n")}</details></nav>
<main id="main">
${here.length < 3 ? "" : `<details class="here"><summary>On this page</summary><ul>${here.join("")}</ul></details>`}
${content}
</main>
</div>
</body>
</html>
`;
}
