/**
 * Why a name answers, or does not: from the object that wants it to what servers say now. The first
 * broken link is said before all else.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { toUnicode } from "@zonekeeper/dns/names/idna";
import { useContext, useState } from "preact/hooks";
import { resourceOf } from "../../src/model/provenance.ts";
import { MayOrder, useAnswer } from "../api.ts";
import type { ChainDocument, HistoryDocument, NameLink, ResolverAnswer } from "../contract.ts";
import { isAboutName, useTold } from "../live.ts";
import {
  Age,
  Answered,
  Command,
  Data,
  Notice,
  Part,
  Scrollable,
  type Tone,
} from "../parts/basics.tsx";
import { Changes } from "../parts/changes.tsx";
import { addressOf } from "../router.ts";
import { Undo } from "./undo.tsx";

const CHANGES = 50;

export function Name({ name }: { name: string }) {
  const path = encodeURIComponent(name);
  const answer = useAnswer<ChainDocument>(`explain/${path}?chain=true`);
  const history = useAnswer<HistoryDocument>(`history?name=${path}&limit=${CHANGES}`);
  const [isUndoing, setIsUndoing] = useState(false);
  const mayOrder = useContext(MayOrder);
  const again = (): void => {
    answer.again();
    history.again();
  };
  useTold(again, (told) => isAboutName(told, name));
  return (
    <>
      <Answered answer={answer}>{(value) => <Explained document={value} />}</Answered>
      <Part title="History">
        <Answered answer={history}>
          {({ changes, isCut, troubles }) => (
            <>
              {troubles.map((trouble) => (
                <Notice key={trouble} tone="wait">
                  {trouble}
                </Notice>
              ))}
              <Changes changes={changes} isOfOne />
              {isCut ? <p class="faint">Older changes: zonekeeper history {name}</p> : null}
              {changes.length === 0 || !mayOrder ? null : (
                <p>
                  <button type="button" onClick={() => setIsUndoing(true)}>
                    Undo…
                  </button>
                </p>
              )}
            </>
          )}
        </Answered>
      </Part>
      {!isUndoing ? null : (
        <Undo
          name={name}
          sets={[...new Set((history.value?.changes ?? []).flatMap(({ hash }) => hash ?? []))]}
          isUndone={history.value?.changes[0]?.cause === "undo"}
          onClose={() => {
            setIsUndoing(false);
            again();
          }}
        />
      )}
    </>
  );
}

/** Why a name is as it is; without history. */
export function Explained({ document: it }: { document: ChainDocument }) {
  const { chain, commands, zones, resolvers, name } = it;
  const first = (state: NameLink["state"]) => chain.find((link) => link.state === state);
  const broken = first("broken");
  const unwell = broken ?? first("waits") ?? first("unknown") ?? null;
  const unicode = toUnicode(trustedDnsName(name));
  return (
    <>
      {unicode === null ? null : <p class="faint">{unicode}</p>}
      <Verdict link={unwell} />
      {commands.length === 0 ? null : (
        <Part title={unwell === null ? "More details" : "What to do"}>
          {commands.map((command) => (
            <div key={command}>
              <Command text={command} />
            </div>
          ))}
        </Part>
      )}
      <Part title="From object to answer" note={zones.map(({ apex }) => `zone ${apex}`).join(", ")}>
        <ol class="chain">
          {chain.map((link) => (
            <Link
              key={`${link.is} ${link.subject}`}
              link={link}
              isBroken={link === broken}
              document={it}
            />
          ))}
        </ol>
        {resolvers.length > 0 ? null : (
          <p class="faint">No resolver was asked, since --resolvers names none.</p>
        )}
      </Part>
      <NotPublished document={it} />
      {resolvers.length === 0 && zones.length === 0 ? null : <Records document={it} />}
    </>
  );
}

