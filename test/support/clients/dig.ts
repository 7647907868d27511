/**
 * dig and kdig as judges: asks a server and returns the answer as data. Tests compare with what
 * these programs say, never with what our own parser says.
 */
import { askOnChange } from "../ports/ask-on-change.ts";
import { runOk } from "../programs/run.ts";
import { answerTo } from "./dns-query.ts";

/** Whom to ask, what, and how. */
export interface DigQuestion {
  readonly host?: string;
  readonly port: number;
  /** With or without trailing dot. */
  readonly name: string;
  /** Default `A`; `IXFR=5` asks for changes since serial 5. */
  readonly type?: string;
  readonly tcp?: boolean;
  /** Signs the query with TSIG. */
  readonly key?: {
    readonly name: string;
    readonly algorithm: string;
    readonly secretBase64: string;
  };
  /** Default `dig`. */
  readonly program?: "dig" | "kdig";
}

/** One record as dig prints it. */
export interface DigRecord {
  /** With trailing dot, in the server's case. */
  readonly name: string;
  readonly ttlSeconds: number;
  readonly type: string;
  /** Presentation rdata as printed. */
  readonly rdata: string;
}

/** A whole answer. */
export interface DigAnswer {
  /** `NOERROR`, `NXDOMAIN`, … */
  readonly status: string;
  /** `qr aa rd` … */
  readonly flags: readonly string[];
  readonly answer: readonly DigRecord[];
  readonly authority: readonly DigRecord[];
  readonly additional: readonly DigRecord[];
}

/** Asks once. Throws when no answer comes within 5 s. */
export async function dig(question: DigQuestion): Promise<DigAnswer> {
  return parseDig(await ask(question, []));
}

/**
 * The records of a whole zone transfer by dig, the SOA once and first. Throws when it is refused or
 * broken off.
 */
export async function transfer(question: DigQuestion): Promise<readonly DigRecord[]> {
  const text = await ask({ type: "AXFR", ...question, tcp: true }, ["+onesoa"]);
  if (!text.includes(";; XFR size:")) throw new Error(`no transfer of ${question.name}:\n${text}`);
  return text.split("\n").flatMap(parseRecord);
}

/** The rdata of all answers, sorted; empty for NODATA and NXDOMAIN. */
export async function digValues(question: DigQuestion): Promise<readonly string[]> {
  return valuesOf(await dig(question));
}

/**
 * Asks as dig does, and starts dig where the bytes of the answer are not those before: for
 * questions that are asked again and again, over UDP, without a key.
 */
export function digOnChange(
  program: "dig" | "kdig" = "dig",
): (question: DigQuestion) => Promise<DigAnswer> {
  const known = new Map<string, () => Promise<DigAnswer>>();
  return (question) => {
    const { port, name, type = "A" } = question;
    const key = `${port} ${name} ${type}`;
    const ask =
      known.get(key) ??
      askOnChange(
        async () => Buffer.from(await answerTo(port, name, type)).toString("base64"),
        () => dig({ ...question, program }),
      );
    known.set(key, ask);
    return ask();
  };
}

/** The rdata of an answer, sorted. */
export function valuesOf({ answer }: DigAnswer): readonly string[] {
  return answer.map(({ rdata }) => rdata).sort();
}

function ask(question: DigQuestion, more: readonly string[]): Promise<string> {
  const { key, program = "dig", type = "A" } = question;
  const isDig = program === "dig";
  const args = [
    `@${question.host ?? "127.0.0.1"}`,
    "-p",
    String(question.port),
    ...(key === undefined ? [] : ["-y", `${key.algorithm}:${key.name}:${key.secretBase64}`]),
    "+time=5",
    isDig ? "+tries=3" : "+retry=2",
    ...(isDig ? ["+noidnin", "+noidnout", "+nosplit", "+nocookie"] : ["+noidn"]),
    ...(question.tcp === true ? ["+tcp"] : []),
    ...more.filter((option) => isDig || option !== "+onesoa"),
    "-q",
    question.name,
    "-t",
    type,
  ];
  return runOk(program, args);
}

/** Reads the long form that dig and kdig print. */
export function parseDig(text: string): DigAnswer {
  const sections: Record<string, DigRecord[]> = {};
  let section = "";
  for (const line of text.split("\n")) {
    const title = /^;; (\w+) (?:PSEUDO)?SECTION:/.exec(line);
    if (title !== null) section = title[1] ?? "";
    else if (line.trim() === "") section = "";
    else if (section !== "" && section !== "OPT") {
      sections[section] = [...(sections[section] ?? []), ...parseRecord(line)];
    }
  }
  return {
    status: /status: (\w+)/.exec(text)?.[1] ?? "NONE",
    flags: (/flags: ([a-z ]*);/i.exec(text)?.[1] ?? "").trim().split(" "),
    answer: sections["ANSWER"] ?? [],
    authority: sections["AUTHORITY"] ?? [],
    additional: sections["ADDITIONAL"] ?? [],
  };
}

function parseRecord(line: string): readonly DigRecord[] {
  const found = /^([^;\s]\S*)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line);
  if (found === null) return [];
  const [, name = "", ttl = "", type = "", rdata = ""] = found;
  return [{ name, ttlSeconds: Number(ttl), type, rdata: rdata.trim() }];
}
