import { expect, test } from "vitest";
import { asTypedInKubectl } from "./typed-commands.ts";

test.each([
  ["zonekeeper approve 4f0c lets it pass", "kubectl zonekeeper approve 4f0c lets it pass"],
  ["see `zonekeeper plan --all`", "see `kubectl zonekeeper plan --all`"],
  ["zonekeeper owner take --from X", "kubectl zonekeeper owner take --from X"],
  [
    "zonekeeper restore 4f --yes, zonekeeper resume",
    "kubectl zonekeeper restore 4f --yes, kubectl zonekeeper resume",
  ],
  ["kubectl zonekeeper plan", "kubectl zonekeeper plan"],
  ["start zonekeeper run, zonekeeper check", "start zonekeeper run, zonekeeper check"],
  ["zonekeeper.dev/owner, zonekeeper-state-1", "zonekeeper.dev/owner, zonekeeper-state-1"],
  ["zonekeeper plans", "zonekeeper plans"],
])("%s", (text, typed) => expect(asTypedInKubectl(text)).toBe(typed));
