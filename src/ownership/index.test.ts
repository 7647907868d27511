import { expect, test } from "vitest";
import { MemoryLog } from "../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../test/support/ports/virtual-clock.ts";
import { ORIGIN } from "../../test/support/values/zone-text.ts";
import { openRegistry, REGISTRIES } from "./index.ts";

const ZONE = { id: "z", name: ORIGIN, providerType: "memory", endpoint: "e", view: "" };
const TXT = {
  nameTemplate: { prefix: "", suffix: "", wildcard: "" },
  readAlso: [],
  markerLocation: "typed" as const,
  markerLocationOf: {},
  encryption: null,
  signing: null,
};
const CONTEXT = {
  owner: "me",
  owns: [],
  clusterAliases: new Map(),
  txt: TXT,
  store: { read: async () => null, write: async () => "1", titleOf: (name: string) => name },
  clock: new VirtualClock(),
  log: new MemoryLog(),
};

test.each(REGISTRIES.map(({ name }) => name))("%s opens under its own name", (name) => {
  expect(openRegistry(name, CONTEXT)(ZONE, { atomicity: "zone" }).format).toBe(name);
});
