import { play } from "./play.ts";
import { usualScript } from "./script.ts";
export async function many(seeds: readonly number[], only: string | null, more = {}) {
  const out: string[] = [];
  for (const s of seeds) {
    try {
      await play(usualScript(s, only), more);
      out.push(`${s} ok`);
    } catch (e) {
      out.push(`${s} FAIL ${(e as Error).message.split("\n")[0]}`);
    }
  }
  return out;
}
export async function one(seed: number, only: string | null, more = {}) {
  return (await play(usualScript(seed, only), more)).diary;
}
