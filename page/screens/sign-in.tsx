/** Who has no session: a link begins one, or a token of the cluster where the instance takes it. */
import type { ApiError } from "../api.ts";
import { ask } from "../api.ts";
import { Command, Notice, Trouble } from "../parts/basics.tsx";
import { useOrder } from "../parts/dialog.tsx";

/** Of a refusal where tokens of the cluster are taken. */
const TAKES_TOKENS = "TokenNeeded";

export function SignIn({ refusal }: { refusal: ApiError }) {
  const { error, isDoing, order } = useOrder();
  const begin = (event: Event): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    void order(async () => {
      await ask("session/begin", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(Object.fromEntries(fields)),
      });
      location.reload();
    });
  };
  if (refusal.code !== TAKES_TOKENS)
    return (
      <Notice tone="bad">
        The session has ended. Open the page again: <Command text="zonekeeper open" />
      </Notice>
    );
  return (
    <section class="part sign-in">
      <h2>Sign in</h2>
      <p>
        With a token of the cluster you see the names of your namespaces: those in which you may get
        dnsentries.dns.gardener.cloud. Without a namespace you see all names, if you may get
        pods/proxy where the program runs.
      </p>
      <form onSubmit={begin}>
        <label>
          Token
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <label>
          Namespaces, separated by commas
          <input name="namespaces" autocomplete="off" spellcheck={false} placeholder="team-a" />
        </label>
        <button type="submit" class="main" disabled={isDoing}>
          Show my names
        </button>
      </form>
      <Trouble error={error} />
      <p class="faint">A token for an hour, of a service account that may do so:</p>
      <Command text="kubectl -n NAMESPACE create token NAME" />
    </section>
  );
}
