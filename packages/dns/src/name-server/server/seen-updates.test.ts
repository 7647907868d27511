import { expect, test } from "vitest";
import {
  ask,
  type Fixture,
  FULL_KEY,
  fixtureOf,
  NODE_CRYPTO,
  NOW_SECONDS,
} from "../../../../../test/support/name-server/server-fixture.ts";
import { updateFromText } from "../../../../../test/support/name-server/update-text.ts";
import { zoneText } from "../../../../../test/support/name-server/zone-text.ts";
import { decodeMessage } from "../../wire/message/decode-message.ts";
import { encodeMessage } from "../../wire/message/encode-message.ts";
import { TsigClient } from "../../wire/tsig/tsig-client.ts";
import type { TsigScheme } from "../../wire/tsig/tsig-key.ts";

const CREATE = "nxrrset www A\nadd www 300 A 192.0.2.1";
const REMOVE = "yxrrset www A 192.0.2.1\ndelete www A 192.0.2.1";

function signed(text: string, id: number, scheme: Partial<TsigScheme> = {}): Uint8Array {
  const bytes = encodeMessage({ ...updateFromText(text), id });
  return new TsigClient({ ...FULL_KEY, ...scheme }, NODE_CRYPTO).sign(bytes, NOW_SECONDS);
}

async function rcodeOf(fixture: Fixture, bytes: Uint8Array): Promise<string | undefined> {
  const [reply] = [...(await fixture.responder.respond(bytes, "tcp"))];
  const decoded = decodeMessage(reply ?? new Uint8Array());
  return decoded.ok ? decoded.value.rcode : undefined;
}

const has = ({ zone }: Fixture): boolean =>
  zoneText(zone.state.version).some((line) => line.includes("192.0.2.1"));

test("a removal that comes again does not remove what was made again", async () => {
  const fixture = await fixtureOf();
  const removal = signed(REMOVE, 2);
  const all = [signed(CREATE, 1), removal, signed(CREATE, 3)];
  for (const bytes of all) expect(await rcodeOf(fixture, bytes)).toBe("NOERROR");
  expect(await rcodeOf(fixture, removal), "the answer of the first").toBe("NOERROR");
  const renumbered = Uint8Array.from(removal);
  renumbered[0] = 0x77;
  expect(await rcodeOf(fixture, renumbered), "the number is not signed").toBe("NOERROR");
  expect(await rcodeOf(fixture, signed(REMOVE, 2, { macBytes: 16 })), "cut").toBe("NOERROR");
  expect(has(fixture)).toBe(true);
  expect(await rcodeOf(fixture, signed(REMOVE, 4)), "another one counts").toBe("NOERROR");
  expect(has(fixture)).toBe(false);
});

test("a client that lost the answer gets it again", async () => {
  const fixture = await fixtureOf("www A 192.0.2.1");
  const refused = signed(CREATE, 1);
  expect(await rcodeOf(fixture, refused)).toBe("YXRRSET");
  await ask(fixture, updateFromText("delete www"), { key: FULL_KEY });
  expect(await rcodeOf(fixture, refused)).toBe("YXRRSET");
  expect(has(fixture)).toBe(false);
});
