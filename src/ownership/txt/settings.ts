/** What the user configured about TXT markers: data only. */
import type { MarkerEncryption } from "./marker-codec.ts";
import type { MarkerLocation } from "./marker-location.ts";
import type { NameTemplate } from "./name-template.ts";
import type { MarkerSigning } from "./signature.ts";

/** Names, forms and keys of TXT markers. */
export interface TxtSettings {
  /** For markers whose name names their type; all fields empty = external-dns's default. */
  readonly nameTemplate: NameTemplate;
  /** Name templates of earlier configurations, read besides the default ones. */
  readonly readAlso: readonly NameTemplate[];
  /** Form of the names of new markers. */
  readonly markerLocation: MarkerLocation;
  /** The same by apex, for zones that differ. */
  readonly markerLocationOf: Readonly<Record<string, MarkerLocation>>;
  /** Null = markers are plain. */
  readonly encryption: MarkerEncryption | null;
  /** Null = signatures are neither written nor checked. */
  readonly signing: MarkerSigning | null;
}
