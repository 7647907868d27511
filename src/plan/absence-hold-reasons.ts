/**
 * Reasons to keep a record of ours because it is not proven that no object wants it any more; a
 * part of the table in hold-reasons.ts.
 */
import {
  DEFERRED,
  ENDED_BY_OPERATOR,
  ENDED_BY_USER,
  type HoldReason,
  WAITS,
} from "./hold-reason.ts";

/** By code (Z-1 to Z-4, Z-22, Z-30). */
export const ABSENCE_HOLD_REASONS = {
  NoTargets: {
    meaning: "The object exists but has no address now; its published records stay.",
    remedy: "Wait for the load balancer, or remove the name from the object.",
    ...WAITS,
  },
  Unresolved: {
    meaning: "A target could not be resolved; the last published addresses stay.",
    remedy: "Correct the target, or wait until it resolves.",
    ...ENDED_BY_USER,
  },
  SourceIncomplete: {
    meaning: "The object could not be read completely, so none of its records is removed.",
    remedy: "Correct the field that the object's condition names.",
    ...ENDED_BY_USER,
  },
  SourceAlive: {
    meaning:
      "The object in the marker exists, and nothing proves that it no longer lists the name.",
    remedy: "Remove the name from the object, or delete the object.",
    ...ENDED_BY_USER,
  },
  RenamedUnpublished: {
    meaning:
      "The object has another name instead, and that one is not published. The record here stays.",
    remedy:
      "See what the other name waits for. If this one is to go all the same, list it again and then remove it by an edit of its own. On a DNSEntry whose annotation `zonekeeper.dev/renamed-to` is wrong, remove that.",
    ...WAITS,
  },
  HandingOver: {
    meaning:
      "The DNSEntry has another class now, and the controllers of that class have taken it: its record is handed over to their owner id.",
    remedy:
      "Nothing to do: the other controllers claim the record. Where they do not run any more, give the DNSEntry its former class again, or delete it.",
    ...WAITS,
  },
  EntryExists: {
    meaning:
      "The object is published directly, and a DNSEntry that was made for it still publishes the name.",
    remedy:
      "Nothing to do where the program deletes the entry itself. If an Event of the object says that the entry is left as it is, delete it.",
    states: DEFERRED,
    resolvedBy: "user",
  },
  OriginalAlive: {
    meaning:
      "The DNSEntry of the object in the marker is gone, and that object still lists the name.",
    remedy:
      "Nothing to do: the entry is created again. To remove the record, remove the name from the object, or delete the object.",
    ...WAITS,
  },
  WantedElsewhere: {
    meaning:
      "An object that is not assigned to this zone lists the name: it uses another account, or has no zone yet.",
    remedy:
      "The record stays for that object. Correct the DNSProvider of the object, or create one for its zone.",
    ...ENDED_BY_USER,
  },
  NotSynced: {
    meaning: "Not every kind of object that could list the name has been read yet.",
    remedy: "Wait until the clusters are listed; see the conditions if it lasts.",
    states: { absent: "Pending", present: "Pending" },
    resolvedBy: "nobody",
  },
  KindGone: {
    meaning:
      "The kind of the object in the marker no longer exists in its cluster, or may not be read.",
    remedy:
      "Restore the kind or the permission. If the kind is gone for good: zonekeeper ownership adopt gives the record to an object that wants it, zonekeeper ownership remove removes it.",
    ...ENDED_BY_OPERATOR,
  },
  DefinitionGone: {
    meaning:
      "The definition of the kind is being deleted or gone, and its objects with it: that is no intent about their names, so the records stay.",
    remedy:
      "Install the definition again, then apply the objects: they have their records as before. Objects that are to go with their records are deleted before the definition.",
    ...ENDED_BY_OPERATOR,
  },
  Orphan: {
    meaning:
      "The record has our owner id, and no object here was seen to list it: another program wrote it, or an object that was never here. It stays.",
    remedy:
      "Look at zonekeeper ownership orphans. Give an object the name, or remove the record with zonekeeper ownership remove.",
    ...ENDED_BY_OPERATOR,
  },
  ClusterChanged: {
    meaning:
      "A cluster has another UID, older versions or far fewer objects than before: it may be rebuilt, restored or another one.",
    remedy:
      "Check the cluster. If it is right as it is, accept it: zonekeeper approve HASH, with the hash in the message.",
    ...ENDED_BY_OPERATOR,
  },
  ClusterUnknown: {
    meaning:
      "The marker of the record names a cluster that this program does not serve, and no DNSEntry that was made for its object was seen to end, so nothing proves that it is gone.",
    remedy:
      "An object that moves here with the owner id of a DNSOwner has the record as soon as it wants the same values, and may be changed then. Only where OLD is a former id of a cluster that is served here, start with --cluster-alias OLD=NEW: objects that live on in another cluster count as gone with it, and DNSEntries of theirs fail. If the cluster is gone for good, such as one that was rebuilt as this one: zonekeeper transfer --from OWNER --to OWNER --force, with our own owner id twice, gives all such records to the objects here that want them (zonekeeper owner take has done so where an installation had to be taken from); zonekeeper ownership remove removes one.",
    ...ENDED_BY_OPERATOR,
  },
  OwnerShared: {
    meaning:
      "The record has the owner id default, which every external-dns without --txt-owner-id has, and its marker names no cluster: its object may be one of another cluster.",
    remedy:
      "If no other cluster needs the record: zonekeeper ownership remove. zonekeeper registry migrate --yes writes this cluster into the markers of records that objects here want: these go with their objects from then on.",
    ...ENDED_BY_OPERATOR,
  },
  KindUnknown: {
    meaning: "The marker of the record names no object, so nothing proves that the object is gone.",
    remedy:
      "An object that wants the name and type with the owner id in the marker has the record. If no object needs it: zonekeeper ownership remove.",
    ...ENDED_BY_OPERATOR,
  },
} as const satisfies Readonly<Record<string, HoldReason>>;

/**
 * Codes of holds for orphans: records of ours that no object here is known to have wanted. Such a
 * record is removed, or passes to another object, only when a person orders it (Z-22).
 */
export const ORPHANED: ReadonlySet<string> = new Set<keyof typeof ABSENCE_HOLD_REASONS>([
  "Orphan",
  "KindGone",
  "KindUnknown",
  "ClusterUnknown",
  "OwnerShared",
]);
