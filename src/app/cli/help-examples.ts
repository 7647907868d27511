/** What help texts end with: examples and exit codes. Data only. */

/** By command. */
export const EXAMPLES = {
  program: `
Examples:
  zonekeeper dev                            everything embedded, zone example.org, examples applied
  zonekeeper run --owner my-group           in a cluster, or with $KUBECONFIG
  zonekeeper explain www.example.org        why is it so?
`,
  dev: `
Examples:
  zonekeeper dev
  zonekeeper dev --zone lab.example.org --dns-port 5353 --data /var/lib/zonekeeper
  zonekeeper dev --no-examples --log-level debug

Ctrl-C stops; kill -9 at any time is safe. What was acknowledged is there at the next start.
`,
  run: `
Examples:
  zonekeeper run --owner my-group --http-address 0.0.0.0
  zonekeeper run --owner my-group --kubeconfig source.yaml --target target.yaml
  zonekeeper run --config zonekeeper.yaml --dry-run
  zonekeeper --dialect=external-dns --source=service --provider=aws     arguments without a command are those of run
`,
  check: `
Examples:
  zonekeeper check --owner my-group
  zonekeeper check --owner my-group --kubeconfig source.yaml --output json | jq '.findings[] | select(.state != "ok")'

It takes the options of run and writes nothing. An UPDATE that changes nothing tells whether the key may update.
Exit code: 0 all is well, 2 something is to mend, 1 something could not be asked.
`,
  shadow: `
Examples:
  zonekeeper shadow --deployment external-dns/external-dns
  zonekeeper shadow --source=ingress --provider=aws --txt-owner-id=prod --domain-filter=example.org
  zonekeeper shadow --deployment external-dns/external-dns --output json | jq '.names[] | select(.state == "different")'

It takes the arguments of external-dns, --dialect external-dns understood, and options of run. Nothing is written: no zone, no object, no Event, no Lease.
Exit code: 0 every name is as this program would have it, 2 something differs, 1 something could not be read.
`,
  plan: `
Examples:
  zonekeeper plan
  zonekeeper plan --zone example.org --all
  zonekeeper plan --output json | jq '.groups[].items[].name'
  zonekeeper plan --output markdown --limit 200 > comment.md

Exit code: 0 nothing to do, 2 something is to do or held, 1 the instance does not answer or a zone cannot be read.
`,
  history: `
Examples:
  zonekeeper history --since 2h             what changed in the last two hours
  zonekeeper history www.example.org        what became of a name
  zonekeeper history --zone example.org --output json | jq '.changes[] | select(.is == "removed")'

Kept of each zone: 10 000 changes in the data folder, else the last 500; 30 days at the most.
Exit code: 0; 1 the instance does not answer, or changes may be missing.
`,
  imports: `
Examples:
  zonekeeper imports                        hosts, what waits, and what is skipped with its reason
  zonekeeper imports --output json | jq '.imports[].skipped'

Exit code: 0; 1 the instance does not answer, or nothing comes in from a zone.
`,
  undo: `
Examples:
  zonekeeper undo www.example.org           what would become of its last change
  zonekeeper undo www.example.org --yes
  zonekeeper undo --since 10m --zone example.org
  zonekeeper undo 4f0c1d2e3b5a6978 --yes    the changes of an approved set

A record that somebody changed since is named and not touched. The names are paused: correct the objects, then
zonekeeper resume --name NAME. Changes beyond the limits of the fuse wait for an approval, as any do.
Exit code: 0 done, or nothing to do; 2 something would be undone; 1 something could not be, or is not as it was shown.
`,
  clusters: `
Examples:
  zonekeeper clusters                       a line for each, and what is wrong
  zonekeeper clusters --output json | jq '.clusters[] | select(.state != "Live")'

Exit code: 0; 1 the instance does not answer, or a cluster is not Live.
`,
  open: `
Examples:
  zonekeeper open                           opens a browser, where there is one, and prints the link
  zonekeeper open --print                   only prints it: good once, for a minute

The page is served on this host; elsewhere once --page-origin says how browsers reach it.
Exit code: 0; 1 the instance does not answer, or serves no page.
`,
  approve: `
Examples:
  zonekeeper plan                           shows what is held, with the hash of its set
  zonekeeper approve 4f0c1d2e3b5a6978

An approval is for that set only. Later changes form another set.
`,
  restore: `
Examples:
  zonekeeper plan                           shows what is held, with the hash of its set
  zonekeeper restore 4f0c1d2e3b5a6978       what would be created again
  zonekeeper restore 4f0c1d2e3b5a6978 --yes

DNSEntries and DNSEndpoints that were deleted in the last day are created as they were, without owner references and
finalizers; what else was deleted within the hour in their namespaces is taken to be of the same accident. What exists is
never changed. Services and Ingresses are named: apply them again.
Exit code: 0 done, or nothing to do; 2 something would be created; 1 something could not be.
`,
  pause: `
Examples:
  zonekeeper pause --zone example.org
  zonekeeper resume --zone example.org
  zonekeeper resume --name www.example.org  after zonekeeper undo, once its object is correct
  zonekeeper pause --all                    the kill switch: no zone is written, whatever happens

A pause is kept over restarts. It does not touch --dry-run, nor the annotation zonekeeper.dev/paused of single objects.
`,
  migrate: `
Examples:
  zonekeeper registry migrate                                    shows what differs from what is configured
  zonekeeper registry migrate --to-layout label --zone example.org
  zonekeeper registry migrate --to-layout label --yes          does it, and waits

Records are not changed: each new ownership record is written before the old one is removed. Give --txt-layout to the
writing instance, too; else it writes new ownership records in its old layout. Signatures come with --marker-signing write.
Exit code: 0 nothing to do, 2 something is to do, 1 something cannot be done, or a zone cannot be read.
`,
  completion: `
Examples:
  source <(zonekeeper completion bash)
  zonekeeper completion fish > ~/.config/fish/completions/zonekeeper.fish

Names, zones and hashes are those of the running instance.
`,
  ownerTake: `
  zonekeeper plan                           names the other installation
  zonekeeper owner take --from 1f0e4c52-6d0a-4b8f-9a67-0c0a3c1c9f11/kube-system/zonekeeper
  zonekeeper owner take --from 1f0e4c52-6d0a-4b8f-9a67-0c0a3c1c9f11/kube-system/zonekeeper --yes

Exit code: 0 taken, 2 shown only, 1 it could not be done.
`,
  explain: `
Examples:
  zonekeeper explain www.example.org
  zonekeeper explain '*.apps.example.org' --output json

Exit code: 0 the name is in sync, 2 a change of it is held, failing or in flight, 1 no object lists the name,
its zone cannot be read, or the instance does not answer.
`,
} as const;
