/**
 * Brings the markers of one key to another form: another layout, encrypted, signed. The new marker stands before the
 * old one goes, and both rest on the data as it was read (Z-8); data is never touched. Decides from the zone alone, so
 * that whoever goes on after a crash needs nothing else.
 */

import type { DnsName } from "../../model/dns-name.ts";
import { invariant } from "../../model/invariant.ts";
import type { Change, KeyChange, MarkerTarget } from "../../plan/changes.ts";
import { isPending } from "../../plan/pending.ts";
import type { PresentSets } from "../../plan/preconditions.ts";
import { objectIn } from "../../plan/rights.ts";
import { type MarkerDraft, sharedTrouble, type Trouble, type WriteOptions } from "./draft.ts";
import { encoded } from "./encode.ts";
import { type FoldedKey, type MarkerEntry, toOwned } from "./fold.ts";
import { placeFor, placesOf } from "./place.ts";

/** The options with which markers are written in the form of `target`. */
export function optionsFor(target: MarkerTarget, options: WriteOptions): WriteOptions {
  return {
    ...options,
    layout: target.layout ?? options.layout,
    codec: target.encrypt ? options.codec.encrypting() : options.codec,
  };
}

/** The marker-only change that a key needs, or null when its marker has that form, or is none of ours to move. */
export function migrationOf(
  key: FoldedKey,
  { target, present }: { readonly target: MarkerTarget; readonly present: PresentSets },
  options: WriteOptions,
): KeyChange | null {
  if (!isMovable(key, options)) return null;
  const draft = draftMigration(key, { target, present }, options);
  if (!("code" in draft) && draft.writes.length === 0) return null;
  const current = toOwned(key, options.isOurs);
  const { marker } = current;
  invariant(marker !== null, "a key that is moved has a marker");
  const provenance = objectIn(marker) ?? NOBODY;
  return {
    key: { name: key.name, type: key.type, setIdentifier: key.setIdentifier },
    current,
    desired: null,
    change: null,
    marker: { owner: marker.owner, provenance },
    reason: { code: "MarkerMigrated", message: "the marker is brought to another form" },
    proof: null,
    migration: target,
  };
}

/** For messages alone: the marker names no object, or only its hash, and keeps saying so. */
const NOBODY = { cluster: "", kind: "unknown", namespace: "unknown", name: "unknown" };

/** A whole pair that is ours and nobody else's, not in the middle of a sequence. */
function isMovable(key: FoldedKey, { isOurs }: WriteOptions): boolean {
  if (key.data === null || key.shared || key.markers.length === 0) return false;
  return key.markers.every(
    ({ owner, trouble, labels }) => isOurs(owner) && trouble === null && !isPending(labels),
  );
}

/** The writes that bring the key's markers to the form of `target`; none when they have it. */
export function draftMigration(
  key: FoldedKey,
  { target, present }: { readonly target: MarkerTarget; readonly present: PresentSets },
  given: WriteOptions,
): MarkerDraft {
  const options = optionsFor(target, given);
  if (target.encrypt && options.codec.writes !== "encrypted") return NO_KEY;
  const shared = key.markers.find((entry) => entry.shared);
  if (shared !== undefined) return sharedTrouble(shared);
  const best = bestPlace(key, present, options);
  if ("code" in best) return best;
  const stays = key.markers.find(({ record }) => record.name === best.place) ?? null;
  const kept = restated(key, { stays, place: best.place }, options);
  if ("code" in kept) return kept;
  const others = key.markers.filter((entry) => entry !== stays);
  const removals = others.map(({ record }): Change => ({ op: "remove", previous: record }));
  return { ...NOTHING, writes: [...kept.writes, ...removals] };
}

const NOTHING = { before: [], writes: [], preconditions: [] };
const NO_KEY: Trouble = {
  code: "NoMarkerPossible",
  message: "no key is configured: start the instance with --txt-encrypt-aes-key-file",
};

/** The first place of the layout at which the marker stands already, or may stand. */
function bestPlace(
  key: FoldedKey,
  present: PresentSets,
  options: WriteOptions,
): { readonly place: DnsName } | Trouble {
  const free = placeFor(key, { ...options, present, avoid: null });
  const isTaken = (place: DnsName) => key.markers.some(({ record }) => record.name === place);
  const place = placesOf(key, options).find(
    (one) => isTaken(one) || ("name" in free && free.name === one),
  );
  if (place !== undefined) return { place };
  invariant("trouble" in free, "a free place is one of the layout's");
  return { code: "NoMarkerPossible", message: free.trouble };
}

/** The write that makes the marker say at its place what the first one of the key says; none when it does. */
function restated(
  key: FoldedKey,
  { stays, place }: { readonly stays: MarkerEntry | null; readonly place: DnsName },
  options: WriteOptions,
): { readonly writes: readonly Change[] } | Trouble {
  const found = stays ?? key.markers[0];
  if (found === undefined) return NOTHING;
  // A signature is for one place; what nobody asks for is left out.
  const { sig: _, ...labels } = found.labels;
  const value = encoded({ labels, key, place, found: stays }, options);
  if (value === null) return TOO_LONG;
  if (value === stays?.value) return NOTHING;
  const next = { ...found.record, name: place, values: [value] };
  if (stays === null) return { writes: [{ op: "create", next }] };
  return { writes: [{ op: "replace", previous: stays.record, next }] };
}

const TOO_LONG: Trouble = {
  code: "MarkerTooLong",
  message: "the marker does not fit 255 bytes in its new form; it stays as it is",
};
