/**
 * The commands that `explain` proposes for a name: those that repair it, and `explain` itself.
 * Pure.
 */
import { DNS_ENDPOINT, markerKindOf } from "../../model/kinds.ts";
import { shellQuoted } from "../../model/printable.ts";
import type { AnsweredExplanation, ExplainDocument, NameLink } from "./documents.ts";
import { firstHold, wantedIn, zoneOf } from "./name-chain.ts";

/**
 * `chain`: the steps from the object to the resolvers. The first command repairs the first step
 * that is broken, or waits, where a command can. Quoted for a shell.
 */
export function mendingCommands(
  { name, zones }: Pick<ExplainDocument, "name" | "zones">,
  chain: readonly NameLink[],
  program: string,
): readonly string[] {
  const zone = zoneOf(zones);
  const at = shellQuoted(name);
  const broken =
    chain.find(({ state }) => state === "broken") ?? chain.find(({ state }) => state === "waits");
  const mending = broken === undefined ? [] : commandsFor(broken, { zone, at, program });
  return [...new Set([...mending, `${program} explain ${at}`])];
}

interface CommandContext {
  readonly zone: AnsweredExplanation | null;
  /** The name, quoted. */
  readonly at: string;
  readonly program: string;
}

function commandsFor(broken: NameLink, context: CommandContext): readonly string[] {
  const { is, subject } = broken;
  const { zone, at, program } = context;
  switch (is) {
    case "object":
    case "entry":
      return describing(subject);
    case "plan":
      return planCommands(broken, context);
    case "zone":
      return zone === null ? describing(subject) : [zoneCommand(zone, program)];
    case "servers":
    case "resolvers":
      return [digging(subject, at)];
    case "alias":
      return [`${program} explain ${shellQuoted(subject)}`];
  }
}

function planCommands(
  { code }: NameLink,
  { zone, at, program }: CommandContext,
): readonly string[] {
  const paused = zone?.paused ?? null;
  if (code === "Paused") {
    if (paused !== null && zone !== null) return [zoneCommand(zone, program)];
    const hold = firstHold(zone?.holds ?? []);
    const wanted = hold === undefined ? null : wantedIn(hold);
    // The object is corrected before the pause ends: then its record is written.
    const correcting = wanted === null ? [] : describing(wanted.object);
    return [...correcting, `${program} resume --name ${at}`];
  }
  if (code === "ForeignRecord") return [`${program} ownership adopt ${at}`];
  const approving = (zone?.heldSets ?? []).map(({ hash }) => `${program} approve ${hash}`);
  return [...approving, `${program} plan --name ${at}`];
}

function zoneCommand({ apex, fence, paused }: AnsweredExplanation, program: string): string {
  const zone = shellQuoted(apex);
  const other = fence?.mode === "stopped" ? fence.other : null;
  if (other !== null) return `${program} owner take --from ${shellQuoted(other)}`;
  return paused === null ? `${program} plan --zone ${zone}` : `${program} resume --zone ${zone}`;
}

/** `kind/namespace/name`. */
function describing(subject: string): readonly string[] {
  const [kind = "", namespace = "", ...name] = subject.split("/");
  if (name.length === 0 && namespace === "") return [];
  const [what, where] = [shellQuoted(name.join("/")), shellQuoted(namespace)];
  const type = kind === markerKindOf(DNS_ENDPOINT) ? "dnsendpoint" : shellQuoted(kind);
  return [`kubectl -n ${where} describe ${type} ${what}`];
}

/** `192.0.2.53:5353`, `[2001:db8::53]:53`, `ns1.example.org (192.0.2.53)`. */
function digging(subject: string, at: string): string {
  const inside = /\(([^)]+)\)$/.exec(subject)?.[1] ?? subject;
  const [, host = inside, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(inside) ?? [];
  const isBare = inside.includes("::") && !inside.startsWith("[");
  const where = `@${shellQuoted(isBare ? inside : host)}`;
  return isBare || port === undefined || port === "53"
    ? `dig ${where} ${at}`
    : `dig ${where} -p ${port} ${at}`;
}
