import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryHistory } from "../../../../../test/support/name-server/arbitrary-update.ts";
import { updateFromText, updateOf } from "../../../../../test/support/name-server/update-text.ts";
import {
  APEX,
  textOf,
  zoneFromText,
  zoneText,
} from "../../../../../test/support/name-server/zone-text.ts";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { queryMessage } from "../../wire/message/compose.ts";
import type { ResourceRecord } from "../../wire/message/message.ts";
import type { ZoneState } from "../hosting/zone-store.ts";
import { evaluateUpdate } from "../update/evaluate-update.ts";
import { DEFAULT_JOURNAL_LIMITS, Journal } from "../zone/journal.ts";
import { allRecords, recordsSince, serialHeld } from "./transfer-out.ts";

const start = (text = ""): ZoneState => ({
  version: zoneFromText(text),
  journal: new Journal(DEFAULT_JOURNAL_LIMITS, 0, []),
});

function step(state: ZoneState, message: ReturnType<typeof updateOf>): ZoneState {
  const { change } = evaluateUpdate(state.version, message);
  if (change === null || change.delta === null) return state;
  return { version: change.version, journal: state.journal.with([change.delta]) };
}

/**
 * What a secondary does with the answer (RFC 1995 §4), written apart from the server: the SOA that
 * comes second says which kind it is.
 */
function secondary(
  held: readonly ResourceRecord[],
  answer: readonly ResourceRecord[],
): readonly ResourceRecord[] {
  const [newest, second] = answer;
  if (newest === undefined || second === undefined) return held;
  if (second.type !== "SOA") return answer.slice(0, -1);
  let zone = held;
  let adding = true;
  for (const record of answer.slice(1, -1)) {
    const same = (other: ResourceRecord) => textOf([other]).join() === textOf([record]).join();
    if (record.type === "SOA") adding = !adding;
    zone = adding ? [...zone, record] : zone.filter((other) => !same(other));
  }
  return zone;
}

const recordsOf = ({ version }: ZoneState) => [version.soaRecord, ...version.records()];

describe("IXFR (RFC 1995 §4)", () => {
  test("the picture of RFC 1995 §7: SOA, old SOA, removed, new SOA, added, …, SOA", () => {
    let state = start("jain-bb A 192.0.2.41");
    state = step(
      state,
      updateFromText("delete jain-bb\n add jain A 192.0.2.1\n add jain A 192.0.2.2"),
    );
    state = step(state, updateFromText("delete jain A 192.0.2.1\n add jain A 192.0.2.3"));
    const lines = [...recordsSince(state, 7)].map((record) =>
      record.type === "SOA" ? `SOA ${record.data?.split(" ")[2]}` : textOf([record])[0],
    );
    expect(lines).toEqual([
      "SOA 9",
      "SOA 7",
      "jain-bb 300 A 192.0.2.41",
      "SOA 8",
      "jain 300 A 192.0.2.1",
      "jain 300 A 192.0.2.2",
      "SOA 8",
      "jain 300 A 192.0.2.1",
      "SOA 9",
      "jain 300 A 192.0.2.3",
      "SOA 9",
    ]);
  });

  test("up to date, or ahead of us: the SOA alone", () => {
    const state = start();
    expect([...recordsSince(state, 7)]).toEqual([state.version.soaRecord]);
    expect([...recordsSince(state, 8)]).toEqual([state.version.soaRecord]);
  });

  test("older than the journal: a full transfer", () => {
    const state = step(start(), updateFromText("add a A 192.0.2.1"));
    expect([...recordsSince(state, 6)]).toEqual([...allRecords(state)]);
  });

  test("a secondary at any serial of any history arrives at the newest version", () => {
    fc.assert(
      fc.property(arbitraryHistory, (history) => {
        const states = [start()];
        for (const updates of history) {
          const last = states.at(-1);
          if (last !== undefined) states.push(step(last, updateOf([], updates)));
        }
        const newest = states.at(-1) ?? start();
        for (const held of states) {
          const answer = [...recordsSince(newest, held.version.soa.serial)];
          expect(textOf(secondary(recordsOf(held), answer))).toEqual(zoneText(newest.version));
        }
      }),
      { numRuns: runsOf(300) },
    );
  });
});

test("the serial that a secondary holds stands in the authority section (RFC 1995 §3)", () => {
  const soa = { ...start().version.soaRecord, class: "IN" as const };
  const request = queryMessage(9, { name: APEX, type: "IXFR" });
  expect(serialHeld({ ...request, authority: [soa] })).toBe(7);
  expect(serialHeld(request)).toBeNull();
});
