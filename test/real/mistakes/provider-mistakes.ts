/** Mistakes with DNSProviders, their Secrets and the name server. */
import { entry, object, provider, secret } from "../../support/values/cluster-objects.ts";
import { entrySays, type Mistake, providerSays } from "./mistake.ts";
import { CLOCK_CLASS, LESS_KEYS, type Stage } from "./stage.ts";

type Texts = Readonly<Record<string, string>>;

/** Secret and DNSProvider of a zone called after the row, and an entry in it. */
const site = (id: string, texts: (stage: Stage) => Texts) => (stage: Stage) => [
  secret(id, texts(stage)),
  provider(id),
  entry(id, `www.${id}.example`, { targets: ["192.0.2.1"] }),
];

const right = (id: string): ((stage: Stage) => readonly string[]) =>
  site(id, (stage) => stage.keys(`${id}.example`));

const wrong = (id: string, texts: Texts) =>
  site(id, (stage) => ({ ...stage.keys(`${id}.example`), ...texts }));

/** Rows about a DNSProvider that never worked. */
export const PROVIDER_MISTAKES: readonly Mistake[] = [
  {
    id: "secret-keys",
    title: "The keys of the Secret have other names",
    done: "The Secret has `server` and `zone` where `Server` and `Zone` belong.",
    object: "dnspr/secret-keys",
    name: "www.secret-keys.example",
    wrong: (stage) => {
      const { Server = "", Zone = "", ...rest } = stage.keys("secret-keys.example");
      return [
        secret("secret-keys", { server: Server, zone: Zone, ...rest }),
        provider("secret-keys", { domains: { include: ["secret-keys.example"] } }),
        entry("secret-keys", "www.secret-keys.example", { targets: ["192.0.2.1"] }),
      ];
    },
    says: providerSays(
      "secret-keys",
      "the key server of the Secret is not known: write it as Server; the key zone of the Secret is not known: write it as Zone (secret default/secret-keys)",
    ),
    exit: 2,
    answers: [],
    mend: "Rename the keys: `Server`, `Zone`, `TSIGKeyName`, `TSIGSecret` and `TSIGSecretAlgorithm` are written like this.",
    mended: right("secret-keys"),
  },
  {
    id: "wrong-secret",
    title: "The TSIG secret is another one than the server's",
    done: "`TSIGSecret` is not the secret that the server has for that key name.",
    object: "dnspr/wrong-secret",
    name: "www.wrong-secret.example",
    wrong: wrong("wrong-secret", { TSIGSecret: Buffer.from("another one").toString("base64") }),
    says: providerSays(
      "wrong-secret",
      "cannot get hosted zones: SOA of wrong-secret.example at SERVER: the server answers BADSIG: its secret for this key differs; compare TSIGKeyName, TSIGSecretAlgorithm and TSIGSecret with the server's",
    ),
    exit: 2,
    answers: [],
    mend: 'Copy the secret from the server\'s configuration (`key "…" { secret "…"; };` in BIND) into `TSIGSecret`. Under `stringData` it is written as the server has it; under `data` it is encoded in base64 once more.',
    mended: right("wrong-secret"),
  },
  {
    id: "unknown-key",
    title: "The server does not know the key",
    done: "`TSIGKeyName` names a key that the server does not have.",
    object: "dnspr/unknown-key",
    name: "www.unknown-key.example",
    wrong: wrong("unknown-key", { TSIGKeyName: "dns-key." }),
    says: providerSays(
      "unknown-key",
      "cannot get hosted zones: SOA of unknown-key.example at SERVER: the server answers BADKEY: it does not know a key of this name with this algorithm; compare TSIGKeyName, TSIGSecretAlgorithm and TSIGSecret with the server's",
    ),
    exit: 2,
    answers: [],
    mend: "Write the name of the key as the server has it. A key with another algorithm counts as unknown, too.",
    mended: right("unknown-key"),
  },
  {
    id: "algorithm",
    title: "The algorithm is misspelt",
    done: "`TSIGSecretAlgorithm: sha256` instead of `hmac-sha256`.",
    object: "dnspr/algorithm",
    name: "www.algorithm.example",
    wrong: wrong("algorithm", { TSIGSecretAlgorithm: "sha256" }),
    says: providerSays(
      "algorithm",
      "the key TSIGSecretAlgorithm of the Secret is not known: use hmac-sha256, -sha512, -sha384, -sha224 or -sha1, or one with a shorter MAC such as hmac-sha256-128 (secret default/algorithm)",
    ),
    exit: 2,
    answers: [],
    mend: "Write the algorithm with its prefix, such as `hmac-sha256`.",
    mended: right("algorithm"),
  },
  {
    id: "not-base64",
    title: "The TSIG secret is no base64",
    done: "`TSIGSecret` is a password in plain text.",
    object: "dnspr/not-base64",
    name: "www.not-base64.example",
    wrong: wrong("not-base64", { TSIGSecret: "my password!" }),
    says: providerSays(
      "not-base64",
      "the key TSIGSecret of the Secret is not base64: write the key's secret in base64, as tsig-keygen prints it (secret default/not-base64)",
    ),
    exit: 2,
    answers: [],
    mend: "Make a key with `tsig-keygen NAME`, and use what it prints on both sides.",
    mended: right("not-base64"),
  },
  {
    id: "dead-server",
    title: "No server listens at the address",
    done: "`Server` has another port than the name server.",
    object: "dnspr/dead-server",
    name: "www.dead-server.example",
    wrong: wrong("dead-server", { Server: "127.0.0.1:1" }),
    says: providerSays(
      "dead-server",
      "cannot get hosted zones: SOA of dead-server.example at 127.0.0.1:1: the server cannot be reached: connect 127.0.0.1:1: connection refused (nothing listens there)",
    ),
    exit: 2,
    answers: [],
    mend: "Correct `Server` in the Secret, or start the name server. `dig @HOST -p PORT ZONE SOA` shows whether it answers from where Zonekeeper runs.",
    mended: right("dead-server"),
  },
  {
    id: "unknown-host",
    title: "The name of the server does not exist",
    done: "`Server: ns1.nowhere.invalid:53`, a name without an address.",
    object: "dnspr/unknown-host",
    name: "www.unknown-host.example",
    wrong: wrong("unknown-host", { Server: "ns1.nowhere.invalid:53" }),
    says: providerSays(
      "unknown-host",
      "cannot get hosted zones: SOA of unknown-host.example at ns1.nowhere.invalid:53: the server cannot be reached: connect ns1.nowhere.invalid:53: no such host name",
    ),
    exit: 2,
    answers: [],
    mend: "Correct the host name, or write the address of the server.",
    mended: right("unknown-host"),
  },
  {
    id: "other-zone",
    title: "The server does not have the zone",
    done: "`Zone: exmaple.net.`, a zone that the server does not serve.",
    object: "dnspr/other-zone",
    name: "www.exmaple.net",
    wrong: (stage) => [
      secret("other-zone", stage.keys("exmaple.net")),
      provider("other-zone"),
      entry("other-zone", "www.exmaple.net", { targets: ["192.0.2.1"] }),
    ],
    says: providerSays(
      "other-zone",
      "cannot get hosted zones: SOA of exmaple.net at SERVER: the server answers REFUSED; it does not serve the zone, or does not allow this to the key; compare the zone and the key with its configuration",
    ),
    exit: 2,
    answers: [],
    mend: "Correct `Zone` in the Secret, or add the zone to the server.",
    mended: right("other-zone"),
  },
  {
    id: "no-transfer",
    title: "The key may not transfer the zone",
    done: "The server takes updates with the key, and its `allow-transfer` does not name the key.",
    object: "dnspr/no-transfer",
    name: "www.no-transfer.example",
    wrong: site("no-transfer", (stage) => stage.keys("no-transfer.example", LESS_KEYS.transfer)),
    says: {
      message:
        "transfer of no-transfer.example from SERVER: the server answers REFUSED; the key may not transfer the zone: name the key in the zone's allow-transfer",
      status: "Error: zone no-transfer.example cannot be read: MESSAGE",
      event: "Warning DNSProviderError: zone no-transfer.example cannot be read: MESSAGE",
      log: "zone cannot be worked on zone=no-transfer.example reason=…MESSAGE",
      explain: "in the zone: not known, it cannot be read since …: MESSAGE",
      plan: "no-transfer.example … failed at SERVER: MESSAGE",
    },
    exit: 1,
    answers: [],
    mend: 'Zonekeeper reads zones by transfer: it must know what a zone has before it changes anything. In BIND: `allow-transfer { key "NAME"; };` in the zone.',
    mended: right("no-transfer"),
  },
  {
    id: "no-update",
    title: "The key may not update the zone",
    done: "The server gives transfers to the key, and its `update-policy` does not grant it the name.",
    object: "dnse/no-update",
    name: "www.no-update.example",
    wrong: site("no-update", (stage) => stage.keys("no-update.example", LESS_KEYS.update)),
    says: {
      message:
        "the server accepts the key but refuses this change (REFUSED): its policy does not grant this name or type to the key (BIND: update-policy), or the name of a CNAME has other data",
      status: "Error: MESSAGE",
      event: "Warning DNSEntryError: MESSAGE",
      log: "change not applied name=www.no-update.example zone=no-update.example status=rejected reason=…MESSAGE",
      explain: "last outcome: REFUSED: MESSAGE … next try: …",
      plan: "+ www.no-update.example A 300 192.0.2.1 … the last try failed: REFUSED: MESSAGE; next try …",
    },
    exit: 2,
    answers: [],
    mend: "In BIND: `update-policy { grant NAME zonesub ANY; };` in the zone. The markers of ownership are TXT records: grant `TXT` at their names, too.",
    mended: right("no-update"),
  },
  {
    id: "clock",
    title: "The clocks differ",
    done: "The machine of Zonekeeper is 20 minutes ahead of the name server.",
    object: "dnspr/clock",
    name: "www.clock.example",
    wrong: (stage) => {
      const metadata = { annotations: { "dns.gardener.cloud/class": CLOCK_CLASS } };
      const spec = { type: "rfc2136", secretRef: { name: "clock" } };
      return [
        secret("clock", stage.keys("clock.example")),
        object("DNSProvider", "clock", { metadata, spec }),
        object("DNSEntry", "clock", {
          metadata,
          spec: { dnsName: "www.clock.example", targets: ["192.0.2.1"] },
        }),
      ];
    },
    act: (stage) => stage.startWrongClock(),
    says: providerSays(
      "clock",
      "cannot get hosted zones: SOA of clock.example at SERVER: the server answers BADTIME: the clocks differ: the server is 1200 seconds behind; set both by NTP",
    ),
    exit: 2,
    answers: [],
    mend: "Set both clocks by NTP. TSIG allows a difference of five minutes.",
  },
  {
    id: "no-secret",
    title: "The Secret does not exist",
    done: "`spec.secretRef` of the DNSProvider names a Secret that was never created.",
    object: "dnspr/no-secret",
    name: "www.no-secret.example",
    wrong: () => [
      provider("no-secret", { domains: { include: ["no-secret.example"] } }),
      entry("no-secret", "www.no-secret.example", { targets: ["192.0.2.1"] }),
    ],
    says: providerSays(
      "no-secret",
      "secret default/no-secret not found; create it or correct spec.secretRef",
    ),
    exit: 2,
    answers: [],
    mend: "Create the Secret in the namespace of the DNSProvider. It is taken at once.",
    mended: right("no-secret"),
  },
];

