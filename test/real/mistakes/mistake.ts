/**
 * One row of the table of mistakes that users make: what is done, what each channel says then, and
 * what to do. The test plays the rows, and docs/guides/troubleshooting.md is made of them.
 */
import type { Stage } from "./stage.ts";

/**
 * What each channel says, word for word; `…` stands for any text, MESSAGE for `message`, SERVER for
 * the address of the name server. Absent = that channel has nothing of its own to say.
 */
export interface Says {
  /** What most of the places say, each with something before or after it. */
  readonly message: string;
  /** What `kubectl apply` prints where the API refuses the object. */
  readonly kubectl?: string;
  /** `State: message` of the object. */
  readonly status?: string;
  /** `Type Reason: message` of an Event about the object. */
  readonly event?: string;
  /** A line of the log as a terminal shows it, without its time. */
  readonly log?: string;
  /** In the answer of `zonekeeper explain NAME`. */
  readonly explain?: string;
  /** In the answer of `zonekeeper plan --all`. */
  readonly plan?: string;
}

/** The places, in the order of the page. */
export const CHANNELS = ["kubectl", "status", "event", "log", "explain", "plan"] as const;

/** See the head of this file. */
export interface Mistake {
  /** Name of the objects, label of the name, anchor on the page. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences of Markdown. */
  readonly done: string;
  /** `KIND/NAME` whose status and Events count; default the DNSEntry called `id`. */
  readonly object?: string;
  /** What `explain` is asked for; default the label `id` of the shared zone. */
  readonly name?: string;
  /** Objects that are published before the mistake. */
  readonly before?: (stage: Stage) => readonly string[];
  /** Objects with the mistake. */
  readonly wrong?: (stage: Stage) => readonly string[];
  /** What is done by hand, after the objects were applied. */
  readonly act?: (stage: Stage) => Promise<void>;
  readonly says: Says;
  /** Of `zonekeeper explain`. */
  readonly exit: 0 | 1 | 2;
  /** Addresses at `name`, with the mistake; null = nobody can be asked. */
  readonly answers: readonly string[] | null;
  /** What to do, in sentences of Markdown. */
  readonly mend: string;
  /** What is done by hand to mend it, before `mended`. */
  readonly undo?: (stage: Stage) => Promise<void>;
  /** Objects as they should be; the object is Ready then. Absent = the test mends nothing. */
  readonly mended?: (stage: Stage) => readonly string[];
}

/** What a DNSProvider that serves nothing says. */
export function providerSays(id: string, message: string): Says {
  return {
    message,
    status: "Error: MESSAGE",
    event: "Warning DNSProviderError: MESSAGE",
    log: `DNSProvider is not ready provider=default/${id} reason=…MESSAGE`,
    explain: `DNSProvider default/${id} serves no zone: MESSAGE`,
    plan: `DNSProvider default/${id} serves no zone: MESSAGE`,
  };
}

/** What a DNSEntry says that is in no zone's plan. */
export function entrySays(
  id: string,
  message: string,
  { state = "Invalid", name = `${id}.example.net` } = {},
): Says {
  return {
    message,
    status: `${state}: MESSAGE`,
    event: `Warning DNSEntry${state}: MESSAGE`,
    explain: `dnsentry/default/${id}: ${state}: MESSAGE`,
    plan: `${name} is not published as dnsentry/default/${id} has it: ${state}: MESSAGE`,
  };
}

/** What a DNSEntry says whose record is held. */
export function heldSays(code: string, message: string, { name, id }: HeldRecord): Says {
  return {
    message,
    status: "Error: MESSAGE",
    event: "Warning DNSEntryError: MESSAGE",
    explain: `${code}: MESSAGE`,
    plan: `! ${name} … ${code}: MESSAGE, dnsentry/default/${id}`,
  };
}

interface HeldRecord {
  readonly id: string;
  readonly name: string;
}

/** What is shown of a Service or Ingress. */
export function sourceSays(object: string, code: string, message: string): Says {
  const [kind, , id] = object.split("/");
  return {
    message,
    event: "Warning dns-annotation: …MESSAGE",
    explain: `${object}: ${code}: MESSAGE`,
    plan: `${id}.example.net is not published as ${kind}/default/${id} has it: ${code}: MESSAGE`,
  };
}

/** A template with what stands for something else filled in; null = the channel says nothing. */
export function filledIn(says: Says, channel: (typeof CHANNELS)[number]): string | null {
  return says[channel]?.replace("MESSAGE", () => says.message) ?? null;
}

/** True if a text has what a template says. Runs of spaces and line ends count as one space. */
export function matchesTemplate(text: string, template: string, server: string): boolean {
  const plain = template.replaceAll("SERVER", server).replace(/\s+/g, " ");
  const pattern = plain.split(/ ?… ?/).map(literally).join(".*?");
  return new RegExp(pattern, "s").test(text.replace(/\s+/g, " "));
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
