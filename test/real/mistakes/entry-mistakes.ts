/** Mistakes in a DNSEntry: its targets, its name, its fields. */
import { entry, object, provider, secret } from "../../support/values/cluster-objects.ts";
import { entrySays, heldSays, type Mistake } from "./mistake.ts";
import { ZONE } from "./stage.ts";

const GOOD = { targets: ["192.0.2.1"], ttl: 60 };
const good = (id: string) => () => [entry(id, `${id}.${ZONE}`, GOOD)];
const wrong = (id: string, spec: Readonly<Record<string, unknown>>) => () => [
  entry(id, `${id}.${ZONE}`, spec),
];

/** A row whose entry never had another target. */
function target(id: string, value: string, row: Pick<Mistake, "title" | "says" | "mend">): Mistake {
  return {
    id,
    done: `\`targets: ["${value}"]\``,
    wrong: wrong(id, { targets: [value] }),
    exit: 2,
    answers: [],
    mended: good(id),
    ...row,
  };
}

/** Rows about targets. */
export const TARGET_MISTAKES: readonly Mistake[] = [
  target("cidr", "192.0.2.1/32", {
    title: "A target is a network",
    says: entrySays(
      "cidr",
      'spec.targets: invalid target "192.0.2.1/32": it is a network; write one address, without /…',
    ),
    mend: "Write the address alone.",
  }),
  target("port", "192.0.2.1:80", {
    title: "A target has a port",
    says: entrySays(
      "port",
      'spec.targets: invalid target "192.0.2.1:80": a DNS record holds no port; write it without :…',
    ),
    mend: "Write the address alone. Clients learn ports from another record, such as an SRV record.",
  }),
  target("url", "https://lb.example.org/", {
    title: "A target is a URL",
    says: entrySays(
      "url",
      'spec.targets: invalid target "https://lb.example.org/": it is a URL; write its host name alone, without scheme, port and path',
    ),
    mend: "Write the host name alone.",
  }),
  target("brackets", "[2001:db8::2]", {
    title: "An IPv6 address is in brackets",
    says: entrySays(
      "brackets",
      'spec.targets: invalid target "[2001:db8::2]": write the IPv6 address without brackets and without a port',
    ),
    mend: "Write the address without brackets.",
  }),
  target("numbers", "192.0.2", {
    title: "An address lacks a number",
    says: entrySays(
      "numbers",
      'spec.targets: invalid target "192.0.2": "192.0.2" is no IPv4 address; write one such as 192.0.2.1',
    ),
    mend: "Write all four numbers. A name whose last label is a number is no host name.",
  }),
  {
    id: "edited",
    title: "A good entry is edited to an address that is none",
    done: 'An entry with `192.0.2.1` is edited to `targets: ["192.0.2.300"]`.',
    before: good("edited"),
    wrong: wrong("edited", { targets: ["192.0.2.300"], ttl: 60 }),
    says: entrySays(
      "edited",
      'spec.targets: invalid target "192.0.2.300": "192.0.2.300" is no IPv4 address; write one such as 192.0.2.1',
      { state: "Stale" },
    ),
    exit: 2,
    answers: ["192.0.2.1"],
    mend: "The published record stays as it was. Correct the address.",
    mended: good("edited"),
  },
  {
    id: "no-target",
    title: "The list of targets is empty",
    done: "`targets: []`",
    wrong: wrong("no-target", { targets: [] }),
    says: entrySays(
      "no-target",
      "no target or text specified; write spec.targets or spec.text, or delete the entry to have its record removed",
    ),
    exit: 2,
    answers: [],
    mend: "Write `targets` or `text`. An entry that had a record keeps it and is `Stale`. To have the record removed, delete the entry.",
    mended: good("no-target"),
  },
  {
    id: "two-kinds",
    title: "A host name and an address in one entry",
    done: '`targets: ["lb.example.org", "192.0.2.1"]`',
    wrong: wrong("two-kinds", { targets: ["lb.example.org", "192.0.2.1"] }),
    says: entrySays(
      "two-kinds",
      "spec.targets: host names and IP addresses cannot be targets of one name; use one kind only",
    ),
    exit: 2,
    answers: [],
    mend: "Write either addresses or one host name.",
    mended: good("two-kinds"),
  },
];

