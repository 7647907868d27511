/** Tests the text about undone changes. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { UndoDocument, UndoRow } from "../../../api/documents.ts";
import { undoText } from "./undo-text.ts";

const ROW: UndoRow = {
  ...{ zone: trustedDnsName("example.org"), name: trustedDnsName("www.example.org"), type: "A" },
  ...{ setIdentifier: null, state: "would", reason: "" },
  from: { values: ["192.0.2.2"], ttlSeconds: 300 },
  ...{ to: null, again: "service/a/b wants 192.0.2.2: correct it" },
};

function shown(changes: readonly UndoRow[], more: Partial<UndoDocument> = {}): string {
  const schema = "zonekeeper.dev/undo/v1";
  return undoText({ schema, changes, shown: "same", isDone: false, unknown: [], ...more });
}

test("what would be undone, what would change it again, and how it is done", () => {
  expect(shown([ROW])).toBe(
    `would be undone: www.example.org A in example.org: 192.0.2.2 ttl 300 -> no record
    service/a/b wants 192.0.2.2: correct it
The same with --yes does it, and pauses this name until resumed.
`,
  );
});

test("a record that is not undone says why, and nothing is offered", () => {
  const left = {
    ...ROW,
    state: "left",
    again: null,
    reason: "somebody changed it \u001b[31m",
  } as const;
  expect(shown([left])).toBe(
    "left: www.example.org A in example.org: 192.0.2.2 ttl 300 -> no record: somebody changed it \\u001b[31m\n",
  );
});

test("what was done ends with the end of the pause", () => {
  const done = { ...ROW, state: "undone", again: null } as const;
  expect(shown([done], { isDone: true })).toContain(
    "Paused: this name. zonekeeper resume --name NAME ends it.\n",
  );
  expect(shown([])).toBe("There is nothing to undo.\n");
  expect(shown([ROW], { shown: "changed" })).toContain("not as it was shown before");
});