/** One sentence, with its age. */
function Verdict({ link }: { link: NameLink | null }) {
  if (link === null)
    return (
      <Notice tone="good">Every step below is in order: the name answers as it should.</Notice>
    );
  const [tone] = TONES[link.state];
  return (
    <Notice tone={tone}>
      <b>
        {TITLES[link.is]}
        {link.code === "" ? "" : ` · ${link.code}`}
      </b>
      {link.since === null ? null : (
        <>
          {", "}
          <Age at={link.since} />
        </>
      )}
      <br />
      {withoutCode(link)}
    </Notice>
  );
}

/** Its code stands before it already. */
function withoutCode({ text, code }: NameLink): string {
  return code !== "" && text.startsWith(`${code}: `) ? text.slice(code.length + 2) : text;
}

const TITLES: Readonly<Record<NameLink["is"], string>> = {
  object: "Object",
  entry: "DNSEntry",
  plan: "Plan",
  zone: "Zone",
  servers: "Name servers",
  alias: "Alias",
  resolvers: "Resolvers",
};

const TONES: Readonly<Record<NameLink["state"], readonly [Tone, string, string]>> = {
  ok: ["good", "✓", "in order"],
  broken: ["bad", "✕", "broken"],
  waits: ["wait", "…", "waits"],
  unknown: ["off", "?", "not known"],
};

function Link(props: { link: NameLink; isBroken: boolean; document: ChainDocument }) {
  const { link, isBroken, document } = props;
  const [tone, sign, words] = TONES[link.state];
  return (
    <li class={isBroken ? `${tone} broken` : tone}>
      <span class="mark" aria-hidden="true">
        {sign}
      </span>
      <h3>
        {TITLES[link.is]}
        <span class="hidden">: {words}</span>
      </h3>
      <div class="says">
        <p>{link.text}</p>
        {isSubjectShown(link, document) ? (
          <p class="faint">
            <Data>{link.subject}</Data>
          </p>
        ) : null}
        {link.is === "servers" ? <Servers document={document} /> : null}
        {link.is === "resolvers" ? <Resolvers answers={document.resolvers} /> : null}
        {link.is === "alias" ? <Alias document={document} /> : null}
      </div>
      <span class="age">{link.since === null ? "" : <Age at={link.since} />}</span>
    </li>
  );
}

/** What the text names, and servers with their answers, are there already. */
function isSubjectShown({ is, subject, text }: NameLink, { name }: ChainDocument): boolean {
  const isListed = is === "servers" || is === "resolvers" || is === "alias";
  return !isListed && subject !== "" && subject !== name && !text.includes(subject);
}

function Servers({ document: { zones } }: { document: ChainDocument }) {
  const answers = zones.flatMap((zone) => zone.answers ?? []);
  return (
    <dl>
      {answers.map(({ server, serial, answers: lines, trouble }) => (
        <>
          <dt key={server} class="data">
            {server}
            {serial === null ? "" : `, serial ${serial}`}
          </dt>
          <dd key={`${server} answer`}>
            {lines.map((line) => (
              <div key={line} class="data">
                {line}
              </div>
            ))}
            {trouble === null ? null : <span class="state bad">cannot be asked: {trouble}</span>}
          </dd>
        </>
      ))}
    </dl>
  );
}

function Resolvers({ answers }: { answers: readonly ResolverAnswer[] }) {
  return (
    <dl>
      {answers.map(({ server, answers: records, rcode, trouble }) => (
        <>
          <dt key={server} class="data">
            {server}
          </dt>
          <dd key={`${server} answer`}>
            {records.map(({ type, ttlSeconds, data, name }) => (
              <div key={`${name} ${type} ${data}`} class="data">
                {type} {data} <span class="faint">for {ttlSeconds} s more</span>
              </div>
            ))}
            {records.length === 0 && trouble === null ? rcode : null}
            {trouble === null ? null : <span class="state bad">{trouble}</span>}
          </dd>
        </>
      ))}
    </dl>
  );
}

function Alias({ document: { zones } }: { document: ChainDocument }) {
  const chain = zones.flatMap(({ alias }) => alias?.chain ?? []);
  return (
    <p>
      {chain.map((target) => (
        <span key={target}>
          →{" "}
          <a class="data" href={addressOf("name", target)}>
            {target}
          </a>{" "}
        </span>
      ))}
    </p>
  );
}

