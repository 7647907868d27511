/** Mistakes of those who operate Zonekeeper. */
import { askPause } from "../../../src/app/commands/ask/ask-instance.ts";
import { entry, provider, secret } from "../../support/values/cluster-objects.ts";
import type { Mistake } from "./mistake.ts";
import type { Stage } from "./stage.ts";

const site =
  (id: string, more: (zone: string) => readonly string[] = () => []) =>
  (stage: Stage) => [
    secret(id, stage.keys(`${id}.example`)),
    provider(id),
    ...more(`${id}.example`),
  ];

/** More than the fuse lets pass of a zone. */
const MANY = Array.from({ length: 16 }, (_, index) => `many-${index}`);

/** Rows of which the others notice nothing. */
export const OPERATION_MISTAKES: readonly Mistake[] = [
  {
    id: "pause",
    title: "A zone is paused, and nobody remembers",
    done: "`zonekeeper pause --zone pause.example`, and weeks later a new DNSEntry.",
    name: "www.pause.example",
    before: site("pause", (zone) => [
      entry("before-pause", `old.${zone}`, { targets: ["192.0.2.1"] }),
    ]),
    act: async (stage) => {
      const config = { data: stage.instance.data, server: null, apiTokenFile: null } as const;
      await askPause({ ...config, output: "text", zone: "pause.example", name: null }, "pause");
      await stage.user.apply(entry("pause", "www.pause.example", { targets: ["192.0.2.1"] }));
    },
    says: {
      message:
        "zone pause.example is paused since …; zonekeeper resume --zone pause.example ends it",
      status: "Pending: MESSAGE",
      log: "paused by a person zone=pause.example",
      explain: "Paused: MESSAGE",
      plan: "(paused: pause.example) … MESSAGE",
    },
    exit: 2,
    answers: [],
    mend: "Look at what waits with `zonekeeper plan --zone NAME`, then run the command that the status names.",
    undo: async (stage) => {
      const config = { data: stage.instance.data, server: null, apiTokenFile: null } as const;
      await askPause({ ...config, output: "text", zone: "pause.example", name: null }, "resume");
    },
    mended: () => [],
  },
  {
    id: "mass-deletion",
    title: "Many objects are deleted at once",
    done: "`kubectl delete dnse` of 16 entries of one zone.",
    object: "dnse/many-15",
    name: "many-15.mass-deletion.example",
    before: site("mass-deletion", (zone) =>
      MANY.map((label) => entry(label, `${label}.${zone}`, { targets: ["192.0.2.1"] })),
    ),
    act: async ({ user }) => {
      await user.kubectl.ok(["delete", "dnse", ...MANY, "--wait=false"]);
    },
    says: {
      message:
        "too many changes at once; zonekeeper approve … lets this set pass, and zonekeeper restore … brings deleted objects back",
      status: "Deleting: entry is scheduled to be deleted: MESSAGE",
      event: "Warning DNSEntryDeleting: entry is scheduled to be deleted: MESSAGE",
      log: "changes are held until a person approves them zone=mass-deletion.example kind=removals changes=… removals=… isComplete=… approve=…zonekeeper approve …",
      explain: "FuseTripped: MESSAGE",
      plan: "the fuse of mass-deletion.example holds a set of removals (…); zonekeeper approve … approves it",
    },
    exit: 2,
    answers: ["192.0.2.1"],
    mend: "If it was meant: `zonekeeper approve HASH`, with the hash that `zonekeeper plan` shows. If not: `zonekeeper restore HASH` brings the objects back, and their records never went.",
  },
];

/** Zones of the rows. */
export const OPERATION_ZONES: readonly string[] = ["pause.example", "mass-deletion.example"];

/** Rows that stop the server or the program: in this order, after all others. */
export const LAST_MISTAKES: readonly Mistake[] = [
  {
    id: "stopped",
    title: "The name server is stopped",
    done: "The name server ends while Zonekeeper runs; then a DNSEntry is created.",
    act: async (stage) => {
      await stage.server.kill9();
      await stage.user.apply(stage.entry("stopped", "192.0.2.1"));
    },
    says: {
      message:
        "the server cannot be reached: connect SERVER: connection refused (nothing listens there)",
      status: "Error: MESSAGE",
      event: "Warning DNSEntryError: MESSAGE",
      log: "change not applied name=stopped.example.net zone=example.net status=retry reason=…MESSAGE",
      explain: "last outcome: ProviderUnavailable: MESSAGE … next try: …",
      plan: "+ stopped.example.net A 60 192.0.2.1 … the last try failed: ProviderUnavailable: MESSAGE; next try …",
    },
    exit: 1,
    answers: null,
    mend: "Start the server. What waits is written within half a minute, and nobody has to do anything.",
    undo: (stage) => stage.server.restart(),
    mended: () => [],
  },
  {
    id: "owner",
    title: "The program has another --owner than before",
    done: "`run` is started again with another `--owner`.",
    before: (stage) => [stage.entry("owner", "192.0.2.1")],
    act: (stage) => stage.restartAs("group-two"),
    says: {
      message:
        'all records that objects want in example.net and that have an owner belong to "group-one", none to "group-two": is --owner right? If it is: zonekeeper transfer --from group-one --to group-two --force',
      status:
        'Error: A 192.0.2.1 exists and is owned by "group-one"; set --owner back if it was changed, switch a DNSOwner of that id on if it moves here, else claim it: docs/guides/ownership.md',
      event: 'Warning DNSEntryError: A 192.0.2.1 exists and is owned by "group-one"…',
      log: "records that objects want belong to another owner zone=example.net reason=…MESSAGE",
      explain: "zone: MESSAGE",
      plan: "MESSAGE",
    },
    exit: 2,
    answers: ["192.0.2.1"],
    mend: "Start it with the `--owner` of before. If the id has to change: `zonekeeper transfer --from OLD --to NEW --force`, which shows what it would take over, and takes it with `--yes`.",
    undo: (stage) => stage.restartAs("group-one"),
    mended: () => [],
  },
  {
    id: "dry-run",
    title: "The program runs with --dry-run, and nobody remembers",
    done: "`run --dry-run`, and a new DNSEntry.",
    act: async (stage) => {
      await stage.restartAs("group-one", "--dry-run");
      await stage.user.apply(stage.entry("dry-run", "192.0.2.1"));
    },
    says: {
      message: "Dry run: this instance writes nothing, neither to zones nor to clusters.",
      log: "dry run: nothing is written to any zone",
      explain: "MESSAGE",
      plan: "MESSAGE",
    },
    exit: 2,
    answers: [],
    mend: "A dry run writes no status and no Event either. Start it without `--dry-run`.",
    undo: (stage) => stage.restartAs("group-one"),
    mended: () => [],
  },
];
