/**
 * Gateways that ask for names as Gardener's manager has it (since v0.18), and that nothing here
 * reads: who moves in would find out by names that do not follow. Writes nothing.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import { NAMES_ANNOTATION } from "../../../model/annotation-keys.ts";
import { type DnsClasses, isOfClass } from "../../../model/dns-class.ts";
import { GATEWAY, ISTIO_GATEWAY } from "../../../model/kinds.ts";
import type { ProvidersContext } from "./check-providers.ts";
import { type Finding, problem, well } from "./finding.ts";

const SHOWN_MAX = 5;

/** Of the options of `run`. */
interface GatewaysContext {
  readonly namespace: string | null;
  readonly publish: { readonly sourceClasses: DnsClasses };
  /** Not null = external-dns's sources read Gateways in their own way. */
  readonly externalDns: object | null;
  readonly controllers: ReadonlySet<string>;
}

/** One for each kind that has such Gateways, or may not be read; none where it is not served. */
export async function checkGateways(
  reader: ProvidersContext["reader"],
  { namespace, publish, externalDns, controllers }: GatewaysContext,
): Promise<readonly Finding[]> {
  const hasSources = [...controllers].some((name) => name !== "compound");
  if (externalDns !== null || !hasSources) return [];
  const findingsOf = async (kind: KindRef, instead: string): Promise<readonly Finding[]> => {
    const subject = `gateways of ${kind.group}`;
    const all = await reader.readAll(kind, namespace ?? undefined).catch((error: unknown) => {
      if (error instanceof OperationError) return error.code;
      throw error;
    });
    if (all === "Forbidden") {
      const where = namespace === null ? "in all namespaces" : `in namespace ${namespace}`;
      const message = `were not looked at for ${NAMES_ANNOTATION}, which has no effect on them: the right to list ${kindText(kind)} ${where} is missing`;
      return [well(subject, message)];
    }
    if (typeof all === "string") return [];
    const named = all
      .filter((one) => isOfClass(one, publish.sourceClasses))
      .filter(({ metadata }) => metadata.annotations?.[NAMES_ANNOTATION] !== undefined)
      .map(namespacedName);
    if (named.length === 0) return [];
    const rest = named.length > SHOWN_MAX ? ` and ${named.length - SHOWN_MAX} more` : "";
    const which = `${named.slice(0, SHOWN_MAX).join(", ")}${rest}`;
    const message = `${which}: ${NAMES_ANNOTATION} has no effect on a Gateway; ${instead}write a DNSEntry for each name, or annotate the Service of its load balancer, and take the annotation off`;
    return [problem(subject, message)];
  };
  const routes =
    "the hosts of its HTTPRoutes are published with --controllers all,gateway-httproute; for others ";
  const found = [await findingsOf(GATEWAY, routes), await findingsOf(ISTIO_GATEWAY, "")];
  return found.flat();
}
