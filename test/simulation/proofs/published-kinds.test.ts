/** Kinds that others define are as safe as our own, and each clause that says so is needed. */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { playRoute, playServiceEntry, playVirtualService } from "./published-kinds.ts";

test("Z-4, Z-5 a route of Gateway API", playRoute);
test("Z-4, Z-5 a ServiceEntry", playServiceEntry);
test("Z-1, Z-4 a VirtualService", playVirtualService);

interface PublishedClause extends Mutant {
  /** What the story says. */
  readonly dies: RegExp;
}

const CLAUSES: readonly PublishedClause[] = [
  {
    drops: "Z-5 a parent that does not accept a route keeps its names",
    clause: "parent-in-trouble-keeps-names",
    to: "complete: true",
    dies: /^Z-5 the Gateway does not accept it any more/,
  },
  {
    drops: "Z-5 a slip of the key publish takes nothing away",
    clause: "publish-slip-is-a-mistake",
    to: "true",
    dies: /^Z-5 a slip of the key/,
  },
  {
    drops: "Z-2 what is wanted of another type at the name is no wish for this record",
    clause: "other-type-is-no-wish",
    to: "items.some((item) => item.name === key.name)",
    dies: /^Z-2 one type is given up/,
  },
];

test.each(CLAUSES)("without $drops a story ends badly", async ({ dies, ...mutant }) => {
  const module = await importMutated("proofs/published-kinds.ts", mutant);
  // The bundle has just been made from a file of ours that exports these functions.
  const play = module as { playRoute: typeof playRoute; playServiceEntry: typeof playServiceEntry };
  const ends = await Promise.allSettled([play.playRoute(), play.playServiceEntry()]);
  const deaths = ends.flatMap((end) =>
    end.status === "rejected" ? String(end.reason.message) : [],
  );
  expect(deaths.join("\n")).toMatch(dies);
});
