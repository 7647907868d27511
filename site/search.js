// The search of the documentation, in the browser alone. What it knows is loaded when it is first
// needed. A classic script, because a page from a file may load no module.
(() => {
  const root = document.currentScript.dataset.root;
  const field = document.querySelector("input[type=search]");
  const list = document.getElementById("found");
  const FOUND_MAX = 12;
  const AROUND = 90;
  let index = null;

  const load = (name) =>
    new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${root}/${name}` });
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
  async function indexed() {
    await Promise.all([load("minisearch.js"), load("search-index.js")]);
    const made = new window.MiniSearch({
      fields: ["title", "page", "text"],
      storeFields: ["title", "page", "text"],
      searchOptions: {
        boost: { title: 6, page: 2 },
        prefix: true,
        fuzzy: 0.15,
        combineWith: "AND",
        // A decision says why; who searches asks how, first.
        boostDocument: (id) => (id.startsWith("adr/") ? 0.4 : 1),
      },
    });
    made.addAll(window.SECTIONS);
    return made;
  }
  /** Some words around the first that was found. */
  function excerpt(text, terms) {
    const lower = text.toLowerCase();
    const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
    const at = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - AROUND);
    return `${at > 0 ? "…" : ""}${text.slice(at, at + 2 * AROUND)}…`;
  }
  function row({ id, title, page, text, terms }) {
    const link = Object.assign(document.createElement("a"), {
      href: `${root}/${id}`,
      textContent: title,
    });
    const small = Object.assign(document.createElement("small"), { textContent: page });
    const says = Object.assign(document.createElement("p"), { textContent: excerpt(text, terms) });
    const item = document.createElement("li");
    item.append(link, " ", small, says);
    return item;
  }
  async function show() {
    const asked = field.value.trim();
    if (asked === "") {
      list.hidden = true;
      return;
    }
    index ??= indexed();
    const found = await index.then(
      (made) => made.search(asked).slice(0, FOUND_MAX).map(row),
      () => null,
    );
    if (field.value.trim() !== asked) return;
    const words = found === null ? "The search could not be loaded." : "Nothing has these words.";
    list.replaceChildren(...(found?.length > 0 ? found : [words]));
    list.hidden = false;
  }
  field.addEventListener("input", show);
  field.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") list.querySelector("a")?.click();
    if (key === "Escape") list.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === field || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.focus();
  });
  // Side by side with the text where there is room.
  const pages = document.querySelector("nav details");
  const wide = matchMedia("(min-width: 900px)");
  const fold = () => {
    pages.open = wide.matches;
  };
  wide.addEventListener("change", fold);
  fold();
})();
