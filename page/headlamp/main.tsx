/**
 * The plugin of Headlamp: a section on objects that may have names, and a map of them. It only
 * reads. Headlamp runs on React; what is shown is the page's, below a shadow root of its own, so
 * that neither styles the other.
 */
import { render } from "preact";
import { showPrintable } from "../parts/printable-text.ts";
import css from "../style.css?inline";
import { useNamesMap } from "./names-map.ts";
import { ObjectNames } from "./object-names.tsx";
import type { KubeObject } from "./plugin-lib.ts";
import { senderTo } from "./send.ts";

const { React, CommonComponents, MuiMaterial } = pluginLib;
/** Kinds whose details get the section. */
const KINDS: ReadonlySet<string> = new Set(["Service", "Ingress", "HTTPRoute", "DNSEntry"]);
const STYLE = css.replaceAll(":root", ":host");

function Section({ resource }: { resource?: KubeObject }): unknown {
  if (resource === undefined || !KINDS.has(resource.kind)) return null;
  const { uid, name } = resource.metadata;
  return React.createElement(
    CommonComponents.SectionBox,
    { title: "DNS names" },
    React.createElement(Shadow, { key: uid ?? name, resource }),
  );
}

function Shadow({ resource }: { resource: KubeObject }): unknown {
  const host = React.useRef<HTMLElement | null>(null);
  const { mode } = MuiMaterial.styles.useTheme().palette;
  const { kind, metadata, cluster, jsonData } = resource;
  const { name, namespace = "" } = metadata;
  const dnsName = kind === "DNSEntry" ? jsonData?.spec?.dnsName : null;
  React.useEffect(() => {
    const { current } = host;
    if (current === null) return undefined;
    const root = current.shadowRoot ?? current.attachShadow({ mode: "open" });
    render(
      <>
        <style>{STYLE}</style>
        <ObjectNames
          send={senderTo(cluster)}
          object={`${kind.toLowerCase()}/${namespace}/${name}`}
          name={typeof dnsName === "string" ? dnsName : null}
        />
      </>,
      root,
    );
    return () => render(null, root);
  }, [kind, namespace, name, cluster, dnsName]);
  return React.createElement("div", { ref: host, style: { colorScheme: mode } });
}

showPrintable();
pluginLib.registerDetailsViewSection(Section);
pluginLib.registerMapSource?.({ id: "zonekeeper", label: "DNS names", useData: useNamesMap });
