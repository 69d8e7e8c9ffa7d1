// A session without the mouse.

import assert from "node:assert/strict";

import { until } from "../browser.mjs";
import { get } from "../command.mjs";
import { focused, row } from "../contents.mjs";

export const keyboard = {
  async "a session by the keyboard alone"(context) {
    const page = await context.view("world.bin");
    const keys = async (...all) => {
      for (const key of all) await page.keyboard.press(key);
    };
    const has = (text) => until(`the focus is on ${text}`, async () => (await focused(page)).startsWith(text));
    await row(page, /^units /).waitFor();
    await keys("Home", "ArrowDown", "ArrowDown", "ArrowDown");
    await has("units");
    await keys("ArrowRight");
    await row(page, /^\[4\] /).waitFor();
    await keys("ArrowRight", "ArrowDown");
    await has("[1]");
    await keys("ArrowRight");
    await row(page, /^hp 96/).waitFor();
    await keys("ArrowRight", "ArrowDown");
    await has("hp");
    await keys("Enter");
    await page.getByLabel("New value of units[1].hp").waitFor();
    await page.keyboard.insertText("97");
    await keys("Enter");
    await row(page, /^hp 97 edited/).waitFor();
    await has("hp");
    await keys("c");
    await page.getByText("Copied the path.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "units[1].hp");
    await keys("ArrowUp", "v");
    await page.getByText("Copied the value.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '"Bo"');
    await keys("Control+z");
    await row(page, /^hp 96/).waitFor();
    await keys("Control+y", "Control+s");
    await page.getByText("Saved 1 value.").waitFor();
    assert.equal(get(`${context.folder}/world.bin`, "units[1].hp"), 97);

    await keys("/");
    await page.keyboard.insertText("Farid");
    await keys("Enter");
    await page.getByText("1 result").waitFor();
    await tabTo(page, '#hits button');
    await keys("Enter");
    await row(page, /^name "Farid"/).and(page.locator("[aria-selected=true]")).waitFor();
    await has("name");
    await tabTo(page, "[role=tab][aria-selected=true]");
    await keys("End");
    await page.getByRole("tabpanel", { name: "About" }).waitFor();
    await tabTo(page, "#path");
    await page.keyboard.insertText("units[1].leader");
    await keys("Enter");
    await row(page, /^leader /).and(page.locator(":focus")).waitFor();
    await keys("Enter");
    await row(page, /^name "Ann"/).waitFor();
    await page.locator("[role=treeitem]:focus").waitFor();
    await keys("Alt+ArrowLeft");
    await row(page, /^leader /).waitFor();
  },

  async "commands that are given before the answer to the last one"(context) {
    const page = await context.view("world.json");
    await row(page, /^tick /).click();
    await page.keyboard.press("Enter");
    await page.getByLabel("New value of tick").fill("5");
    await page.keyboard.press("Enter");
    await row(page, /^tick 5 edited/).waitFor();
    await page.route("**/call/*do", async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.continue();
    });
    for (const key of ["z", "z", "y", "z", "y", "y", "s", "s"]) await page.keyboard.press(`Control+${key}`);
    await page.getByText("Saved 1 value.").waitFor();
    assert.equal(get(`${context.folder}/world.json`, "tick"), 5);
  },
};

/** Presses Tab until the focus is on such an element. */
async function tabTo(page, selector) {
  for (let count = 0; count < 60; count++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}
