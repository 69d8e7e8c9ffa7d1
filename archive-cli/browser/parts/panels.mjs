// The panels: search, one value for all, the map of sizes, comparisons, edits.

import assert from "node:assert/strict";

import { until } from "../browser.mjs";
import { get } from "../command.mjs";
import { edit, expand, go, row, save, selected, showTab } from "../contents.mjs";

export const panels = {
  async "search and set all by path"(context) {
    const page = await context.view("world.bin", { provoked: [422] });
    await row(page, /^units /).waitFor();
    await showTab(page, "Search");
    const hits = page.getByRole("list", { name: "Results" }).getByRole("button");
    await page.getByLabel("Search for").fill("lightHOUSE");
    await page.getByRole("button", { name: "Search" }).click();
    await hits.filter({ hasText: "units[3].order.Guard.place" }).click();
    await row(page, /^place "lighthouse"/).and(page.locator("[aria-selected=true]")).waitFor();

    await page.getByLabel("Search in").selectOption("path");
    await page.getByLabel("Search for").fill("heights[*]");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("400 results").waitFor();
    assert.equal(await hits.count(), 200);
    await page.getByRole("button", { name: "More" }).click();
    await until("more results", async () => (await hits.count()) === 400);

    await page.getByLabel("Search for").fill("units[*].hp");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("9 results").waitFor();
    await page.getByLabel("Set all to").fill("65536");
    await page.getByRole("button", { name: "Set all" }).click();
    await page.locator("#set-all-error", { hasText: "u16" }).waitFor();
    await page.getByLabel("Set all to").fill("50");
    await page.getByRole("button", { name: "Set all" }).click();
    await page.getByText("Edited 9 values.").waitFor();
    await save(page, 9);
    assert.equal(get(`${context.folder}/world.bin`, "units[8].hp"), 50);
  },

  async "the map of sizes"(context) {
    const page = await context.view("world.bin");
    const map = page.getByRole("group", { name: "Map of sizes" });
    await map.getByRole("button", { name: /^heights/ }).click();
    await row(page, /^heights 400 items/).waitFor();
    await map.getByRole("button", { name: /^\[40 … 43\]/ }).click();
    await map.getByRole("button", { name: /^\[42\]/ }).click();
    await row(page, /^\[42\] /).and(page.locator("[aria-selected=true]")).waitFor();
    await page.getByRole("button", { name: "Whole file" }).click();
    await map.getByRole("button", { name: /^inventory/ }).waitFor();
    await page.goBack();
    await map.getByRole("button", { name: /^\[40 … 43\]/ }).waitFor();
    await page.goForward();
    await map.getByRole("button", { name: /^inventory/ }).waitFor();
  },

  async "compare with a backup and with other files"(context) {
    const page = await context.view("world.sav");
    const differences = page.getByRole("list", { name: "Differences" });
    await row(page, /^units /).waitFor();
    await showTab(page, "Compare");
    await page.getByLabel("Compare with", { exact: true }).selectOption("backup 1");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByText("6 differences.").waitFor();
    await differences.getByRole("button", { name: /units\[3\]\.hp/ }).click();
    await row(page, /^hp 75/).waitFor();
    await page.locator("#compare-file").setInputFiles(`${context.folder}/world.sav`);
    await page.getByText("No differences.").waitFor();
    await page.locator("#compare-file").setInputFiles(`${context.folder}/world.sav.1`);
    await page.getByText("6 differences.").waitFor();
    await differences.getByText("48201 → 48213").waitFor();
    const other = { name: "äß \n.json", mimeType: "", buffer: Buffer.from('{"title": "The Lighthouse", "more": 1}') };
    await page.locator("#compare-file").setInputFiles(other);
    await differences.getByText("more").waitFor();
  },

  async "pointers, texts and the list of edits"(context) {
    const page = await context.view("world.json", { provoked: [422] });
    await go(page, "units[1].leader");
    await row(page, /^leader /).getByRole("button", { name: /\$1/ }).click();
    await row(page, /^name "Ann"/).first().waitFor();
    await go(page, "units[3].name");
    await row(page, /^name "Dalia"/).waitFor();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("Copied the path.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "units[3].name");
    await selected(page).focus();
    await edit(page, "units[3].name", 'Dalia "the Red"');
    await row(page, /^name "Dalia \\"the Red\\"" edited/).waitFor();
    await go(page, "units[4].hp");
    await row(page, /^hp 84/).waitFor();
    await edit(page, "units[4].hp", "85");
    await page.getByRole("button", { name: "Save 2 edits" }).waitFor();
    await showTab(page, /Edits/);
    await page.getByRole("button", { name: "Remove the edit of units[4].hp" }).click();
    await row(page, /^hp 84/).waitFor();
    await save(page, 1);
    assert.equal(get(`${context.folder}/world.json`, "units[3].name"), 'Dalia "the Red"');
    await go(page, "units[99]");
    await page.locator("#alert").getByText(/./).waitFor();
  },

  async "JSON in the dialog, and new members"(context) {
    const page = await context.view("world.json", { provoked: [422] });
    const dialog = page.getByRole("dialog");
    await go(page, "units[0]");
    await row(page, /^\[0\] /).and(page.locator("[aria-selected=true]")).waitFor();
    await page.getByRole("button", { name: "Add member…" }).click();
    await dialog.getByLabel("Name").fill("two words");
    await dialog.getByLabel("JSON").fill("{");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.locator("#editor-error", { hasText: "not JSON" }).waitFor();
    await dialog.getByLabel("JSON").fill("17");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Save 1 edit" }).waitFor();
    await go(page, "units[0].position");
    await selected(page, /^position/).waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialog.getByLabel("JSON").fill("[3.5, -1]");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Save 2 edits" }).waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await save(page, 2);
    const file = `${context.folder}/world.json`;
    assert.deepEqual(get(file, "units[0].position"), [3.5, -1]);
    assert.equal(get(file, 'units[0]["two words"]'), 17);
    await expand(page, /^position /);
    await row(page, /^\[1\] -1/).waitFor();
  },
};
