/** The registry formats that a zone can be opened with. A new one is a folder and a line here. */
import { openNoopOwnership } from "./noop/ownership.ts";
import type { Ownership } from "./ownership.ts";
import { openTxtOwnership, type TxtOwnershipOptions } from "./txt/ownership.ts";

/** What any format may need to open; each takes what concerns it. */
export type OwnershipOptions = TxtOwnershipOptions;

/** Opens the registry of one zone. */
export type OpenOwnership = (options: OwnershipOptions) => Ownership;

/** By the name that `--registry` takes. */
export const OWNERSHIP_FORMATS: Readonly<Record<"txt" | "noop", OpenOwnership>> = {
  txt: openTxtOwnership,
  noop: openNoopOwnership,
};
