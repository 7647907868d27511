/** A registry under test behind the guard that registries of plug-ins have, as `run` has it. */
import { guardRegistry } from "../../src/app/plugins/guard-registry.ts";
import type { Ownership } from "../../src/ownership/ownership.ts";
import type { RegistryContext, RegistryZone } from "../../src/ownership/registry.ts";
import type { RegistryUnderTest } from "../conformance/ownership.ts";
import { MemoryLog } from "../support/ports/test-ports.ts";
import { VirtualClock } from "../support/ports/virtual-clock.ts";
import { ORIGIN } from "../support/values/zone-text.ts";

const TIMEOUT_MS = 60_000;

/** The same with its guard: what the guard refuses fails the suite. */
export function asPlugin(registry: RegistryUnderTest): RegistryUnderTest {
  const { name } = registry;
  return {
    ...registry,
    name: `${name}, as that of a plug-in`,
    stage: () => {
      const open = registry.stage();
      return (owner, outside) => guarded(name, () => open(owner, outside));
    },
  };
}

/** The one that is opened, behind its guard. `clock`: of its calls. */
export function guarded(
  name: string,
  open: () => Ownership,
  { clock = new VirtualClock(), log = new MemoryLog() } = {},
): Ownership {
  const plugin = { name, given: "the registry under test", file: "" };
  const row = guardRegistry({ name, doc: name, open: () => open }, plugin, TIMEOUT_MS);
  return row.open(contextOf(clock, log))(ZONE);
}

function contextOf(clock: VirtualClock, log: MemoryLog): RegistryContext {
  const txt = {} as RegistryContext["txt"];
  return { owner: "me", owns: [], clusterAliases: new Map(), txt, store: null, clock, log };
}

const ZONE: RegistryZone = {
  zone: { id: ORIGIN, name: ORIGIN, providerType: "any", endpoint: "", view: "" },
  isOwnedByUs: (owner) => owner === "me",
  ...{
    atomic: true,
    starInNames: true,
    isMerging: false,
    compares: true,
    byValue: false,
    flattensApex: false,
  },
  ownTypes: {},
};
