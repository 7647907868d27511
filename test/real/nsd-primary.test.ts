/**
 * NSD as the server of a zone: everything can be read, nothing can be written, and the account says
 * so.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Zone } from "../../src/model/zone.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { reloadNsd, startNsd } from "../support/real-servers/nsd.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { zoneText as fileText } from "../support/real-servers/real-server.ts";
import {
  apply,
  claim,
  lines,
  NEVER,
  onlyZone,
  openSession,
  set,
} from "../support/values/rfc2136-session.ts";

const OPTIONS = {
  zone: "example.org",
  records: [
    ...Array.from(
      { length: 3000 },
      (_, index) => `host-${index} 300 IN A 10.1.${index >> 8}.${index & 255}`,
    ),
    'www 60 IN TXT "one" "two"',
    "*.wild 60 IN CNAME www",
    "mail 60 IN MX 10 www",
  ],
};

describeReal("rfc2136 against NSD", ["nsd"], () => {
  let server: RealServer;
  let session: ProviderSession;
  let zone: Zone;
  beforeAll(async () => {
    server = await startNsd(OPTIONS);
    session = openSession(server);
    zone = await onlyZone(session);
  });
  afterAll(async () => {
    session?.close();
    await server?.stop();
  });

  test("a signed transfer of many messages arrives whole", async () => {
    const seen = lines((await session.records(zone, null, NEVER)).sets);
    expect(seen).toHaveLength(OPTIONS.records.length + 3);
    expect(seen).toEqual(
      expect.arrayContaining([...lines([set("mail.example.org", 60, "MX", "10 www.example.org")])]),
    );
    expect(seen).toEqual(
      expect.arrayContaining([
        ...lines([set("*.wild.example.org", 60, "CNAME", "www.example.org")]),
      ]),
    );
  });

  test("single names are read by query", async () => {
    const names = [set("host-7.example.org", 0, "A").name];
    expect(lines((await session.records(zone, names, NEVER)).sets)).toEqual(
      lines([set("host-7.example.org", 300, "A", "10.1.0.7")]),
    );
  });

  test("a write is refused with a reason, and nothing is written", async () => {
    const before = await session.changeToken?.(zone, NEVER);
    const [outcome] = await apply(
      session,
      zone,
      claim(set("new.example.org", 60, "A", "192.0.2.1")),
    );
    expect(outcome).toMatchObject({ status: expect.stringMatching(/rejected|retry/) });
    expect(JSON.stringify(outcome)).toContain("NOTIMP");
    expect(await session.changeToken?.(zone, NEVER)).toBe(before);
  });

  test("what its administrator changes is seen as a delta (IXFR)", async () => {
    const token = await session.changeToken?.(zone, NEVER);
    const text = fileText({ ...OPTIONS, records: [...OPTIONS.records, "later 60 IN A 192.0.2.9"] });
    reloadNsd(server, text.replace(" 1 3600 600", " 2 3600 600"));
    const moved = await eventually(
      "the new serial",
      // NSD resets connections while it reloads.
      async () => session.changeToken?.(zone, NEVER).catch(() => token),
      (now) => now !== token,
    );
    const name = "later.example.org";
    expect(await session.changesSince?.(zone, token ?? "", NEVER)).toEqual({
      token: moved,
      names: [name],
      records: [{ name, type: "A", ttlSeconds: 60, value: "192.0.2.9", isThere: true }],
    });
  });
});
