/** What the user configured about TXT markers: data only. */
import type { MarkerEncryption } from "./marker-codec.ts";
import type { MarkerLocation } from "./marker-location.ts";
import type { NameTemplate } from "./name-template.ts";
import type { MarkerSigning } from "./signature.ts";

/** Names, layouts and keys of TXT markers. */
export interface TxtSettings {
  /** Of markers whose name says their type; all empty = external-dns's default. */
  readonly nameTemplate: NameTemplate;
  /** Name templates of earlier configurations, read besides the default ones. */
  readonly readAlso: readonly NameTemplate[];
  /** Where new markers are. */
  readonly markerLocation: MarkerLocation;
  /** By apex, for zones that differ. */
  readonly markerLocationOf: Readonly<Record<string, MarkerLocation>>;
  /** Null = markers are plain. */
  readonly encryption: MarkerEncryption | null;
  /** Null = signatures are neither written nor checked. */
  readonly signing: MarkerSigning | null;
}
