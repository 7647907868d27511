/** Options of the TXT registry and of its migration: rows of the table. */
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const BOTH: readonly CommandName[] = ["dev", "run"];

const MIGRATE: readonly CommandName[] = ["registry migrate"];

/** Of `registry migrate`, besides those of all commands that ask the running instance. */
export const MIGRATE_OPTIONS: readonly Option[] = [
  option({
    name: "to-layout",
    type: "choice",
    choices: ["typed", "label"],
    doc: "The layout that ownership TXT records are brought to. Default: what the running instance writes there.",
    commands: MIGRATE,
  }),
  option({
    name: "encrypt",
    type: "flag",
    default: "false",
    doc: "Encrypt them, also where new ones are plain. The running instance must have the key.",
    commands: MIGRATE,
  }),
];

const txtOption = (row: Parameters<typeof option>[0]): Option =>
  option({ ...row, registry: "txt" });

/** In the order of the help text. */
export const TXT_OPTIONS: readonly Option[] = [
  txtOption({
    name: "txt-prefix",
    type: "text",
    doc: "Put before the first label of ownership TXT records; %{record_type} in it stands for the record type. As external-dns has it. Not with txt-suffix.",
    commands: BOTH,
  }),
  txtOption({
    name: "txt-suffix",
    type: "text",
    doc: "Put behind the first label of ownership TXT records; %{record_type} in it stands for the record type. As external-dns has it. Not with txt-prefix.",
    commands: BOTH,
  }),
  txtOption({
    name: "txt-wildcard-replacement",
    type: "text",
    doc: "Stands for the label * in names of ownership TXT records. Without it the marker of *.x is a-*.x, or in the label layout where the provider takes no such name.",
    commands: BOTH,
  }),
  txtOption({
    name: "txt-layout",
    type: "list",
    default: "typed",
    doc: "Where new ownership TXT records stand: typed (a-www.example.org, with the affixes above) or label (_owner.a.www.example.org). ZONE=LAYOUT says it for one zone. All layouts are read in any case; zonekeeper registry migrate moves what stands.",
    commands: BOTH,
  }),
  txtOption({
    name: "txt-also-read",
    type: "list",
    doc: "Affixes of earlier configurations that are read besides: prefix=txt.;wildcard=any or suffix=-txt. The affixes above, external-dns's default and the label layout are read anyway.",
    commands: BOTH,
  }),
  txtOption({
    name: "txt-encrypt-enabled",
    type: "flag",
    default: "false",
    doc: "Encrypt new ownership TXT records (AES-256-GCM, as external-dns does it). Needs a key. A key without this flag only reads.",
    commands: BOTH,
  }),
  txtOption({
    name: "txt-encrypt-aes-key",
    type: "text",
    secret: true,
    doc: "Key of encrypted ownership TXT records: 32 characters, or base64 of 32 bytes. Anybody who sees the command line sees it: rather use txt-encrypt-aes-key-file.",
    commands: BOTH,
  }),
  txtOption({
    name: "txt-encrypt-aes-key-file",
    type: "text",
    doc: "File with that key, for example from a Secret that is mounted.",
    commands: BOTH,
  }),
  txtOption({
    name: "marker-signing",
    type: "choice",
    default: "off",
    choices: ["off", "write", "require"],
    doc: "Signatures of ownership TXT records: none; written, and checked where they stand; required, so that an unsigned one gives no right. Go off, write, zonekeeper registry migrate, require.",
    commands: BOTH,
  }),
  txtOption({
    name: "marker-signing-keys-file",
    type: "text",
    doc: "File with the keys of signatures, one a line: an id, a blank, base64 of at least 32 bytes. The first one signs, all are accepted.",
    commands: BOTH,
  }),
];
