/** The report of `shadow` for people: counts first, then what differs and why. Pure. */
import { SHARED_OWNER } from "../../../model/external-dns-rules.ts";
import { printable } from "../../../model/printable.ts";
import { wouldText } from "../ask/texts/plan-lines.ts";
import type { ShadowDocument, ShadowName } from "./report.ts";

const VERDICTS: Readonly<Record<ShadowDocument["verdict"], string>> = {
  equal: "Equal: this program would change nothing.",
  different: "Different: what is listed above would not be as it is.",
  unknown: "Unknown: something could not be read, so nothing is said of the rest.",
};

const MAY_BE_OF_OTHERS = ` Each external-dns without an owner id of its own has ${SHARED_OWNER}: these may be of another cluster.`;

/** A closing newline. */
export function shadowText(document: ShadowDocument): string {
  const { zones, names, unserved, unknown, absent, verdict, owner, policy } = document;
  const of = (state: ShadowName["state"]): readonly ShadowName[] =>
    names.filter((one) => one.state === state);
  const blocks = [
    [
      `Shadow: owner id ${owner}, policy ${policy}. Nothing was written.`,
      ...zones.map(
        ({ name, provider, counts }) =>
          `zone ${name} (${provider}): ${counts.equal} equal, ${counts.different} different, ${counts.orphan} orphans, ${counts.foreign} left to others`,
      ),
    ],
    titled("Different:", of("different").map(differentLine)),
    titled(
      `Orphans: they have the owner id, and no object here wants them.${owner === SHARED_OWNER ? MAY_BE_OF_OTHERS : ""}`,
      of("orphan").map(({ message, ...one }) => `${keyText(one)}: ${message}`),
    ),
    titled("Left to their other owner:", of("foreign").map(differentLine)),
    titled(
      "Not served:",
      unserved.map((one) => `${one.name} of ${one.object}: ${one.state}: ${one.message}`),
    ),
    titled("Not known:", unknown),
    titled("Not installed, and read as soon as their definitions are:", absent),
    [VERDICTS[verdict]],
  ];
  const full = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${full.join("\n\n")}\n`;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${printable(line)}`)];
}

function keyText({ name, type, setIdentifier, object }: Omit<ShadowName, "message">): string {
  const member = setIdentifier === null ? "" : ` [${setIdentifier}]`;
  return `${name} ${type}${member}${object === null ? "" : ` of ${object}`}`;
}

function differentLine(one: ShadowName): string {
  const { item } = one;
  if (item === null) return keyText(one);
  const heldOp = item.op === "held" ? item.heldOp : item.op;
  const would = wouldText({ ...item, heldOp });
  return `${keyText(one)}: ${would === "" ? "" : `${would}; `}${item.code}: ${item.message}`;
}
