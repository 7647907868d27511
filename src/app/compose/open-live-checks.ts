/**
 * Opens the checks of the condition Live: whether the name servers of a zone answer with what an
 * object has published. First asks the provider whether its servers have the change, then the
 * servers.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { PublishConfig } from "../../config/publish-options.ts";
import { environmentFor } from "../../controllers/accounts/guarded-environment.ts";
import {
  type AskLive,
  type LiveAnswer,
  LiveChecks,
  type LiveReason,
} from "../../controllers/objects/live-checks.ts";
import type { Propagation } from "../../providers/provider.ts";
import type { Explainer } from "../../sync/contract/publish-engine.ts";
import { zoneKeyText } from "../../sync/contract/zone.ts";
import { askTargets, liveAnswer } from "./authority/live-answer.ts";
import type { ControllersOptions } from "./controllers-options.ts";

/** No question is sent until an object asks for the condition. */
export function openLiveChecks(
  { environment }: Pick<ControllersOptions, "environment">,
  { liveQueriesPerMinute: queriesPerMinute }: Pick<PublishConfig, "liveQueriesPerMinute">,
  engine: Pick<Explainer, "explain" | "propagationOf">,
): LiveChecks {
  const { clock } = environment;
  const ask: AskLive = async (request, take) => {
    const propagation = await engine.propagationOf(request.zone, request.name);
    if (propagation !== null && propagation.is !== "live")
      return notEverywhere(request.name, propagation);
    const explanations = await engine.explain(request.name);
    const id = zoneKeyText(request.zone);
    const explanation = explanations.find(({ zone }) => zoneKeyText(zone) === id);
    if (explanation === undefined) return CLOSED;
    const servers = askTargets(environmentFor(request.namespace, environment));
    return liveAnswer(request, { explanation, ask: servers, take, nowMs: () => clock.nowMs() });
  };
  return new LiveChecks({ clock, queriesPerMinute, ask });
}

function notEverywhere(name: DnsName, propagation: Propagation): LiveAnswer {
  const hasFailed = propagation.is === "failed";
  const text = hasFailed
    ? `the provider's servers do not have the change: ${propagation.message}`
    : "the provider says that not all its servers have the change yet; it is asked again";
  const reason: LiveReason = hasFailed ? "PropagationFailed" : "Propagating";
  return { status: "False", reason, message: `${name}: ${text}` };
}

const CLOSED: LiveAnswer = {
  status: "Unknown",
  reason: "NotAnswered",
  message: "the zone is not open now; it is asked later",
};
