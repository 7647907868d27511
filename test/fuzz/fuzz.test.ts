import { describe, expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";
import { bytes, type FuzzTarget, text } from "./target.ts";
import { FUZZ_TARGETS } from "./targets.ts";

const OPTIONS = { seed: 20_261_121, executionsMax: 150, cpuSecondsMax: null, inputCpuMsMax: null };

describe("a short run of every target (npm run fuzz for a long one)", () => {
  test.each(FUZZ_TARGETS.map((target) => [target.name, target] as const))(
    "%s",
    async (_name, target) => {
      const result = await fuzz(target, OPTIONS);
      const findings = result.findings.map(
        ({ message, input }) => `${message}\n${Buffer.from(input).toString("base64")}`,
      );
      expect(findings).toEqual([]);
      expect(result.executions).toBe(OPTIONS.executionsMax);
      expect(result.ways).toBeGreaterThan(1);
    },
    120_000,
  );
});

describe("the fuzzer itself", () => {
  const target = (run: (input: string) => string): FuzzTarget => ({
    name: "fake",
    seeds: [bytes("a seed with some text in it")],
    tokens: ["boom"],
    outputBytesMax: (input) => input + 100,
    run: (input) => {
      const outcome = run(text(input));
      return { outcome: "good", outputBytes: outcome.length };
    },
  });

  test("finds a crash and shrinks its input", async () => {
    const crashing = target((input) => {
      if (input.includes("boom")) throw new TypeError("it fell over");
      return "";
    });
    const { findings } = await fuzz(crashing, { ...OPTIONS, executionsMax: 2000 });
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toContain("it fell over");
    expect(text(findings[0]?.input ?? new Uint8Array(0))).toBe("boom");
  });

  test("finds an output that is too large", async () => {
    const growing = target((input) => "x".repeat(input.length > 40 ? 1000 : 0));
    const { findings } = await fuzz(growing, OPTIONS);
    expect(findings[0]?.message).toContain("1000 bytes come out");
    expect(findings[0]?.input.length).toBe(41);
  });

  test("finds an input that takes too long", async () => {
    const slow = target((input) => {
      const until = process.cpuUsage().user + (input.includes("boom") ? 6_000 : 0);
      while (process.cpuUsage().user < until);
      return "";
    });
    const options = { ...OPTIONS, executionsMax: 200, inputCpuMsMax: 3 };
    const { findings } = await fuzz(slow, options);
    expect(findings.map(({ message }) => message)).toContain(
      "slow: an input takes more than 3 ms of CPU",
    );
  });

  test("the same seed makes the same inputs", async () => {
    const inputsOf = async (seed: number): Promise<readonly string[]> => {
      const seen: string[] = [];
      const listening = target((input) => {
        seen.push(input);
        return "";
      });
      await fuzz(listening, { ...OPTIONS, seed });
      return seen;
    };
    expect(await inputsOf(1)).toEqual(await inputsOf(1));
    expect(await inputsOf(1)).not.toEqual(await inputsOf(2));
  });
});
