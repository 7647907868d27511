/** The frame of all screens: where a person is, the search, and whether the page is told of changes. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { API, MayOrder, useAnswer } from "./api.ts";
import type { SessionDocument } from "./contract.ts";
import { type LiveState, useLiveState } from "./live.ts";
import { Guarded, Notice, Trouble } from "./parts/basics.tsx";
import { commandsBegin } from "./parts/printable-text.ts";
import { addressOf, go, type Route, useRoute } from "./router.ts";
import { Clusters } from "./screens/clusters.tsx";
import { Holds } from "./screens/holds.tsx";
import { Name } from "./screens/name.tsx";
import { Names } from "./screens/names.tsx";
import { Overview } from "./screens/overview.tsx";
import { Plan } from "./screens/plan.tsx";
import { SignIn } from "./screens/sign-in.tsx";
import { Zones } from "./screens/zones.tsx";

interface Screen {
  readonly title: string;
  readonly show: (route: Route) => ComponentChildren;
}

/** By the first word of the address; those with a title in the menu. */
const SCREENS: Readonly<Record<string, Screen>> = {
  "": { title: "Overview", show: () => <Overview /> },
  names: { title: "Names", show: ({ query }) => <Names query={query} /> },
  zones: { title: "Zones", show: () => <Zones /> },
  holds: { title: "Holds", show: ({ query }) => <Holds query={query} /> },
  plan: { title: "Plan", show: ({ query }) => <Plan query={query} /> },
  clusters: { title: "Clusters & accounts", show: () => <Clusters /> },
};

export function App() {
  const route = useRoute();
  const live = useLiveState();
  const { screen, subject } = route;
  const isName = screen === "name" && subject !== null;
  const known = SCREENS[screen];
  const title = isName ? subject : (known?.title ?? "No such screen");
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} · Zonekeeper`;
    // Who listens hears where they came to; at the start nothing was left.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [title]);
  return (
    <>
      <button type="button" class="skip" onClick={() => heading.current?.focus()}>
        Skip to content
      </button>
      <header>
        <a class="brand" href={addressOf("")}>
          Zonekeeper
        </a>
        <Search />
        <Live state={live} />
        <Menu screen={isName ? "names" : screen} />
      </header>
      <main id="main">
        <h1 ref={heading} tabIndex={-1} class={isName ? "data" : ""}>
          {title}
        </h1>
        <Standing state={live}>
          <Guarded key={title}>
            {isName ? (
              <Name key={subject} name={subject} />
            ) : (
              (known?.show(route) ?? <p>There is no such screen. Choose one from the menu.</p>)
            )}
          </Guarded>
        </Standing>
      </main>
    </>
  );
}

function Menu({ screen }: { screen: string }) {
  return (
    <nav aria-label="Screens">
      {Object.entries(SCREENS).map(([key, { title }]) => (
        <a key={key} href={addressOf(key)} aria-current={key === screen ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** `/` leads here from everywhere. A whole name leads to it, a part of one to all that have it. */
function Search() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const at = event.target as HTMLElement;
      const isTyping = at.matches("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.select();
      field.current?.focus();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  const search = (event: Event): void => {
    event.preventDefault();
    const text = field.current?.value.trim().replace(/\.$/, "") ?? "";
    if (text === "") return;
    go(text.includes(".") ? addressOf("name", text) : addressOf("names", null, { text }));
    field.current?.blur();
  };
  return (
    <search class="search">
      <form onSubmit={search}>
        <label>
          <span class="hidden">A name, or part of one</span>
          <input ref={field} type="search" placeholder="www.example.org" spellcheck={false} />
        </label>
        <kbd>/</kbd>
      </form>
    </search>
  );
}

const LIVE = {
  opening: ["off", "connecting"],
  live: ["good", "live"],
  lost: ["bad", "not live: what you see may be old"],
  ended: ["bad", "not live: what you see may be old"],
} as const;

function Live({ state }: { state: LiveState }) {
  const [tone, words] = LIVE[state];
  return (
    <p class={`live ${tone}`} role="status">
      {words}
    </p>
  );
}

async function leave(): Promise<void> {
  await fetch(`${API}/session/end`, { method: "POST", credentials: "same-origin" });
  location.reload();
}

/** Why the instance does not answer as one that leads and writes; nothing = it does. */
function Standing({ state, children }: { state: LiveState; children: ComponentChildren }) {
  const { value, error, again } = useAnswer<SessionDocument>("session");
  useEffect(again, [state, again]);
  if (error?.status === 401) return <SignIn refusal={error} />;
  commandsBegin(value?.command ?? "zonekeeper");
  return (
    <>
      <div>
        <Trouble error={error} />
        {value === null ? null : <Session session={value} />}
      </div>
      <MayOrder.Provider value={value?.mayOrder ?? false}>{children}</MayOrder.Provider>
    </>
  );
}

const LOOKS = "signing in without a namespace is for reading.";
const MAY_NOT =
  "changes need update of dnsentries.dns.gardener.cloud there, and another way than pods/proxy.";

function Session({ session }: { session: SessionDocument }) {
  const { state, message, leader, dryRun, namespaces, mayOrder } = session;
  const isWhole = namespaces === null;
  return (
    <>
      {isWhole && mayOrder ? null : (
        <p class="faint">
          {isWhole ? "All names are shown. " : `Names of ${namespaces.join(", ")} are shown. `}
          {mayOrder ? null : `Read-only: ${isWhole ? LOOKS : MAY_NOT} `}
          <button type="button" onClick={() => void leave()}>
            Sign out
          </button>
        </p>
      )}
      {state === "leading" ? null : (
        <Notice tone="wait">
          {message} {leader === "" ? "" : `The leader is ${leader}: open its page.`}
        </Notice>
      )}
      {dryRun === null ? null : <Notice tone="wait">{dryRun}</Notice>}
    </>
  );
}
