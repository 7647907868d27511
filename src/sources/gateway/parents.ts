/**
 * The listeners that a route is attached to, by what the route, its status and its parents say
 * (Gateway API, `parentRefs`). Acceptance is the word of the Gateway's controller; sections, ports,
 * protocols and allowed routes are compared here, as external-dns does.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, Lookup } from "@zonekeeper/kube/ports/cluster-view";
import {
  type ExternalDnsRules,
  isGatewayNamed,
  isGatewayServed,
} from "../../model/external-dns-rules.ts";
import { GATEWAY, LISTENER_SET, objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { annotationField } from "../shared/annotations.ts";
import { externalList } from "../shared/external-annotations.ts";
import { letsIn } from "./allowed-namespaces.ts";

/** Targets of the names at a listener, with where they are written. */
export interface GatewayTargets {
  readonly targets: readonly string[];
  /** `Gateway infra/public`. */
  readonly reporter: string;
  readonly field: string;
}

/** A listener that a route is attached to. */
export interface Attachment {
  /** As the listener has it; absent = any. */
  readonly hostname: unknown;
  readonly at: GatewayTargets;
  /** Flags leave its Gateway out: its names are not wanted here, and keep what stands. */
  readonly isLeftOut: boolean;
}

/** All that a route is attached to. */
export interface Attachments {
  readonly attachments: readonly Attachment[];
  readonly problems: readonly Problem[];
  /** False = a parent has not accepted the route, or is not there: it may give it more. */
  readonly complete: boolean;
}

/** A reference to a parent, with what Gateway API takes where a field is absent. */
interface ParentRef {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly section: string | null;
  readonly port: unknown;
}

/** Gateway or ListenerSet: whose listeners, and what their names get. */
interface Parent {
  readonly owner: KubeObject;
  readonly listeners: readonly Fields[];
  readonly at: GatewayTargets;
  readonly isLeftOut: boolean;
}

/** Why there is no attachment; null = it is not decided yet. */
type Refusal = { readonly refusal: string | null };

/** Listener protocols that a kind of route can be attached to. */
export type Protocols = readonly string[];

/**
 * Reads `spec.parentRefs` with `status.parents`. Null = the route has no Gateway: its parents are
 * of other kinds, as in meshes.
 */
export function attachmentsOf(
  route: KubeObject,
  view: ClusterView,
  { protocols, rules }: Pick<RouteContext, "protocols" | "rules">,
): Attachments | null {
  const subject = resourceOf(objectKeyOf(route, ""));
  const refs = listOf(fieldsOf(route["spec"])["parentRefs"]);
  if (refs === null) {
    const message = "the parents are not a list; repair the object";
    const problem = { code: "RouteNotAttached", subject, message, field: "spec.parentRefs" };
    return { attachments: [], problems: [problem], complete: false };
  }
  const read = refs
    .map((ref, index) => ({ ref: parentRef(ref, route), field: `spec.parentRefs[${index}]` }))
    .filter(({ ref: { group, kind } }) => group === GATEWAY.group && KINDS.includes(kind))
    .map(({ ref, field }) => ({
      ...{ field, ungranted: ungrantedOf(ref, route) },
      attached: attachedTo(ref, { route, view, protocols, rules }),
    }));
  if (read.length === 0) return null;
  const problems = read.flatMap(({ field, attached, ungranted }): readonly Problem[] => {
    const refusal = "refusal" in attached ? attached.refusal : null;
    return [
      ...(refusal === null ? [] : [{ code: "RouteNotAttached", subject, message: refusal, field }]),
      ...(ungranted === null
        ? []
        : [{ code: "RefNotPermitted", subject, message: ungranted, field }]),
    ];
  });
  return {
    attachments: read.flatMap(({ attached }) => ("refusal" in attached ? [] : attached)),
    problems,
    // clause: parent-in-trouble-keeps-names
    complete: read.every(({ attached }) => !("refusal" in attached)),
  };
}

function parentRef(value: unknown, { metadata: { namespace = "" } }: KubeObject): ParentRef {
  const fields = fieldsOf(value);
  return {
    group: textOf(fields["group"]) ?? GATEWAY.group,
    kind: textOf(fields["kind"]) ?? GATEWAY.kind,
    namespace: textOf(fields["namespace"]) ?? namespace,
    name: textOf(fields["name"]) ?? "",
    section: textOf(fields["sectionName"]),
    port: fields["port"] ?? null,
  };
}

