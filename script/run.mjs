// Runs a TypeScript file of ours with its arguments, in this process.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundled } from "./bundle.mjs";

const [entry, ...rest] = process.argv.slice(2);
const script = await bundled(entry, "run", { sourcemap: true });
process.argv = [process.argv[0], resolve(entry), ...rest];
await import(pathToFileURL(script).href);