/** Rows about a DNSProvider that worked. */
export const LOST_PROVIDER_MISTAKES: readonly Mistake[] = [
  {
    id: "deleted-provider",
    title: "The DNSProvider is deleted, and its entries are not",
    done: "`kubectl delete dnspr` while DNSEntries have records in its zone.",
    name: "www.deleted-provider.example",
    before: right("deleted-provider"),
    act: (stage) => deleted(stage, "dnspr", "deleted-provider"),
    says: entrySays(
      "deleted-provider",
      "No responsible provider found: no DNSProvider that namespace default may use serves www.deleted-provider.example; create one for its zone, or include its domain in one",
      { state: "Stale", name: "www.deleted-provider.example" },
    ),
    exit: 2,
    answers: ["192.0.2.1"],
    mend: "The records stay. Create the DNSProvider again; the entries are Ready then without any change of the zone. To remove the records, delete the entries first, then the DNSProvider.",
    mended: right("deleted-provider"),
  },
  {
    id: "deleted-secret",
    title: "The Secret of a DNSProvider is deleted",
    done: "`kubectl delete secret` while a DNSProvider refers to it.",
    object: "dnspr/deleted-secret",
    name: "www.deleted-secret.example",
    before: right("deleted-secret"),
    act: (stage) => deleted(stage, "secret", "deleted-secret"),
    says: {
      ...providerSays(
        "deleted-secret",
        "secret default/deleted-secret not found; create it or correct spec.secretRef",
      ),
      event:
        "Warning DNSProviderError: secret default/deleted-secret is being deleted; create it again, or correct spec.secretRef",
    },
    exit: 2,
    answers: ["192.0.2.1"],
    mend: "The records stay, and the entries are `Stale`. Create the Secret again; it is taken at once. A deleted Secret is gone within five seconds, unless DNSEntries that are being deleted still need it: the status says so.",
    mended: right("deleted-secret"),
  },
];

async function deleted({ user }: Stage, kind: string, name: string): Promise<void> {
  await user.kubectl.ok(["delete", kind, name, "--wait=false"]);
}

/** The names of the zones that the rows need. */
export const ZONES: readonly string[] = [...PROVIDER_MISTAKES, ...LOST_PROVIDER_MISTAKES].map(
  ({ id }) => `${id}.example`,
);
