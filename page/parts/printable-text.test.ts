import { h, options } from "preact";
import { expect, onTestFinished, test } from "vitest";
import { commandsBegin, showPrintable } from "./printable-text.ts";

function shown(type: string, props: Readonly<Record<string, unknown>>, ...children: string[]) {
  const before = options.vnode;
  onTestFinished(() => {
    if (before === undefined) delete options.vnode;
    else options.vnode = before;
  });
  showPrintable();
  const made: object = h(type, props, ...children).props;
  return made as Readonly<Record<string, unknown>>;
}

test("control and bidirectional characters are spelled out, in one text and in several", () => {
  expect(shown("td", {}, "a\u202eb\u0007")["children"]).toBe("a\\u202eb\\u0007");
  expect(shown("td", {}, "\u200f", "<b>")["children"]).toEqual(["\\u200f", "<b>"]);
});

test("so are texts beside an element", () => {
  const props = shown("span", { title: "\u2066x", "aria-label": "y\u0000", class: "data" }, "z");
  expect(props).toEqual({
    title: "\\u2066x",
    "aria-label": "y\\u0000",
    class: "data",
    children: "z",
  });
});

test("elements among the children stay elements", () => {
  const inner = h("b", null, "x");
  expect(shown("p", { children: [inner, "\u202e"] })["children"]).toEqual([inner, "\\u202e"]);
});

test("a command of an instance in a Pod is typed as kubectl has it", () => {
  const text = "zonekeeper undo --since 10m";
  expect(shown("code", {}, text)["children"]).toBe(text);
  commandsBegin("kubectl zonekeeper");
  onTestFinished(() => commandsBegin("zonekeeper"));
  expect(shown("code", { title: text }, text)).toEqual({
    title: `kubectl ${text}`,
    children: `kubectl ${text}`,
  });
});
