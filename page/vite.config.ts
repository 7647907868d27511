// How the page is built: dist/page/index.html and hashed files beside it, nothing inline, relative
// addresses, because the API server passes the page on below a path of its own (pods/proxy).
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../dist/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