/** Rows about names and fields. */
export const NAME_MISTAKES: readonly Mistake[] = [
  {
    id: "ttl",
    title: "The TTL is zero",
    done: "`ttl: 0`",
    wrong: () => [],
    act: (stage) => stage.refuses("ttl", entry("ttl", `ttl.${ZONE}`, { ...GOOD, ttl: 0 })),
    says: {
      message: "spec.ttl in body should be greater than or equal to 1",
      kubectl: "spec.ttl: Invalid value: 0: MESSAGE",
    },
    exit: 1,
    answers: [],
    mend: "Write seconds from 1 on, or leave `ttl` out: the DNSProvider and `--ttl` have defaults.",
    mended: good("ttl"),
  },
  {
    id: "field",
    title: "A field is misspelt",
    done: '`tragets: ["192.0.2.1"]`',
    act: (stage) =>
      stage.refuses("field", entry("field", `field.${ZONE}`, { tragets: ["192.0.2.1"] })),
    says: { message: 'unknown field "spec.tragets"', kubectl: "strict decoding error: MESSAGE" },
    exit: 1,
    answers: [],
    mend: "Correct the field. `kubectl explain dnse.spec` lists all of them.",
    mended: good("field"),
  },
  {
    id: "star",
    title: "A star stands inside of a name",
    done: "`dnsName: shop.*.example.net`",
    name: "shop.*.example.net",
    wrong: () => [entry("star", `shop.*.${ZONE}`, GOOD)],
    says: {
      message: "* may only stand as the whole first label",
      status: 'Invalid: spec.dnsName: "shop.*.example.net" is not a DNS name: MESSAGE',
      event:
        'Warning DNSEntryInvalid: spec.dnsName: "shop.*.example.net" is not a DNS name: MESSAGE',
      explain: "answered 400: MESSAGE",
    },
    exit: 1,
    answers: [],
    mend: "Use `*` as the first label only: `*.shop.example.net`.",
    mended: good("star"),
  },
  {
    id: "no-zone",
    title: "No zone has the name",
    done: "`dnsName: www.example.com`, and no DNSProvider has a zone for it.",
    name: "www.example.com",
    wrong: () => [entry("no-zone", "www.example.com", GOOD)],
    says: entrySays(
      "no-zone",
      "No responsible provider found: no DNSProvider that namespace default may use serves www.example.com; create one for its zone, or include its domain in one",
      { state: "Error", name: "www.example.com" },
    ),
    exit: 2,
    answers: [],
    mend: "Correct the name, or create a DNSProvider for its zone in the namespace of the entry.",
    mended: good("no-zone"),
  },
  {
    id: "excluded",
    title: "The name is below an excluded domain",
    done: "The DNSProvider has `spec.domains.exclude: [internal.excluded.example]`; the entry has a name below it.",
    name: "www.internal.excluded.example",
    before: (stage) => [
      secret("excluded", stage.keys("excluded.example")),
      provider("excluded", { domains: { exclude: ["internal.excluded.example"] } }),
    ],
    wrong: () => [entry("excluded", "www.internal.excluded.example", GOOD)],
    says: entrySays(
      "excluded",
      "No responsible provider found: DNSProvider default/excluded excludes internal.excluded.example, and www.internal.excluded.example lies there; take the domain off its spec.domains.exclude, or choose another name. A domain that is a zone of its account may have to be in spec.domains.include",
      { state: "Error", name: "www.internal.excluded.example" },
    ),
    exit: 2,
    answers: [],
    mend: "Take the domain off `spec.domains.exclude`, or choose another name.",
    mended: () => [entry("excluded", "www.excluded.example", GOOD)],
  },
  {
    id: "apex",
    title: "A CNAME at the apex of a zone",
    done: '`dnsName: apex.example` and `targets: ["lb.example.org"]`.',
    name: "apex.example",
    before: (stage) => [secret("apex", stage.keys("apex.example")), provider("apex")],
    wrong: () => [entry("apex", "apex.example", { targets: ["lb.example.org"] })],
    says: heldSays(
      "ApexAlias",
      "apex.example is the apex of its zone and has NS records, and a CNAME stands alone; write addresses as targets, or choose a name below it",
      { id: "apex", name: "apex.example" },
    ),
    exit: 2,
    answers: [],
    mend: "Write the addresses of the target, or publish `www` below the apex. No DNS server takes a CNAME at a name with NS records (RFC 1034 §3.6.2).",
    mended: () => [entry("apex", "apex.example", GOOD)],
  },
  {
    id: "underscore",
    title: "An address at a name that is no host name",
    done: "`dnsName: my_app.example.net` with an address, in a BIND with `check-names`.",
    name: `my_app.${ZONE}`,
    wrong: () => [entry("underscore", `my_app.${ZONE}`, GOOD)],
    says: {
      message:
        'my_app.example.net is no host name (_), so check-names of BIND is the likely cause: set "check-names primary ignore", or choose another name',
      status: "Error: …MESSAGE",
      event: "Warning DNSEntryError: …MESSAGE",
      log: "change not applied name=my_app.example.net zone=example.net status=rejected reason=…MESSAGE",
      explain: "last outcome: REFUSED: …MESSAGE … next try: …",
      plan: "+ my_app.example.net A 60 192.0.2.1 … the last try failed: REFUSED: …MESSAGE",
    },
    exit: 2,
    answers: [],
    mend: "Choose a name of letters, digits and hyphens. Or let the server take it: `check-names primary ignore;` in the options of BIND.",
    mended: good("underscore"),
  },
  {
    id: "foreign",
    title: "The record exists and has no owner",
    done: "Somebody has written the record with `nsupdate`; then an entry wants another address.",
    act: async (stage) => {
      await stage.writeForeign(`update add foreign.${ZONE}. 60 A 192.0.2.77`);
      await stage.user.apply(entry("foreign", `foreign.${ZONE}`, GOOD));
    },
    says: heldSays(
      "ForeignRecord",
      "A 192.0.2.77 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt foreign.example.net",
      { id: "foreign", name: "foreign.example.net" },
    ),
    exit: 2,
    answers: ["192.0.2.77"],
    mend: "Zonekeeper never changes a record that it does not own. Delete the record by hand, or run `zonekeeper ownership adopt NAME` ([ownership](ownership.md)).",
    undo: (stage) => stage.writeForeign(`update delete foreign.${ZONE}. A`),
    mended: () => [],
  },
  {
    id: "two-objects",
    title: "Two objects want one name",
    done: "Two DNSEntries have the same `dnsName` and other targets.",
    name: `shared.${ZONE}`,
    before: () => [entry("first", `shared.${ZONE}`, GOOD)],
    wrong: () => [entry("two-objects", `shared.${ZONE}`, { targets: ["192.0.2.2"] })],
    says: heldSays(
      "Superseded",
      "dnsentry/default/first has the name with A 192.0.2.1; remove the name from one of the two",
      { id: "two-objects", name: "shared.example.net" },
    ),
    exit: 2,
    answers: ["192.0.2.1"],
    mend: "The object whose record is there keeps the name. Remove the name from one of the two.",
    mended: good("two-objects"),
  },
  {
    id: "class",
    title: "The entry has another class",
    done: "The annotation `dns.gardener.cloud/class: public`; the program serves the default class.",
    wrong: () => [
      object("DNSEntry", "class", {
        metadata: { annotations: { "dns.gardener.cloud/class": "public" } },
        spec: { dnsName: `class.${ZONE}`, ...GOOD },
      }),
    ],
    says: {
      message: "its class is public, and this instance is for gardendns",
      explain: "dnsentry/default/class: OtherClass: MESSAGE",
    },
    exit: 2,
    answers: [],
    mend: "Objects of another class belong to another program, so nothing else is said of them. Remove the annotation, or start an instance with `--dns-class public`. Without the annotation an object is of the class `gardendns`, a DNSEndpoint too: an instance with `--dns-class public` serves it when it gets the annotation, or with `--source-dns-class gardendns`. What it published before stays, and the status says so: `Stale`, reason `NotSelected`. An instance with another owner id says that the record is owned: give the entry its former class and delete it, or let the other instance claim it (docs/guides/ownership.md).",
    mended: () => [
      object("DNSEntry", "class", {
        metadata: { annotations: { "dns.gardener.cloud/class": "gardendns" } },
        spec: { dnsName: `class.${ZONE}`, ...GOOD },
      }),
    ],
  },
];

/** Zones of the rows. */
export const ENTRY_ZONES: readonly string[] = ["excluded.example", "apex.example"];
