/**
 * Reads zone files (master files): RFC 1035 §5, $TTL of RFC 2308 §4, generic data of RFC 3597 §5.
 * Every mistake has its position and does not hide the other lines. Opens no files: `$INCLUDE` goes
 * through the caller, or is refused.
 */
import type { Result } from "@zonekeeper/base/result";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { type Entry, type Token, ZoneLexer } from "./lexer.ts";
import { type EntryContext, readRecord } from "./read-record.ts";
import { readOwner } from "./relative-name.ts";
import { parseSeconds, TTL_SECONDS_MAX } from "./time-text.ts";
import {
  DEFAULT_ZONE_FILE_LIMITS,
  type TextPosition,
  type ZoneFileLimits,
  type ZoneFileProblem,
} from "./zone-file-limits.ts";

/** What to read. */
export interface ZoneFileSource {
  /** As messages show it. */
  readonly file: string;
  /** Decoded as UTF-8. */
  readonly text: string;
  /** The zone; the first `$ORIGIN` too. Records outside of it are problems. */
  readonly zone: DnsName;
  /**
   * For records before any TTL is given; null = such a record is a problem (RFC 1035 §5.1 has no
   * default).
   */
  readonly ttlSeconds: number | null;
  /** The text of an included file, or why there is none; null = `$INCLUDE` is refused. */
  readonly include: ((file: string) => Result<string>) | null;
  readonly limits?: ZoneFileLimits;
}

/** What a file holds. Trust it only when there are no problems. */
export interface ZoneFile {
  /** In the order of the file. */
  readonly records: readonly ResourceRecord[];
  /** In the order of the file. */
  readonly problems: readonly ZoneFileProblem[];
}

/** Reads everything that can be read. Never throws for what a file holds. */
export function readZoneFile(source: ZoneFileSource): ZoneFile {
  const run = new ZoneFileRun(source);
  run.read({ file: source.file, text: source.text, depth: 0 });
  return run.result();
}

interface OpenFile {
  readonly file: string;
  readonly text: string;
  readonly depth: number;
}

class ZoneFileRun {
  readonly #source: ZoneFileSource;
  readonly #limits: ZoneFileLimits;
  readonly #records: ResourceRecord[] = [];
  readonly #problems: ZoneFileProblem[] = [];
  #hasStopped = false;
  #includes = 0;
  #context: EntryContext;

  constructor(source: ZoneFileSource) {
    this.#source = source;
    this.#limits = source.limits ?? DEFAULT_ZONE_FILE_LIMITS;
    const { zone, ttlSeconds } = source;
    this.#context = { origin: zone, owner: null, defaultTtl: ttlSeconds, lastTtl: null };
  }

