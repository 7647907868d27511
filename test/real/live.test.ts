/**
 * Live mode: the story of test/support/live/story.ts in a zone of a real account, for each provider
 * whose `ZONEKEEPER_LIVE_…` variable names one (CONTRIBUTING.md, "Real accounts"). Without it the
 * test is skipped and counted. Played by the project `live` alone.
 */
import { describe, test } from "vitest";
import { LIVE_ROWS, liveAccount, variableOf } from "../support/live/accounts.ts";
import { playLive } from "../support/live/story.ts";
import { skippedTitle } from "../support/reporting/skip-mark.ts";

const STORY_TIMEOUT_MS = 1_800_000;

for (const row of LIVE_ROWS) {
  const variable = variableOf(row.name);
  const isAsked = (process.env[variable] ?? "") !== "";
  const title = isAsked
    ? row.type
    : skippedTitle(row.type, "no ZONEKEEPER_LIVE_… names a zone of a real account");
  const suite = isAsked ? describe.concurrent : describe.skip;
  suite(title, () => {
    test(
      "create, change, retype, delete, and a race of two owners",
      async () => {
        const account = liveAccount(row, process.env);
        if (account !== null) await playLive(account);
      },
      STORY_TIMEOUT_MS,
    );
  });
}
