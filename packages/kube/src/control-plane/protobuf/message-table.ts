/**
 * Messages of Kubernetes protobuf as text: one message begins at each line that is not indented;
 * lines with # are comments.
 *
 *     LeaseSpec = 1 holderIdentity?, 2 leaseDurationSeconds? int, 3 acquireTime micro-time
 *
 * A field is its number, its name in JSON and its type: text unless a type follows, one of
 * `ScalarType` or a message, a list `[type]` or a map `{type}` of these (`[]` and `{}`: of text).
 * `?` = zero is a value and kept (a pointer in Go, or a field that JSON always has); else zero
 * means absent. `...` as the name = its fields are fields of the parent. Fields with `|` between
 * them are alternatives: the message is the value of the first one that is there.
 */
import { invariant } from "@zonekeeper/base/invariant";

/** One field of a message. */
export interface Field {
  readonly number: number;
  readonly name: string;
  readonly form: "one" | "list" | "map";
  /** The type of the value, or of the items of a list or map. */
  readonly type: string;
  readonly keepsZero: boolean;
  readonly isInline: boolean;
}

/** One message. */
export interface MessageType {
  readonly fields: readonly Field[];
  readonly isChoice: boolean;
}

/** Messages by name; those of whole objects are named `apiVersion/kind`. */
export type Messages = ReadonlyMap<string, MessageType>;

/** The messages of a table. */
export function messagesOf(table: string): Messages {
  return new Map(
    table
      .replaceAll(/^#.*\n/gm, "")
      .trim()
      .split(/\n(?=\S)/)
      .map(messageOf),
  );
}

function messageOf(text: string): [string, MessageType] {
  const [name = "", fields = ""] = text.split(/ =\s*/);
  const all = fields === "" ? [] : fields.split(/\s*[,|]\s+/);
  return [name, { fields: all.map(fieldOf), isChoice: fields.includes("|") }];
}

function fieldOf(text: string): Field {
  const match = /^(\d+) ([^\s?]+)(\??)(?: (\S+))?$/.exec(text.trim());
  invariant(match !== null, `a field of a message table cannot be read: ${text}`);
  const [, number, name = "", mark, form = ""] = match;
  const type = form.replace(/^[[{](.*)[\]}]$/, "$1") || "text";
  return {
    number: Number(number),
    name,
    form: form.startsWith("[") ? "list" : form.startsWith("{") ? "map" : "one",
    type,
    keepsZero: mark === "?",
    isInline: name === "...",
  };
}
