/**
 * One entry of a zone file to one record: owner, TTL and class in either order, type, rdata (RFC
 * 1035 §5.1). Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdata, unknownBytes } from "@zonekeeper/dns/rdata/index";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import { parseSoaFields } from "@zonekeeper/dns/rdata/soa";
import { isMetaType, parseRecordType } from "@zonekeeper/dns/rdata/type-numbers";
import { WireReader } from "@zonekeeper/dns/wire/bytes/wire-reader";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { decodeRdata } from "@zonekeeper/dns/wire/rdata/decode-rdata";
import { RDATA_WIRE_FORMATS } from "@zonekeeper/dns/wire/rdata/wire-format";
import type { Entry, Token } from "./lexer.ts";
import { fieldsOf, isNameField } from "./name-tokens.ts";
import { absoluteText, readOwner } from "./relative-name.ts";
import { isTimeText, parseSeconds, TTL_SECONDS_MAX } from "./time-text.ts";
import type { TextPosition } from "./zone-file-limits.ts";

/** What earlier entries say about this one. */
export interface EntryContext {
  readonly origin: DnsName;
  /** Of the record before; null = none yet. */
  readonly owner: DnsName | null;
  /** `$TTL`, or the caller's; null = none. */
  readonly defaultTtl: number | null;
  /** The last TTL that was written out or taken from an SOA (RFC 1035 §5.1). */
  readonly lastTtl: number | null;
}

/** The outcome. A mistake in one field still sets the owner for the entries that follow. */
export interface RecordResult {
  readonly record: ResourceRecord | null;
  readonly context: EntryContext;
  readonly trouble: { readonly position: TextPosition; readonly message: string } | null;
}

type Trouble = NonNullable<RecordResult["trouble"]>;

interface Head {
  readonly ttl: number | null;
  readonly type: RecordType;
  readonly rdata: readonly Token[];
  /** Where rdata begins, or the type when there is none. */
  readonly position: TextPosition;
}

const U32_MAX = 4_294_967_295;
const OTHER_CLASS = /^(?:CH|CHAOS|HS|HESIOD|NONE|ANY|CLASS\d+)$/i;
const THIS_CLASS = /^(?:IN|CLASS1)$/i;

/** Reads the tokens of one entry. */
export function readRecord(
  { tokens, startsBlank }: Entry & { readonly is: "tokens" },
  context: EntryContext,
): RecordResult {
  const [first] = tokens;
  const position = first ?? { line: 1, column: 1 };
  const owner =
    startsBlank || first === undefined
      ? previousOwner(context)
      : readOwner(first.text, context.origin);
  if (!owner.ok) return { record: null, context, trouble: { position, message: owner.error } };
  const next = { ...context, owner: owner.value };
  const head = readHead(startsBlank ? tokens : tokens.slice(1), position);
  if (!head.ok) return { record: null, context: next, trouble: head.error };
  const data = readRdata(head.value, context.origin);
  if (!data.ok) return { record: null, context: next, trouble: data.error };
  return withTtl({ name: owner.value, type: head.value.type, data: data.value }, head.value, next);
}

function previousOwner({ owner }: EntryContext): Result<DnsName> {
  return owner === null
    ? fail("the line begins with a space, but there is no owner name before it; write one")
    : ok(owner);
}

/** TTL and class, each at most once, in either order, then the type. */
function readHead(tokens: readonly Token[], start: TextPosition): Result<Head, Trouble> {
  let ttl: number | null = null;
  let hasClass = false;
  let last = start;
  for (const [index, token] of tokens.entries()) {
    last = token;
    if (!hasClass && THIS_CLASS.test(token.text)) hasClass = true;
    else if (OTHER_CLASS.test(token.text))
      return fail({ position: token, message: `class ${token.text} is not served; write IN` });
    else if (ttl === null && isTimeText(token.text)) {
      ttl = parseSeconds(token.text, TTL_SECONDS_MAX);
      if (ttl === null)
        return fail({ position: token, message: `a TTL has at most ${TTL_SECONDS_MAX} seconds` });
    } else return readType(token, { ttl, rdata: tokens.slice(index + 1) });
  }
  return fail({
    position: last,
    message: "the type is missing; write owner, TTL, IN, type and data",
  });
}

function readType(
  token: Token,
  { ttl, rdata }: { readonly ttl: number | null; readonly rdata: readonly Token[] },
): Result<Head, Trouble> {
  const type = parseRecordType(token.text);
  if (!type.ok) return fail({ position: token, message: type.error });
  if (isMetaType(type.value))
    return fail({
      position: token,
      message: `${type.value} never stands in a zone; remove the record`,
    });
  return ok({ ttl, type: type.value, rdata, position: rdata[0] ?? token });
}

/**
 * Canonical rdata; names made absolute, times made seconds, `\#` read as the type that it is of.
 */
function readRdata({ type, rdata, position }: Head, origin: DnsName): Result<string, Trouble> {
  if (rdata[0]?.text === "\\#") return readGeneric(type, rdata, position);
  const fields = fieldsOf(type);
  const texts: string[] = [];
  for (const [index, token] of rdata.entries()) {
    const field = fields[index];
    if (isNameField(field)) {
      const name = readOwner(token.text, origin);
      if (!name.ok) return fail({ position: token, message: name.error });
      texts.push(absoluteText(token.text, origin));
    } else if (field === "seconds")
      texts.push(String(parseSeconds(token.text, U32_MAX) ?? token.text));
    else texts.push(token.text);
  }
  const data = parseRdata(type, texts.join(" "));
  return data.ok ? data : fail({ position, message: `${type}: ${data.error}` });
}

/** RFC 3597 §5: the same data as the type's own text, and so the same canonical form. */
function readGeneric(
  type: RecordType,
  rdata: readonly Token[],
  position: TextPosition,
): Result<string, Trouble> {
  const bytes = unknownBytes(rdata.map((token) => token.text).join(" "));
  if (!bytes.ok) return fail({ position, message: bytes.error });
  const reader = new WireReader(bytes.value);
  const text = decodeRdata(reader, type, bytes.value.length);
  const isBad =
    reader.trouble !== null || (RDATA_WIRE_FORMATS.has(type) && bytes.value.length === 0);
  return isBad ? fail({ position, message: `these bytes are no data of type ${type}` }) : ok(text);
}

/**
 * RFC 2308 §4, RFC 1035 §5.1: its own TTL, else `$TTL`, else the last one; an SOA without any has
 * its minimum.
 */
function withTtl(
  record: Pick<ResourceRecord, "name" | "type"> & { readonly data: string },
  { ttl, position }: Head,
  context: EntryContext,
): RecordResult {
  const ttlSeconds = ttl ?? context.defaultTtl ?? context.lastTtl ?? minimumOf(record);
  if (ttlSeconds === null) {
    const message = "the TTL is missing; write $TTL at the top of the file, or a TTL here";
    return { record: null, context, trouble: { position, message } };
  }
  const lastTtl = ttl ?? context.lastTtl ?? minimumOf(record);
  return {
    record: { ...record, class: "IN", ttlSeconds },
    context: { ...context, lastTtl },
    trouble: null,
  };
}

function minimumOf({ type, data }: { readonly type: RecordType; readonly data: string }) {
  const soa = type === "SOA" ? parseSoaFields(data) : null;
  return soa?.ok ? Math.min(soa.value.minimumSeconds, TTL_SECONDS_MAX) : null;
}
