// Makes the pictures of the page that the documentation shows: `node screenshots.mjs FOLDER`.

import { join, resolve } from "node:path";

import { launch, openPage } from "./browser.mjs";
import { temporaryFolder, view, writeFiles } from "./command.mjs";
import { edit, expand, go, row, showTab } from "./contents.mjs";
import { writePictures } from "./pictures.mjs";

const target = resolve(process.argv[2]);
const browser = await launch();
const folder = temporaryFolder();
await writePictures(browser, folder);
writeFiles(folder);

async function picture(name, file, { colorScheme, width = 1200, height }, show) {
  const faults = [];
  const command = await view(join(folder, file));
  const viewport = { width, height };
  const page = await openPage(browser, command.address, { faults, colorScheme, viewport });
  await show(page);
  await page.screenshot({ path: join(target, name), animations: "disabled", caret: "hide" });
  await page.context().close();
  command.end();
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/** The tree, an edit, and the map of sizes. */
await picture("view_tree.png", "world.sav", { colorScheme: "light", height: 700 }, async (page) => {
  await expand(page, /^units /);
  await expand(page, /^\[3\] /);
  await expand(page, /^order /);
  await expand(page, /^Guard /);
  await row(page, /^hp 75/).click();
  await edit(page, "units[3].hp", "90");
  await row(page, /^hp 90 edited/).waitFor();
});

/** One value for all that match a path. */
await picture("view_search.png", "world.sav", { colorScheme: "dark", height: 700 }, async (page) => {
  await go(page, "units[3]");
  await expand(page, /^\[3\] /);
  await expand(page, /^\[4\] /);
  await showTab(page, "Search");
  await page.getByLabel("Search in").selectOption("path");
  await page.getByLabel("Search for").fill("units[*].hp");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("9 results").waitFor();
  await page.getByLabel("Set all to").fill("100");
  await page.getByRole("button", { name: "Set all" }).click();
  await row(page, /^hp 100 edited/).nth(1).waitFor();
});

/** The saves of a folder. */
await picture("view_saves.png", "saves", { colorScheme: "light", width: 964, height: 340 }, async (page) => {
  await page.locator("#slots img").nth(2).waitFor();
});

await browser.close();