  result(): ZoneFile {
    return { records: this.#records, problems: this.#problems };
  }

  read(open: OpenFile): void {
    const start = { line: 1, column: 1 };
    const { fileCharactersMax } = this.#limits;
    if (open.text.length > fileCharactersMax) {
      this.#fail(open, start, `the file has more than ${fileCharactersMax} characters`);
      return;
    }
    const lexer = new ZoneLexer(open.text, this.#limits);
    for (let entry = lexer.next(); entry !== null && !this.#hasStopped; entry = lexer.next())
      this.#take(open, entry);
  }

  #take(open: OpenFile, entry: Entry): void {
    if (entry.is === "trouble") {
      this.#fail(open, entry.position, entry.message);
      return;
    }
    const [first] = entry.tokens;
    if (first?.text.startsWith("$") && !entry.startsBlank) this.#directive(open, entry.tokens);
    else this.#record(open, entry);
  }

  #record(open: OpenFile, entry: Entry & { readonly is: "tokens" }): void {
    const { record, context, trouble } = readRecord(entry, this.#context);
    this.#context = context;
    if (trouble !== null) this.#fail(open, trouble.position, trouble.message);
    if (record === null) return;
    const position = entry.tokens[0] ?? { line: 1, column: 1 };
    const { zone } = this.#source;
    if (!isAtOrBelow(record.name, zone))
      this.#fail(open, position, `${record.name} lies outside the zone ${zone}; remove it`);
    else if (this.#records.length >= this.#limits.recordsMax)
      this.#stop(open, position, `the zone has more than ${this.#limits.recordsMax} records`);
    else this.#records.push(record);
  }

  #directive(open: OpenFile, [name, ...tokens]: readonly Token[]): void {
    if (name === undefined) return;
    switch (name.text.toUpperCase()) {
      case "$ORIGIN":
        this.#origin(open, name, tokens);
        break;
      case "$TTL":
        this.#ttl(open, name, tokens);
        break;
      case "$INCLUDE":
        this.#include(open, name, tokens);
        break;
      case "$GENERATE":
        this.#fail(open, name, "$GENERATE is BIND's own; write the records that it makes");
        break;
      default:
        this.#fail(open, name, `${name.text} is no directive; known are $ORIGIN, $TTL, $INCLUDE`);
    }
  }

  #origin(open: OpenFile, name: TextPosition, [token, more]: readonly Token[]): void {
    const origin = readOwner(token?.text ?? "", this.#context.origin);
    if (token === undefined || more !== undefined)
      this.#fail(open, more ?? name, "write $ORIGIN and one name, such as $ORIGIN example.org.");
    else if (origin.ok) this.#context = { ...this.#context, origin: origin.value };
    else this.#fail(open, token, origin.error);
  }

  #ttl(open: OpenFile, name: TextPosition, [token, more]: readonly Token[]): void {
    const seconds = parseSeconds(token?.text ?? "", TTL_SECONDS_MAX);
    if (seconds !== null && more === undefined)
      this.#context = { ...this.#context, defaultTtl: seconds };
    else
      this.#fail(
        open,
        more ?? token ?? name,
        `write $TTL and seconds from 0 to ${TTL_SECONDS_MAX}, or units such as 1h30m`,
      );
  }

  /** RFC 1035 §5.1: the origin of this file stays what it is, whatever the included one does. */
  #include(open: OpenFile, name: TextPosition, [token, originToken]: readonly Token[]): void {
    const { include } = this.#source;
    const { includeDepthMax, includesMax } = this.#limits;
    const before = this.#context;
    const origin = readOwner(originToken?.text ?? "@", before.origin);
    if (token === undefined) this.#fail(open, name, "write $INCLUDE and the name of a file");
    else if (include === null)
      this.#fail(open, name, "$INCLUDE is not allowed here; write the records into one file");
    else if (open.depth >= includeDepthMax)
      this.#fail(open, name, `files are included more than ${includeDepthMax} deep`);
    else if (this.#includes >= includesMax)
      this.#stop(open, name, `more than ${includesMax} files are included`);
    else if (!origin.ok) this.#fail(open, originToken ?? token, origin.error);
    else {
      this.#includes += 1;
      const file = token.text.replace(/^"(.*)"$/, "$1");
      this.#context = { ...before, origin: origin.value };
      this.#readIncluded(open, { ...token, text: file }, include(file));
      this.#context = { ...this.#context, origin: before.origin, owner: before.owner };
    }
  }

  #readIncluded(open: OpenFile, token: Token, text: Result<string>): void {
    if (text.ok) this.read({ file: token.text, text: text.value, depth: open.depth + 1 });
    else this.#fail(open, token, `${token.text} cannot be included: ${text.error}`);
  }

  #fail(open: OpenFile, { line, column }: TextPosition, message: string): void {
    if (this.#hasStopped) return;
    this.#problems.push({ file: open.file, line, column, message });
    if (this.#problems.length < this.#limits.problemsMax) return;
    this.#hasStopped = true;
    const last = `reading stopped after ${this.#limits.problemsMax} problems; mend those first`;
    this.#problems.push({ file: open.file, line, column, message: last });
  }

  #stop(open: OpenFile, position: TextPosition, message: string): void {
    this.#fail(open, position, message);
    this.#hasStopped = true;
  }
}
