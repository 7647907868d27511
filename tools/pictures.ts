/**
 * Takes the pictures of the documents: each screen of the page of a real instance, in light, some
 * in dark and as wide as a phone; what commands print; the section of a DNSEntry in Headlamp.
 * `node script/run.mjs tools/pictures.ts [FOLDER]` after `npm run build`; needs what
 * test/real/page.test.ts needs. Look at each before it is committed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openHeadlamp } from "../test/support/programs/headlamp-page.ts";
import { PageSession } from "../test/support/programs/page-session.ts";
import { entry } from "../test/support/values/cluster-objects.ts";

const [folder = "docs/pictures"] = process.argv.slice(2);

interface Screen {
  readonly file: string;
  readonly address: string;
  /** What it says once it knows. */
  readonly shows: string;
  /** Opens a dialog. */
  readonly button?: string;
}

const SCREENS: readonly Screen[] = [
  { file: "overview", address: "", shows: "in the last day" },
  { file: "name", address: "name/mail.example.net", shows: "Resolvers" },
  { file: "names", address: "names", shows: "no owner" },
  { file: "zones", address: "zones", shows: "rfc2136 at" },
  { file: "holds", address: "holds", shows: "By reason" },
  { file: "plan", address: "plan", shows: "held" },
  { file: "clusters", address: "clusters", shows: "Watched" },
  {
    ...{ file: "approve", address: "holds", shows: "Waiting for approval" },
    button: "Review and approve…",
  },
  {
    ...{ file: "undo", address: "name/www.example.net", shows: "created www" },
    button: "Undo…",
  },
];

/** Of lossy WebP, 0 to 100: text stays legible, and all pictures are small. */
const QUALITY = 30;
const WIDE = { width: 960, height: 620 };
/** As a terminal has it: what is wider goes on in the next line. */
const TERMINAL_HTML = `<body style="margin:0;background:#16181b"><pre style="margin:0;padding:16px;
  color:#e9e9e6;font:13.5px/1.5 monospace;white-space:pre-wrap;overflow-wrap:anywhere"></pre>`;
const VIEWS = [
  { name: "", view: { viewport: WIDE }, of: SCREENS },
  { name: "-dark", view: { viewport: WIDE, colorScheme: "dark" }, of: SCREENS.slice(0, 2) },
  { name: "-phone", view: { viewport: { width: 360, height: 620 } }, of: SCREENS.slice(0, 3) },
] as const;

const TERMINAL = [
  { file: "terminal-plan", args: ["plan"] },
  { file: "terminal-explain", args: ["explain", "mail.example.net"] },
  { file: "terminal-history", args: ["history", "www.example.net"] },
] as const;

mkdirSync(folder, { recursive: true });
const story = await PageSession.open();
try {
  const { zone, session } = story;
  await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.2"] }));
  await zone.becomes("www", "A", "192.0.2.2");
  await story.deleteOld();
  for (const { name, view, of } of VIEWS) {
    const page = await story.enter(view);
    for (const screen of of) await take(page, screen, join(folder, `${screen.file}${name}.webp`));
    await page.close();
  }
  const signIn = await story.signedOut();
  await signIn.setViewportSize(WIDE);
  await signIn.getByRole("heading", { name: "Sign in" }).waitFor();
  await shoot(signIn, join(folder, "sign-in.webp"));
  const terminal = await story.window({ viewport: { width: 960, height: 100 } });
  for (const { file, args } of TERMINAL) {
    const { stdout } = await story.instance.cli(...args);
    await terminal.setContent(TERMINAL_HTML);
    const text = `$ zonekeeper ${args.join(" ")}\n${stdout}`;
    await terminal.evaluate(`document.querySelector("pre").textContent = ${JSON.stringify(text)}`);
    const height = Number(await terminal.evaluate('document.querySelector("pre").offsetHeight'));
    await terminal.setViewportSize({ width: 960, height });
    await shoot(terminal, join(folder, `${file}.webp`));
  }
  const headlamp = await openHeadlamp(story, { viewport: WIDE });
  await headlamp.show("DNSEntry", "mail", { dnsName: "mail.example.net" });
  await headlamp.page.getByText("Resolvers").first().waitFor();
  await shoot(headlamp.page, join(folder, "headlamp.webp"));
} finally {
  await story.close();
}

async function take(page: Page, { address, shows, button }: Screen, path: string): Promise<void> {
  // Not the screen of before, and no dialog of it.
  await page.evaluate(`location.hash = "#/names"`);
  await page.reload();
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${address}`)}`);
  await page.getByText(shows).first().waitFor();
  if (button !== undefined) {
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
  }
  await page.evaluate("document.activeElement?.blur()");
  await page.mouse.move(0, 0);
  await shoot(page, path);
}

async function shoot(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const shot = { format: "webp", quality: QUALITY } as const;
  const { data } = await devtools.send("Page.captureScreenshot", shot);
  const bytes = Buffer.from(data, "base64");
  writeFileSync(path, bytes);
  process.stdout.write(`${path} ${bytes.length}\n`);
}
