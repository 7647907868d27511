/**
 * Others wrote the names and texts that the page shows. Each text of each element is shown with its
 * control and bidirectional characters spelled out, and with commands as they are typed here, so no
 * screen has to think of it.
 */
import { type ComponentChildren, options, type VNode } from "preact";
import { asTypedInKubectl } from "../../src/app/commands/process/typed-commands.ts";
import { printable } from "../../src/model/printable.ts";

/** Texts that are read out or shown beside an element. */
const ATTRIBUTES = ["title", "aria-label", "placeholder", "alt"] as const;

let isInPod = false;

/** `command`: how the commands of the instance begin. For what is shown from now on. */
export function commandsBegin(command: string): void {
  isInPod = command !== "zonekeeper";
}

/** A text with its commands as a person types them here. */
export function typed(text: string): string {
  return isInPod ? asTypedInKubectl(text) : text;
}

/** For all elements that are made from now on. To be called once. */
export function showPrintable(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    if (typeof vnode.type === "string") makePrintable(vnode);
    before?.(vnode);
  };
}

function makePrintable({ props }: VNode): void {
  const texts = props as Record<string, unknown>;
  texts["children"] = shown(props.children);
  for (const name of ATTRIBUTES) {
    const text = texts[name];
    if (typeof text === "string") texts[name] = printable(typed(text));
  }
}

function shown(children: ComponentChildren): ComponentChildren {
  if (typeof children === "string") return printable(typed(children));
  return Array.isArray(children) ? children.map(shown) : children;
}
