/** Options that hold names take them in their own letters. */
import { expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { toDevConfig } from "./dev-config.ts";
import { resolveOptions } from "./resolve-options.ts";

const A_LABELS = "xn--bcher-kva.example";

function config(flags: Readonly<Record<string, string>>) {
  const resolved = resolveOptions({
    command: "dev",
    flags,
    environment: {},
    file: null,
    plugIns: PLUG_INS,
  });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return toDevConfig(resolved.value);
}

test.each<[Readonly<Record<string, string>>, Readonly<Record<string, unknown>>]>([
  [{ zone: "bücher.example" }, { zone: A_LABELS }],
  [{ "paused-zones": "Bücher.example" }, { pause: { zones: [A_LABELS] } }],
  [{ "exclude-domains": "bücher.example" }, { publish: { excludedDomains: [A_LABELS] } }],
])("%j", (flags, value) => {
  expect(config(flags)).toMatchObject({ ok: true, value });
});

test.each(["zone", "paused-zones", "exclude-domains"])("--%s names what has no A-label", (flag) => {
  const read = config({ [flag]: "ü/x.example" });
  expect(read.ok ? [] : read.error).toEqual([
    expect.objectContaining({
      subject: `--${flag}`,
      message: expect.stringContaining("cannot be converted; write its A-label form"),
    }),
  ]);
});
