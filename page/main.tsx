/** The page of an instance: what its API tells, for people. It decides nothing and stores nothing. */
import { render } from "preact";
import { App } from "./app.tsx";
import { showPrintable } from "./parts/printable-text.ts";

showPrintable();
const root = document.getElementById("page");
if (root !== null) render(<App />, root);
