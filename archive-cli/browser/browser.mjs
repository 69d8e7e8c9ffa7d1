// The browser, and pages in it that note everything that must not happen.

import { readFileSync } from "node:fs";

import { chromium } from "playwright-core";

/** The time after which something is considered not to happen, in milliseconds. */
const PATIENCE = Number(process.env.PATIENCE ?? 30_000);

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/**
 * Opens an address. Errors, dialogs, violations of the policy and requests to elsewhere are added to `faults`. `provoked` are
 * the statuses that the calls of the page may be answered with.
 */
export async function openPage(browser, address, { faults, provoked = [], ...options }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  if (address.startsWith("http:")) await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  context.on("request", (request) => {
    if (!isOwn(request.url(), address)) faults.push(`a request to ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure().errorText;
    // The page was left or closed during the call.
    if (reason !== "net::ERR_ABORTED") faults.push(`${request.url()}: ${reason}`);
  });
  const page = await context.newPage();
  watch(page, faults, provoked);
  await page.goto(address);
  return page;
}

function isOwn(url, address) {
  const { protocol, origin } = new URL(url);
  if (protocol === "blob:" || protocol === "data:") return true;
  return protocol === "file:" ? address.startsWith("file:") : origin === new URL(address).origin;
}

function watch(page, faults, provoked) {
  page.on("pageerror", (error) => faults.push(`an error in the page: ${error.stack}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const status = /responded with a status of (\d+)/.exec(message.text())?.[1];
    if (!provoked.includes(Number(status))) faults.push(`the console: ${message.text()} ${message.location().url}`);
  });
  page.on("dialog", (dialog) => {
    if (dialog.type() !== "beforeunload") faults.push(`a dialog: ${dialog.message()}`);
    dialog.accept();
  });
  page.on("popup", (popup) => faults.push(`a window: ${popup.url()}`));
}

/** Repeats a check until it returns a value other than false. */
export async function until(description, check) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    if (await check()) return;
    if (Date.now() > end) throw new Error(`not in ${PATIENCE / 1000} s: ${description}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Fails if axe-core finds a serious or critical violation. The debugger evaluates it, which the policy does not prevent. */
export async function accessible(page, what) {
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations);
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const texts = grave.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
  if (texts.length > 0) throw new Error(`axe, ${what}: ${texts.join("\n")}`);
}
