// The check itself: what must not happen on a page is noticed.

import assert from "node:assert/strict";

import { until } from "../browser.mjs";
import { row } from "../contents.mjs";

/** Faults of a page, as scripts, and what is noticed of them. */
const FAULTS = {
  "alert(1)": /a dialog: 1/,
  "setTimeout(() => { throw new Error('thrown'); })": /an error in the page: Error: thrown/,
  "console.error('complained')": /the console: complained/,
  "document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png' }))": /the console: .*Content Security Policy/,
  "document.body.setAttribute('onclick', 'alert(2)'); document.body.click()": /the console: .*Content Security Policy/,
  "fetch('/call/node', { method: 'POST' })": /the console: .*403/,
  "location.href = 'http://127.0.0.1:9/'": /a request to http:..127\.0\.0\.1:9/,
};

export const guards = {
  async "faults of a page are noticed"(context) {
    for (const [script, noticed] of Object.entries(FAULTS)) {
      const faults = [];
      const page = await context.view("world.json", { faults });
      await row(page, /^units /).waitFor();
      assert.deepEqual(faults, []);
      await page.evaluate(script).catch(() => {});
      await until(`notice of ${script}: ${faults}`, () => faults.some((fault) => noticed.test(fault)));
    }
  },
};
