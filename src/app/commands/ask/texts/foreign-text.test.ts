/** Tests the text that others wrote into a zone, at every place where people read of it. */

import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { beforeAll, describe, expect, test } from "vitest";
import { explainedText } from "../../../../../test/support/programs/client-text.ts";
import { parseZone } from "../../../../../test/support/values/zone-text.ts";
import { engineWorld, entry, KEY } from "../../../../../test/support/worlds/engine-world.ts";
import { planDocument } from "../../../api/plan/document.ts";
import { chooseRights } from "../../../api/rights-choice.ts";
import { planMarkdown } from "./plan-markdown.ts";
import { planText } from "./plan-text.ts";
import { previewText, resultText, rightsText } from "./rights-text.ts";

const WWW = trustedDnsName("www.example.org");
/** ESC, a line break, a backspace, and U+009B as a byte. */
const OWNER = "ev\u001b[2Jil\n\b\u009b";
const SHOWN = "ev\\u001b[2Jil\\u000a\\u0008\\u009b";
const RESOURCE = "service/shop/web\u001b]0;x\u0007";
const MARKER = `"heritage=external-dns,external-dns/owner=ev\\027[2Jil\\010\\008\\155,external-dns/resource=service/shop/web\\027]0;x\\007"`;

const world = engineWorld();
beforeAll(async () => {
  for (const next of parseZone(`www 300 A 192.0.2.9\na-www 300 TXT ${MARKER}`))
    world.content.write([{ key: next, next }]);
  world.engine.openZone(world.zoneInput);
  world.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await world.clock.advance(5_000);
});

const plan = () => planDocument(world.engine.status(), { zone: null, name: null, limit: null });
const command = { verb: "transfer", from: OWNER, to: "me", names: null } as const;
const choices = async () => chooseRights(await world.engine.ownership(null), command);

describe("a marker with control characters in its owner and its resource", () => {
  test.each<[string, () => string | Promise<string>]>([
    ["plan", () => planText(plan(), { width: null, color: false })],
    ["plan as Markdown", () => planMarkdown(plan())],
    ["explain", async () => explainedText(WWW, await world.engine.explain(WWW))],
    ["ownership list", async () => rightsText(await world.engine.ownership(null))],
    ["ownership show", async () => rightsText(await world.engine.ownership(new Set([WWW])))],
    ["the preview of transfer --force", async () => previewText(await choices(), command)],
    [
      "its result",
      async () =>
        resultText(
          (await choices()).map((choice) => ({
            choice,
            isDone: false,
            reason: `of "${OWNER}"`,
            stays: false,
          })),
        ),
    ],
    ["the status of the entry", () => world.reports.at(-1)?.names[0]?.message ?? ""],
  ])("is harmless in %s", async (_, textOf) => {
    const text = await textOf();
    expect(text).toContain(SHOWN);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  test("ids stay exact where code compares them", async () => {
    const [row] = (await world.engine.ownership(new Set([WWW])))[0]?.rows ?? [];
    expect([row?.owners, row?.resource]).toEqual([[OWNER], RESOURCE]);
    expect((await choices()).map(({ order }) => order?.is)).toEqual(["transfer"]);
    expect((await world.engine.explain(WWW))[0]?.standing[0]?.owners).toEqual([OWNER]);
  });
});