const KINDS: readonly string[] = [GATEWAY.kind, LISTENER_SET.kind];

interface RouteContext {
  readonly route: KubeObject;
  readonly view: ClusterView;
  readonly protocols: Protocols;
  readonly rules: ExternalDnsRules;
}

function attachedTo(ref: ParentRef, context: RouteContext): readonly Attachment[] | Refusal {
  const { route, view, protocols } = context;
  const parent = ref.kind === GATEWAY.kind ? gatewayOf(ref, context) : listenerSetOf(ref, context);
  if ("refusal" in parent) return parent;
  const { at, isLeftOut } = parent;
  const refusal = acceptanceOf(ref, route);
  if (refusal !== "accepted") return isLeftOut ? [] : refusal;
  const fitting = parent.listeners.filter(
    ({ name, port, protocol, allowedRoutes }) =>
      (ref.section === null || ref.section === name) &&
      (ref.port === null || ref.port === port) &&
      protocols.includes(textOf(protocol) ?? "") &&
      isAllowed(fieldsOf(allowedRoutes), { route, owner: parent.owner, view }),
  );
  if (fitting.length > 0 || isLeftOut)
    return fitting.map(({ hostname }) => ({ hostname, at, isLeftOut }));
  return {
    refusal: `no listener of ${whichOf(ref)} takes the route: compare sectionName, port and the protocol (${protocols.join(", ")}) with spec.listeners, and the route's namespace with their allowedRoutes`,
  };
}

/** What the controller of the parent says in the status of the route. */
function acceptanceOf(ref: ParentRef, route: KubeObject): "accepted" | Refusal {
  const conditions = answersTo(ref, route).map((status) => conditionIn(status, "Accepted"));
  if (conditions.some(({ status }) => status === "True")) return "accepted";
  const no = conditions.find(({ status }) => status === "False");
  if (no === undefined) return { refusal: null };
  const why = [textOf(no["reason"]), textOf(no["message"])].filter((text) => text !== null);
  return {
    refusal: `${whichOf(ref)} does not accept the route (${why.join(": ")}): correct the route, or what the Gateway allows. Its names stay as they are until then`,
  };
}

/** A route that leads nowhere is reached all the same, so that its names are published. */
function ungrantedOf(ref: ParentRef, route: KubeObject): string | null {
  const conditions = answersTo(ref, route).map((status) => conditionIn(status, "ResolvedRefs"));
  const no = conditions.find(
    ({ status, reason }) => status === "False" && reason === "RefNotPermitted",
  );
  if (no === undefined) return null;
  return `${whichOf(ref)} may not follow a reference of the route into another namespace (${textOf(no["message"]) ?? ""}): create a ReferenceGrant there. Its names are published, and nothing answers behind them`;
}

function answersTo(ref: ParentRef, route: KubeObject): readonly Fields[] {
  return (listOf(fieldsOf(route["status"])["parents"]) ?? []).map(fieldsOf).filter((status) => {
    const answered = parentRef(status["parentRef"], route);
    // Some controllers answer for a parent as a whole, and leave section and port out.
    const section = answered.section ?? ref.section;
    const port = answered.port ?? ref.port;
    return JSON.stringify({ ...answered, section, port }) === JSON.stringify(ref);
  });
}

/** A condition of that type among the `conditions` of a status; without fields = there is none. */
function conditionIn(status: Fields, type: string): Fields {
  const all = (listOf(status["conditions"]) ?? []).map(fieldsOf);
  return all.find((one) => one["type"] === type) ?? {};
}

interface Asking {
  readonly route: KubeObject;
  readonly owner: KubeObject;
  readonly view: ClusterView;
}

/** `allowedRoutes` of a listener; without a list of kinds the protocol decides. */
function isAllowed({ namespaces, kinds }: Fields, { route, owner, view }: Asking): boolean {
  const { namespace = "" } = route.metadata;
  const entrance = { namespace, owner: owner.metadata.namespace ?? "", view };
  if (!letsIn(fieldsOf(namespaces), { ...entrance, otherwise: "Same" })) return false;
  const listed = (listOf(kinds) ?? []).map(fieldsOf);
  const isListed = ({ group, kind }: Fields): boolean =>
    (group ?? GATEWAY.group) === GATEWAY.group && kind === route.kind;
  return listed.length === 0 || listed.some(isListed);
}

