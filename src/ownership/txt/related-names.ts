/**
 * Every name that a marker or a permit of one name may have, for the templates of one registry.
 * Text only. Nearly every name is far from limits and without escapes: for these there is a fast
 * path (`#ofPlain`).
 */
import {
  type DnsName,
  isAtOrBelow,
  LABEL_BYTES_MAX,
  labelsOf,
  NAME_BYTES_MAX,
  parentOf,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import {
  framesOf,
  LABEL,
  type LabelFrame,
  markerNames,
  type NameTemplate,
} from "./name-template.ts";
import { permitFrames, permitNames } from "./permit.ts";

/** The names of one zone and its templates. */
export class RelatedNames {
  readonly #templates: readonly NameTemplate[];
  readonly #apex: DnsName;
  readonly #frames: readonly LabelFrame[];
  /** The frames that `#unused` leaves, kept until another set of unused texts is given. */
  #inUse: readonly LabelFrame[];
  #unused: ReadonlySet<string> | undefined;
  /** Bytes of the longest frame. */
  readonly #frameBytesMax: number;
  /** True when no two frames can make one name, because none has a text after the label. */
  readonly #areDistinct: boolean;

  /** `templates`: in the order in which their names are read. */
  constructor(templates: readonly NameTemplate[], apex: DnsName) {
    this.#templates = [...new Set(templates)];
    this.#apex = apex;
    const frames = [...this.#templates.flatMap(framesOf), ...permitFrames()];
    // Dots around a type that is empty would make an empty label.
    const usable = frames.filter(
      ({ before, after }) => !`${before}x${after}`.split(".").includes(""),
    );
    const distinct = new Map(usable.map((one) => [`${one.before}|${one.after}`, one]));
    this.#frames = [...distinct.values()];
    this.#inUse = this.#frames;
    this.#areDistinct = this.#frames.every(({ after }) => after === "");
    const bytes = frames.map(({ before, after }) => before.length + after.length);
    const isEscaped = frames.some(({ before, after }) => `${before}${after}`.includes("\\"));
    this.#frameBytesMax = isEscaped ? NAME_BYTES_MAX : Math.max(...bytes);
  }

  /** Texts with which names of markers and permits begin; not the empty one. */
  get beginnings(): readonly string[] {
    return this.#frames.map(({ before }) => before).filter((text) => text !== "");
  }

  /**
   * Names of markers in the order of the templates, then of permits; each once. Those that begin
   * with an `unused` text are left out, except near limits.
   */
  of(name: DnsName, unused?: ReadonlySet<string>): readonly DnsName[] {
    if (unused !== this.#unused) {
      this.#unused = unused;
      this.#inUse = this.#frames.filter(({ before }) => unused?.has(before) !== true);
    }
    const plain = this.#ofPlain(name);
    if (plain !== null && this.#areDistinct) return plain;
    if (plain !== null) return [...new Set(plain)];
    const markers = this.#templates.flatMap((one) => markerNames(one, name, this.#apex));
    return [...new Set([...markers, ...permitNames(name, this.#apex)])];
  }

  /** The fast path; null = a limit, an escape or a wildcard needs the slow one. */
  #ofPlain(name: DnsName): readonly DnsName[] | null {
    const [first = "", ...rest] = labelsOf(name);
    if (first === "" || first === "*" || first === LABEL.wildcard) return null;
    if (first.length + this.#frameBytesMax > LABEL_BYTES_MAX) return null;
    if (name.length + this.#frameBytesMax > NAME_BYTES_MAX) return null;
    const parent = parentOf(name);
    if (parent === null || name.includes("\\") || !isAtOrBelow(parent, this.#apex)) return null;
    if (rest.some((label) => label === "" || label.length > LABEL_BYTES_MAX)) return null;
    const tail = name.slice(first.length);
    return this.#inUse.map(({ before, after }) =>
      trustedDnsName(after === "" ? before + name : `${before}${first}${after}${tail}`),
    );
  }
}
