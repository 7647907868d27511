/** Conditions of rights as text: an expression of Helm, and words. */
import {
  FACTS,
  joined,
  type LogicalCluster,
  type When,
} from "../../src/app/commands/run/right-facts.ts";

/** The same as `holds`, as an expression of Helm over `CHART_VARIABLES`. */
export function chartExpression({ chosen, all = [], not = [] }: When): readonly string[] {
  const controllers = (chosen ?? []).map((name) => `(has "${name}" $controllers)`);
  return [
    ...(controllers.length === 0 ? [] : [joined("or", controllers)]),
    ...all.map((fact) => FACTS[fact].chart),
    ...not.map((fact) => `(not ${FACTS[fact].chart})`),
  ];
}

/** Which logical clusters are the one where the chart is installed; and what it may do there. */
export const CHART_VARIABLES: Readonly<Record<LogicalCluster | "writes" | "everywhere", string>> = {
  source: "empty $c.kubeconfig",
  target: "and $source (empty $c.target)",
  provider: "and $target (empty $c.providers)",
  lease: "empty $c.coordination",
  writes: `not ${FACTS.dryRun.chart}`,
  everywhere: "empty $c.namespace",
};

/** For people: `with the controller a or b, without --data`. */
export function whenText({ chosen, all = [], not = [] }: When): string {
  const texts = [
    ...(chosen === undefined ? [] : [`with ${chosen.map((name) => `\`${name}\``).join(" or ")}`]),
    ...all.map((fact) => `with \`${FACTS[fact].text}\``),
    ...not.map((fact) => `without \`${FACTS[fact].text}\``),
  ];
  return texts.length === 0 ? "always" : texts.join(", ");
}
