// Who sees the file, and who changes it.

import assert from "node:assert/strict";

import { get } from "../command.mjs";
import { go, row } from "../contents.mjs";

export const access = {
  async "a page without the token sees nothing"(context) {
    const { address, origin } = await context.serve("world.sav");
    const first = await context.open(address);
    await row(first, /^units /).waitFor();
    assert.equal(new URL(first.url()).hash, "");
    for (const other of [`${origin}/`, `${origin}/#${"0".repeat(32)}`, `${origin}/#enter=${"0".repeat(32)}`]) {
      const page = await context.open(other, { provoked: [403] });
      await page.locator("#alert", { hasText: /open the address that the command printed/i }).waitFor();
      assert.equal(await page.getByRole("treeitem").count(), 0);
      assert.doesNotMatch(await page.content(), /Lighthouse|world\.sav/);
    }
    await first.reload();
    await row(first, /^units /).waitFor();
  },

  async "nothing is changed with --read-only"(context) {
    const page = await context.view("world.bin", { args: ["--read-only"], provoked: [422] });
    await go(page, "units[2].hp");
    await row(page, /^hp 92/).waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.press("Enter");
    await row(page, /^hp 92/).dblclick();
    assert.equal(await page.getByLabel("New value of").count(), 0);
    assert.equal(await page.getByRole("button", { name: /^(Save|Undo|Redo|Edit$|Add member)/ }).count(), 0);
    assert.equal(await page.getByRole("tab", { name: /Edits/ }).count(), 0);
    const status = await page.evaluate(async () => {
      const headers = { "X-Token": sessionStorage.getItem("token") };
      const body = JSON.stringify({ path: "units[2].hp", text: "1" });
      return (await fetch("/call/set", { method: "POST", headers, body })).status;
    });
    assert.equal(status, 422);
    assert.equal(get(`${context.folder}/world.bin`, "units[2].hp"), 92);
  },
};
