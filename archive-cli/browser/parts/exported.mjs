// Exported pages work from a file, without the command and without a network.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

import { until } from "../browser.mjs";
import { archive } from "../command.mjs";
import { expand, go, row, showTab } from "../contents.mjs";
import { harmless } from "./hostile.mjs";

/** Exports a file, and opens the page. */
export async function openExported(context, name, options) {
  const path = `${context.folder}/${name}.html`;
  archive("view", `${context.folder}/${name}`, "--export", path);
  return context.open(pathToFileURL(path).href, { offline: true, ...options });
}

export const exported = {
  async "an exported page works offline"(context) {
    const page = await openExported(context, "world.sav");
    await expand(page, /^units /);
    await expand(page, /^\[2\] /);
    await row(page, /^hp 92/).click();
    await page.keyboard.press("F2");
    assert.equal(await page.getByLabel("New value of").count(), 0);
    assert.equal(await page.getByRole("button", { name: /^(Save|Undo|Edit$)/ }).count(), 0);
    assert.deepEqual(await page.getByRole("tab").allTextContents(), ["Sizes", "Search", "About"]);
    await go(page, "units[1].leader");
    await row(page, /^leader /).getByRole("button", { name: /\$1/ }).click();
    await row(page, /^name "Ann"/).waitFor();
    await page.goBack();
    await row(page, /^leader /).waitFor();
    await showTab(page, "Search");
    await page.getByLabel("Search for").fill("farid");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("list", { name: "Results" }).getByRole("button").click();
    await row(page, /^name "Farid"/).waitFor();
    await go(page, "heights[399]");
    await row(page, /^\[399\] /).waitFor();
    await showTab(page, "Sizes");
    await page.getByRole("button", { name: "Whole file" }).click();
    await page.getByRole("group", { name: "Map of sizes" }).getByRole("button", { name: /^heights/ }).waitFor();
    await showTab(page, "About");
    await page.getByText("The Lighthouse").first().waitFor();
    await until("the thumbnail", () => page.locator("#about-image").evaluate((image) => image.naturalWidth === 320));
  },

  async "an exported page of a hostile file does nothing"(context) {
    await harmless(await openExported(context, "hostile.json"));
  },
};
