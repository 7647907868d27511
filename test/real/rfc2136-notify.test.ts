/**
 * NOTIFY in: BIND, Knot and the embedded server tell the provider that somebody else has changed a
 * zone.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Zone } from "../../src/model/zone.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { NotifyListener } from "../../src/providers/rfc2136/notify/notify-listener.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { startEmbedded } from "../support/name-server/start-embedded.ts";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { startKnot } from "../support/real-servers/knot.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import {
  NEVER,
  onlyZone,
  openSession,
  realEnvironment,
} from "../support/values/rfc2136-session.ts";

describe.each([
  { name: "BIND", needs: ["bind"], start: startBind },
  { name: "Knot", needs: ["knot", "dig"], start: startKnot },
  { name: "embedded", needs: ["dig"], start: startEmbedded },
] as const)("$name", ({ name, needs, start }) => {
  describeReal(`NOTIFY from ${name}`, needs, () => {
    let notifyFeed: NotifyListener;
    let server: RealServer;
    let session: ProviderSession;
    let zone: Zone;

    beforeAll(async () => {
      notifyFeed = await NotifyListener.open(realEnvironment(), { host: "127.0.0.1", port: 0 });
      server = await start({ zone: "example.org", notifyPort: notifyFeed.port });
      session = openSession(server, {}, { notifyFeed });
      zone = await onlyZone(session);
    });
    afterAll(async () => {
      session?.close();
      await server?.stop();
      await notifyFeed?.close();
    });

    test("a stranger's change is a hint, and what it hints at is read as a delta", async () => {
      let hints = 0;
      const end = session.onChangeHint?.(zone, () => {
        hints += 1;
      });
      const before = await session.changeToken?.(zone, NEVER);
      const seen = hints;
      const result = await nsupdate(server, ["add stranger.example.org. 60 A 192.0.2.1"]);
      expect(result.code, result.stderr).toBe(0);
      await eventually(
        "a hint",
        async () => hints,
        (count) => count > seen,
      );
      const delta = await session.changesSince?.(zone, before ?? "", NEVER);
      expect(delta?.names).toEqual(["stranger.example.org"]);
      end?.();
    });
  });
});