/** Objects that list the name and are not published as they are now. */
function NotPublished({ document: { wishes, providers, unread } }: { document: ChainDocument }) {
  if (wishes.length + providers.length + unread.length === 0) return null;
  return (
    <Part title="Not published as the object is now">
      <dl>
        {wishes.map(({ object, cluster, state, message }) => (
          <>
            <dt key={`${cluster} ${object}`}>{object}</dt>
            <dd key={`${cluster} ${object} state`}>
              {[state, message].filter((one) => one !== "").join(": ")}
            </dd>
          </>
        ))}
        {unread.map(({ object, where }) => (
          <>
            <dt key={object}>{object}</dt>
            <dd key={`${object} where`}>
              names it in {where}, for external-dns, which Zonekeeper does not read
            </dd>
          </>
        ))}
        {providers.map(({ provider, message }) => (
          <>
            <dt key={provider}>DNSProvider {provider}</dt>
            <dd key={`${provider} message`}>serves no zone: {message}</dd>
          </>
        ))}
      </dl>
    </Part>
  );
}

const WHOSE = {
  ours: "ours",
  another: "another owner's: not touched",
  nobody: "no owner: not touched",
  contested: "contested",
} as const;

/** What the zone has at the name, and who wants it. */
function Records({ document: { zones } }: { document: ChainDocument }) {
  const rows = zones.flatMap((zone) => zone.standing.map((set) => ({ apex: zone.apex, ...set })));
  const claims = zones.flatMap((zone) => zone.claims);
  return (
    <>
      {rows.length === 0 ? null : (
        <Part title="In the zone">
          <Scrollable label="Records in the zone">
            <table>
              <thead>
                <tr>
                  <th scope="col">Type</th>
                  <th scope="col">Data</th>
                  <th scope="col">TTL</th>
                  <th scope="col">Owner</th>
                  <th scope="col">Object</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ apex, type, setIdentifier, data, whose, owners, resource }) => (
                  <tr key={`${apex} ${type} ${setIdentifier}`}>
                    <th scope="row">
                      {setIdentifier === null ? type : `${type} [${setIdentifier}]`}
                    </th>
                    <td>
                      {data === null
                        ? "only its marker"
                        : data.values.map((value) => (
                            <div key={value}>
                              <Data>{value}</Data>
                            </div>
                          ))}
                    </td>
                    <td>{data === null ? "" : `${data.ttlSeconds} s`}</td>
                    <td>
                      {WHOSE[whose]}
                      {owners.length === 0 ? "" : ` (${owners.join(", ")})`}
                    </td>
                    <td>{resource ?? ""}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrollable>
        </Part>
      )}
      {claims.length < 2 ? null : (
        <Part title="Wanted by">
          <dl>
            {wishesByObject(claims).map(([object, wishes]) => (
              <>
                <dt key={object}>{object}</dt>
                {wishes.map((wish) => (
                  <dd key={`${object} ${wish}`}>{wish}</dd>
                ))}
              </>
            ))}
          </dl>
        </Part>
      )}
    </>
  );
}

/** Each object once, with what it wants: `A, AAAA: first`. */
function wishesByObject(claims: ChainDocument["zones"][number]["claims"]) {
  const isOneCluster = new Set(claims.map(({ object }) => object.cluster)).size === 1;
  const found = new Map<string, Map<string, Set<string>>>();
  for (const { object, set, place, reason } of claims) {
    const at = isOneCluster ? resourceOf(object) : `${resourceOf(object)} in ${object.cluster}`;
    const how = reason === "" ? place : `${place}: ${reason}`;
    const wishes = found.get(at) ?? new Map<string, Set<string>>();
    const type = set === null ? [] : [set.type];
    wishes.set(how, new Set([...(wishes.get(how) ?? []), ...type]));
    found.set(at, wishes);
  }
  return [...found].map(([object, wishes]) => {
    const lines = [...wishes].map(
      ([how, types]) => `${[...types].join(", ") || "nothing"}: ${how}`,
    );
    return [object, lines] as const;
  });
}
