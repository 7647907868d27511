/**
 * Lets promtool judge by deploy/alerts/rules.yaml what a program has said at /metrics, once a
 * minute: the scrapes become the input series of a `promtool test rules` file. No expression of a
 * rule is evaluated by us.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { promtoolPath } from "../real-servers/availability.ts";

/** Of the rules that ship. */
export const RULES = resolve("deploy/alerts/rules.yaml");
/** Series that rules may ask for; the histograms of queues are many and asked for by none. */
const ASKED = /^(?:zonekeeper|leader_election)_/;

/** What promtool printed; throws with it when a case fails. */
export function promtool(...args: readonly string[]): string {
  try {
    return execFileSync(promtoolPath(), args, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`promtool ${args.join(" ")}: ${stdout ?? ""}${stderr ?? ""}`);
  }
}

/** Minutes of one target; null = it did not answer. */
export class Scrapes {
  readonly #minutes: (ReadonlyMap<string, string> | null)[] = [];

  /** The text of /metrics in this minute; null = no answer. */
  add(text: string | null): void {
    this.#minutes.push(text === null ? null : seriesOf(text));
  }

  /** So many more minutes were like the last one. */
  goesOn(minutes: number): void {
    const last = this.#minutes.at(-1) ?? null;
    for (let minute = 0; minute < minutes; minute++) this.#minutes.push(last);
  }

  /** Fails unless just these alerts fire in the last minute. */
  firing(...alerts: readonly string[]): void {
    const folder = makeTempFolder("alerts");
    const file = join(folder.path, "scraped.test.yaml");
    try {
      writeFileSync(file, this.#caseOf(alerts));
      promtool("test", "rules", file);
    } finally {
      folder.remove();
    }
  }

  #caseOf(alerts: readonly string[]): string {
    const names = new Set(this.#minutes.flatMap((minute) => [...(minute?.keys() ?? [])]));
    const input = [...names].map((series) => ({ series, values: this.#valuesOf(series) }));
    const samples = alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 }));
    const question = {
      expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${this.#minutes.length - 1}m`,
      exp_samples: samples,
    };
    const one = { interval: "1m", input_series: input, promql_expr_test: [question] };
    // JSON is YAML.
    return JSON.stringify({ rule_files: [RULES], evaluation_interval: "1m", tests: [one] });
  }

  /** A series that a target does not show any more ends at once, as in Prometheus. */
  #valuesOf(series: string): string {
    return this.#minutes
      .map((minute, at) => {
        const value = minute?.get(series);
        if (value !== undefined) return value;
        return this.#minutes[at - 1]?.has(series) === true ? "stale" : "_";
      })
      .join(" ");
  }
}

/** Values by series, with the labels of a scrape. */
function seriesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (!ASKED.test(line)) continue;
    const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const own = labels === "" ? "" : `${labels},`;
    found.set(`${name}{${own}job="zonekeeper",instance="a:8080"}`, value);
  }
  return found;
}
