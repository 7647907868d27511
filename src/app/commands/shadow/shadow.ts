/**
 * `zonekeeper shadow`: `run --dry-run` with the arguments of a live external-dns, which ends with a
 * report. The clients of clusters and providers refuse each request that writes.
 */
import { permanent } from "@zonekeeper/base/operation-error";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import { type CheckConfig, type RunConfig, setsOf } from "../../../config/run-config.ts";
import { NO_RULES } from "../../../model/external-dns-rules.ts";
import { type PlanDocument, planDocument, planVerdict } from "../../api/plan/document.ts";
import { planOf } from "../../api/plan-api.ts";
import type { Instance } from "../../compose/instance.ts";
import { OWN_ROWS, type Rows } from "../../plugins/rows.ts";
import { makeLog } from "../../ports/pino-log.ts";
import { planText } from "../ask/texts/plan-text.ts";
import { type Answer, EXIT } from "../process/exit.ts";
import type { ProgramContext } from "../process/program-context.ts";
import { Teardown } from "../process/teardown.ts";
import { settled, WHOLE } from "../run/once.ts";
import { serve } from "../run/serve.ts";
import { type ShadowDocument, shadowDocument, shadowText } from "./report.ts";

const EXIT_CODES = { equal: EXIT.ok, different: EXIT.changes, unknown: EXIT.trouble } as const;

/**
 * Exit code 0 equal, 2 different, 1 something is not known when the time is over; of several sets
 * the worst one counts. Rejects with OperationError `NoClusterAccess` for a kubeconfig that leads
 * nowhere.
 */
export async function shadow(
  { run, output, waitMs }: CheckConfig,
  { rows = OWN_ROWS, isPlan = false, terminal }: ShadowContext,
): Promise<Answer> {
  const seen: Seen[] = [];
  for (const one of setsOf(run)) seen.push(await shadowOf({ ...one, sets: [] }, waitMs, rows));
  if (isPlan) return planAnswer(seen, output, terminal);
  const documents = seen.map(({ document }) => document);
  const [first] = documents;
  const found = documents.length === 1 ? first : documents;
  const json = `${JSON.stringify(found, null, 2)}\n`;
  const text = output === "text" ? documents.map(shadowText).join("\n") : json;
  const verdict = VERDICTS.find((one) => documents.some((each) => each.verdict === one));
  return { text, exitCode: EXIT_CODES[verdict ?? "unknown"] };
}

/** How the answer is made. */
export type ShadowContext = Pick<ProgramContext, "rows" | "isPlan" | "terminal">;

interface Seen {
  readonly document: ShadowDocument;
  readonly plan: PlanDocument;
}

/**
 * The plan as the answer; exit code 0 nothing would change, 2 something would, 1 something is not
 * known.
 */
function planAnswer(
  seen: readonly Seen[],
  output: CheckConfig["output"],
  { columns, color }: ShadowContext["terminal"],
): Answer {
  const plans = seen.map(({ plan }) => plan);
  const verdicts = plans.map(planVerdict);
  const isUnknown = verdicts.some(({ unknown }) => unknown > 0);
  const isOpen = verdicts.some(({ open }) => open > 0);
  const [first] = plans;
  const text =
    output === "text"
      ? plans.map((plan) => planText(plan, { width: columns, color })).join("\n")
      : `${JSON.stringify(plans.length === 1 ? first : plans, null, 2)}\n`;
  return { text, exitCode: isUnknown ? EXIT.trouble : isOpen ? EXIT.changes : EXIT.ok };
}

/** The worst one first. */
const VERDICTS = ["unknown", "different", "equal"] as const;

async function shadowOf(run: RunConfig, waitMs: number, rows: Rows): Promise<Seen> {
  const log = makeLog({ ...run.log, level: "error" });
  const teardown = new Teardown();
  const stop = new AbortController();
  let instance: Instance | null = null;
  const onInstance = (opened: Instance): void => {
    instance = opened;
  };
  const started = { log, teardown, stop: stop.signal, rows, onInstance };
  const served = serve(watching(run), started);
  try {
    // `serve` ends by itself only if the configuration cannot be used.
    const failed = served.then(() => {
      throw permanent("Ended", "the shadow ended");
    });
    return await Promise.race([
      settled({
        ask: () => report(run, instance, rows),
        isFinal: ({ document }) => document.verdict !== "unknown",
        patienceMs: waitMs,
      }),
      failed,
    ]);
  } finally {
    stop.abort();
    await served.catch(() => undefined);
    await teardown.run(log);
  }
}

/**
 * The configuration without any part that could write, wait for a Lease, or disturb the live
 * external-dns.
 */
function watching(run: RunConfig): RunConfig {
  return {
    ...run,
    publish: { ...run.publish, dryRun: true },
    ...{ lease: null, data: null, api: null, webhook: null, notifyAddress: null, imports: [] },
    http: { address: "127.0.0.1", port: 0 },
  };
}

async function report(run: RunConfig, instance: Instance | null, rows: Rows): Promise<Seen> {
  const blind = { providers: [], caches: [], unread: [] };
  const { owner, publish, externalDns } = run;
  const common = { owner, policy: publish.policy, rules: externalDns?.rules ?? NO_RULES };
  const waiting = instance === null ? "starting" : (instance.standbyReply?.() ?? null);
  if (instance === null || waiting !== null) {
    const plan = planDocument([], WHOLE, blind);
    const unread = [waiting ?? ""];
    const nothing = { rights: [], listed: [], absent: [] };
    return { plan, document: shadowDocument({ ...common, ...nothing, plan, unread }) };
  }
  const { work } = instance;
  const sources = rows.sources.filter(({ name }) => run.controllers.has(name));
  const kinds = new Set(sources.map(({ primary }) => kindText(primary)));
  const plan = await planOf(instance, WHOLE);
  const planning = work.zones().filter(({ isPlanning }) => isPlanning === true);
  const document = shadowDocument({
    ...common,
    plan,
    rights: await work.rights(null),
    listed: await work.whoLists(() => true),
    absent: work.caches().flatMap(({ kind, state }) => {
      return state === "absent" && kinds.has(kind) ? [kind] : [];
    }),
    unread: planning.map(({ zone }) => `zone ${zone.name}: not all names are planned yet`),
  });
  return { plan, document };
}