function gatewayOf(
  ref: Pick<ParentRef, "namespace" | "name">,
  { view, rules }: Pick<RouteContext, "view" | "rules">,
): Parent | Refusal {
  const found = view.get(GATEWAY, ref.namespace, ref.name);
  if (found.state !== "value")
    return isGatewayNamed(ref, rules)
      ? missing({ ...ref, kind: GATEWAY.kind }, found)
      : { refusal: null };
  const owner = found.value;
  const isLeftOut = !isGatewayServed(owner, rules);
  return { owner, listeners: listenersIn(owner), at: targetsOf(owner), isLeftOut };
}

/** Its listeners count when it, and each of them, is accepted by the Gateway that it names. */
function listenerSetOf(
  ref: ParentRef,
  { view, rules }: Pick<RouteContext, "view" | "rules">,
): Parent | Refusal {
  // Not read, so that its hosts are not known.
  if (!rules.readsListenerSets) return { refusal: null };
  const found = view.get(LISTENER_SET, ref.namespace, ref.name);
  if (found.state !== "value") return missing(ref, found);
  const owner = found.value;
  const { namespace, name } = parentRef(fieldsOf(owner["spec"])["parentRef"], owner);
  const gateway = gatewayOf({ namespace, name }, { view, rules });
  if ("refusal" in gateway) return gateway;
  const allowed = fieldsOf(fieldsOf(gateway.owner["spec"])["allowedListeners"]);
  const entrance = { namespace: ref.namespace, owner: namespace, otherwise: "None", view } as const;
  if (!letsIn(fieldsOf(allowed["namespaces"]), entrance))
    return {
      refusal: `Gateway ${namespace}/${name} does not let in ${whichOf(ref)}: allow its namespace in spec.allowedListeners`,
    };
  const status = fieldsOf(owner["status"]);
  const ofListeners = (listOf(status["listeners"]) ?? []).map(fieldsOf);
  const isAccepted = (of: Fields | undefined): boolean =>
    conditionIn(of ?? {}, "Accepted")["status"] === "True";
  if (!isAccepted(status)) return { refusal: `${whichOf(ref)} is not accepted by its Gateway` };
  const own = externalList(owner, "target");
  return {
    owner,
    listeners: listenersIn(owner).filter(({ name: section }) =>
      isAccepted(ofListeners.find((one) => one["name"] === section)),
    ),
    at: own === null ? gateway.at : targetsOf(owner),
    isLeftOut: gateway.isLeftOut,
  };
}

function listenersIn(owner: KubeObject): readonly Fields[] {
  return (listOf(fieldsOf(owner["spec"])["listeners"]) ?? []).map(fieldsOf);
}

/** The annotation comes first; else the addresses that the controller of the Gateway reports. */
function targetsOf(owner: KubeObject): GatewayTargets {
  const reporter = whichOf({ ...owner, ...owner.metadata });
  const given = externalList(owner, "target");
  if (given !== null) {
    const field = `${annotationField(given.key)} of ${reporter}`;
    return { targets: given.texts, reporter, field };
  }
  const addresses = (listOf(fieldsOf(owner["status"])["addresses"]) ?? []).map(fieldsOf);
  return {
    targets: addresses
      .filter(({ type = "IPAddress" }) => type === "IPAddress" || type === "Hostname")
      .flatMap(({ value }) => textOf(value) ?? []),
    reporter,
    field: `status.addresses of ${reporter}`,
  };
}

/** One that is not known yet is told by the kind that cannot be read. */
function missing(
  ref: Pick<ParentRef, "kind" | "namespace" | "name">,
  { state }: Lookup<KubeObject>,
): Refusal {
  if (state !== "absent") return { refusal: null };
  return { refusal: `there is no ${whichOf(ref)}: create it, or take it off the route's parents` };
}

function whichOf({
  kind,
  namespace = "",
  name,
}: {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}): string {
  return `${kind} ${namespace}/${name}`;
}
