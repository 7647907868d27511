/**
 * Z-29 on a real cluster API and BIND: a DNSProvider of a namespace that is not trusted leads
 * nowhere on this host, and its status does not say what is there.
 */
import { expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { claimPort } from "../support/ports/free-port.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { object, serverKeys } from "../support/values/cluster-objects.ts";

describeReal("run and servers of its own host", ["kubectl-1.32", "bind"], () => {
  test("a tenant's DNSProvider is told the same of BIND and of a closed port", async () => {
    const bind = await startBind({ zone: "example.net" });
    const session = await RunSession.open();
    const closed = await claimPort();
    const instances: RunInstance[] = [];
    const run = async (...trusted: readonly string[]): Promise<void> => {
      const [first] = trusted;
      const option = first === undefined ? {} : { trusted: first };
      const { kubeconfig } = session;
      instances.push(await RunInstance.start({ kubeconfig, owner: "group-one", ...option }));
    };
    const { user } = session;
    const provider = async (namespace: string, name: string, server: string): Promise<void> => {
      const metadata = { namespace };
      const stringData = { ...serverKeys(bind), Server: server };
      await user.apply(object("Secret", name, { metadata, stringData }));
      const spec = { type: "rfc2136", secretRef: { name } };
      await user.apply(object("DNSProvider", name, { metadata, spec }));
    };
    const become = (namespace: string, name: string, state: string): Promise<string> =>
      eventually(
        `dnsprovider ${namespace}/${name} is ${state}`,
        async () => {
          const path = "jsonpath={.status.state} {.status.message}";
          return user.kubectl.ok(["get", "dnspr", name, "-n", namespace, "-o", path]);
        },
        (text) => text.startsWith(state),
      ).then((text) => text.replaceAll(/(?:127\.0\.0\.1|localhost):\d+/g, "SERVER"));
    try {
      await user.kubectl.ok(["create", "namespace", "tenant"]);
      await provider("default", "own", `${bind.host}:${bind.port}`);
      await provider("tenant", "bind", `${bind.host}:${bind.port}`);
      await provider("tenant", "name", `localhost:${bind.port}`);
      await provider("tenant", "closed", `127.0.0.1:${closed.port}`);
      await run("default");
      await become("default", "own", "Ready");
      const seen = [
        await become("tenant", "bind", "Error"),
        await become("tenant", "name", "Error"),
        await become("tenant", "closed", "Error"),
      ];
      expect(new Set(seen).size).toBe(1);
      expect(seen[0]).toContain("ask whoever runs this program");
      expect(instances[0]?.output()).toContain("--provider-trusted-namespaces");
      await instances.pop()?.remove();
      await run();
      await become("tenant", "bind", "Ready");
    } finally {
      await Promise.all(instances.map((instance) => instance.remove()));
      await session.close();
      closed.release();
      await bind.stop();
    }
  });
});
