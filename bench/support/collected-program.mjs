/** The build, which at SIGUSR2 collects all garbage and says how many MB are in use then. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`in use ${Math.round((heapUsed + external) / 2 ** 20)}\n`);
});
await import("../../dist/zonekeeper.js");
