import { regionTroubles } from "../test/simulation/proofs/region-play.ts";
const [from, to] = process.argv.slice(2).map(Number);
let failed = 0;
for (let seed = from!; seed <= to!; seed++) {
  const t = performance.now();
  const troubles = await regionTroubles([seed]);
  if (troubles.length > 0) { failed++; console.log(troubles.join("\n")); }
  if (process.env["V"]) console.log(seed, Math.round(performance.now() - t));
}
console.log(`seeds ${from} to ${to}: ${failed} failed`);
process.exit(0);
