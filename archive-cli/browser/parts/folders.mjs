// A folder of saves.

import assert from "node:assert/strict";

import { until } from "../browser.mjs";
import { get } from "../command.mjs";
import { edit, go, row, save, showTab } from "../contents.mjs";

export const folders = {
  async "a folder of saves with thumbnails"(context) {
    const page = await context.view("saves");
    const slot = (title) => page.getByRole("button", { name: title });
    await slot("Before the storm").waitFor();
    assert.equal(await page.title(), "saves");
    const images = page.locator("#slots img");
    await until("three thumbnails", async () => (await images.count()) >= 3);
    await until("they are drawn", () => images.evaluateAll((all) => all.every((image) => image.naturalWidth === 320)));
    await slot("The last lamp").getByText(/backup 1 is good/).waitFor();

    await slot("Before the storm").click();
    await row(page, /^title "Before the storm"/).waitFor();
    await go(page, "units[0].hp");
    await row(page, /^hp 100/).waitFor();
    await edit(page, "units[0].hp", "1");
    await save(page, 1);
    assert.equal(get(`${context.folder}/saves/campaign 1.sav`, "units[0].hp"), 1);
    await showTab(page, "About");
    await until("the thumbnail", () => page.locator("#about-image").evaluate((image) => image.naturalWidth === 320));
    await showTab(page, "Compare");
    await page.getByLabel("Compare with", { exact: true }).selectOption("campaign 2");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByText(/\d+ differences/).waitFor();

    await page.getByRole("link", { name: "All saves" }).click();
    await slot("Over the pass").click();
    await row(page, /^title "Over the pass"/).waitFor();
    await page.goBack();
    await slot("Over the pass").waitFor();
    await page.reload();
    await slot("Over the pass").waitFor();
  },

  async "a damaged save is no more than an error"(context) {
    const page = await context.view("saves", { provoked: [422] });
    await page.getByRole("button", { name: "The last lamp" }).click();
    await page.locator("#alert").getByText(/checksum|damaged/).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Over the pass" }).click();
    await row(page, /^title "Over the pass"/).waitFor();
  },
};
