/** What Headlamp gives to a plugin, as far as it is used: the global `pluginLib`. */

/** React's, which Headlamp itself runs on. */
interface React {
  createElement(type: unknown, props?: object | null, ...children: readonly unknown[]): unknown;
  useEffect(effect: () => (() => void) | undefined, needs: readonly unknown[]): void;
  useRef<T>(first: T): { current: T };
  useState<T>(first: T): readonly [T, (next: T) => void];
}

/** An object as Headlamp has it. */
export interface KubeObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
  /** As the API server has it. */
  readonly jsonData?: { readonly spec?: { readonly dnsName?: unknown } };
  /** Name of its cluster in Headlamp. */
  readonly cluster?: string;
}

/** A thing on the map. */
export interface GraphNode {
  readonly id: string;
  readonly label?: string;
  readonly subtitle?: string;
  readonly status?: "error" | "success" | "warning";
  readonly kubeObject?: KubeObject;
}

/** What a map source has. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly {
    readonly id: string;
    readonly source: string;
    readonly target: string;
  }[];
}

/** See above. */
export interface PluginLib {
  readonly React: React;
  readonly ApiProxy: {
    /** Rejects with an Error that has `status`, and the message of the answer. */
    request(
      path: string,
      params: RequestInit & { readonly isJSON: false; readonly cluster?: string; timeout: number },
      autoLogoutOnAuthError: false,
    ): Promise<Response>;
  };
  readonly CommonComponents: { readonly SectionBox: unknown };
  readonly MuiMaterial: {
    readonly styles: { useTheme(): { readonly palette: { readonly mode: "light" | "dark" } } };
  };
  readonly K8s: {
    readonly ResourceClasses: Readonly<
      Record<string, { useList(): readonly [readonly KubeObject[] | null, unknown] }>
    >;
  };
  registerDetailsViewSection(section: (props: { resource?: KubeObject }) => unknown): void;
  /** Absent in older ones, which have no map. */
  registerMapSource?(source: {
    readonly id: string;
    readonly label: string;
    readonly useData: () => Graph | null;
  }): void;
}

declare global {
  var pluginLib: PluginLib;
}
