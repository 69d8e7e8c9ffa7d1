// axe-core finds nothing serious in the main views, in light and in dark.

import assert from "node:assert/strict";

import { accessible } from "../browser.mjs";
import { edit, expand, go, row, selected, showTab } from "../contents.mjs";
import { openExported } from "./exported.mjs";

/** 320 pixels are a window of 1280 pixels at a zoom of 400 %. */
async function narrow(context) {
  for (const name of ["world.sav", "saves", "hostile.json"]) {
    const page = await context.view(name, { viewport: { width: 320, height: 640 } });
    await page.locator("#slots button, [role=treeitem]").nth(2).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
    await accessible(page, `${name}, narrow`);
  }
}

const schemes = Object.fromEntries(["light", "dark"].map((colorScheme) => [
  `axe-core, ${colorScheme}`,
  async (context) => {
    await file(await context.view("world.sav", { colorScheme, provoked: [422] }));
    const folder = await context.view("saves", { colorScheme, provoked: [422] });
    await folder.locator("#slots img").nth(2).waitFor();
    await accessible(folder, "saves");
    const exported = await openExported(context, "world.sav", { colorScheme });
    await row(exported, /^units /).waitFor();
    await accessible(exported, "an exported page");
    const hostile = await context.view("hostile.json", { colorScheme });
    await expand(hostile, /^texts /);
    await row(hostile, /^bidi/).waitFor();
    await accessible(hostile, "a hostile file");
    const { origin } = await context.serve("world.bin");
    const closed = await context.open(origin, { colorScheme, provoked: [403] });
    await closed.locator("#alert", { hasText: "Open the address" }).waitFor();
    await accessible(closed, "no token");
  },
]));

export const accessibility = { ...schemes, "narrow windows": narrow };

async function file(page) {
  await go(page, "units[2].hp");
  await row(page, /^hp 92/).waitFor();
  await accessible(page, "the tree and the sizes");
  await edit(page, "units[2].hp", '"seven"');
  await page.locator("#field-error", { hasText: "expected" }).waitFor();
  await accessible(page, "a refused edit");
  await page.keyboard.press("Escape");
  await edit(page, "units[2].hp", "93");
  await row(page, /^hp 93 edited/).waitFor();
  await showTab(page, /Edits/);
  await accessible(page, "edits");
  await showTab(page, "Search");
  await page.getByLabel("Search in").selectOption("path");
  await page.getByLabel("Search for").fill("units[*].name");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("9 results").waitFor();
  await accessible(page, "search");
  await showTab(page, "Compare");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByText("6 differences.").waitFor();
  await accessible(page, "differences");
  await showTab(page, "About");
  await page.locator("#about-image").waitFor();
  await accessible(page, "about");
  await go(page, "units[0].position");
  await selected(page, /^position/).waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await accessible(page, "the dialog");
}
