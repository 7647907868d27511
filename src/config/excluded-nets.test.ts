/** `--exclude-target-net`: what is no network stops the start. */
import { expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { resolveOptions } from "./resolve-options.ts";
import { toRunConfig } from "./run-config.ts";

function config(nets: string) {
  const flags = { owner: "me", "exclude-target-net": nets };
  const input = { command: "run", flags, environment: {}, file: null } as const;
  const resolved = resolveOptions({ ...input, plugIns: PLUG_INS });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return toRunConfig(resolved.value);
}

test("networks of both families", () => {
  const read = config("10.0.0.0/8, fd00::/8");
  expect(read.ok && read.value.publish.excludedTargetNets.map(({ text }) => text)).toEqual([
    "10.0.0.0/8",
    "fd00::/8",
  ]);
});

test("each that is none is named, with the remedy", () => {
  const read = config("10.0.0.0/8,10.0.0.0,intern");
  expect(read.ok ? [] : read.error).toEqual([
    {
      code: "InvalidOption",
      subject: "--exclude-target-net",
      message: '"10.0.0.0" is not a network: its address is followed by / and a length of 0 to 32',
    },
    {
      code: "InvalidOption",
      subject: "--exclude-target-net",
      message: '"intern" is not a network: write one such as 10.0.0.0/8 or fd00::/8',
    },
  ]);
});
