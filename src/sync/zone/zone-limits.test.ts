/** A vendor's plans differ by zone: each is sent as much in a call as its own plan takes. */
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";

test("a call holds what its zone takes, not what the smallest zone of the account does", async () => {
  const { clock, engine, zoneInput, values } = engineWorld();
  const { session } = zoneInput;
  const sizes: number[] = [];
  const batch = { groupsMax: 10, valuesMax: 1000 };
  const { apply } = session;
  const own = {
    capabilities: { ...session.capabilities, batch: { ...batch, groupsMax: 1 } },
    capabilitiesOf: () => ({ ...session.capabilities, batch }),
    apply: (...call: Parameters<typeof apply>) => {
      sizes.push(call[1].length);
      return apply.apply(session, call);
    },
  };
  engine.openZone({ ...zoneInput, session: Object.assign(session, own) });
  for (let index = 0; index < 10; index++)
    engine.contribute(KEY, entry(`n${index}`, ["192.0.2.1"]));
  await clock.advance(10_000);
  expect([values("n9"), sizes]).toEqual([["192.0.2.1"], [10]]);
  await engine.stop();
});
