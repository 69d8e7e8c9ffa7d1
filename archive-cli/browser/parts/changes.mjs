// Files that change while they are shown, and a command that ends.

import assert from "node:assert/strict";

import { archive, get } from "../command.mjs";
import { edit, expand, go, row, save } from "../contents.mjs";

export const changes = {
  async "a file that changes on disk is read again"(context) {
    const page = await context.view("world.bin");
    const file = `${context.folder}/world.bin`;
    await expand(page, /^units /);
    await expand(page, /^\[1\] /);
    await row(page, /^hp 96/).click();
    archive("set", file, "units[1].hp", "11");
    await page.locator("#status", { hasText: "changed on disk" }).waitFor();
    await row(page, /^hp 11/).and(page.locator("[aria-selected=true]")).waitFor();
  },

  async "an edit survives a change on disk, and is saved after it was shown"(context) {
    const page = await context.view("world.json", { provoked: [409] });
    const file = `${context.folder}/world.json`;
    await go(page, "units[0].hp");
    await row(page, /^hp 100/).waitFor();
    await edit(page, "units[0].hp", "12");
    await row(page, /^hp 12 edited/).waitFor();
    archive("set", file, "units[0].name", '"Anna"');
    await row(page, /^name "Anna"/).waitFor();
    await row(page, /^hp 12 edited/).waitFor();
    await save(page, 1);
    assert.equal(get(file, "units[0].name"), "Anna");
    assert.equal(get(file, "units[0].hp"), 12);
  },

  async "a file that changed is not saved before it was shown"(context) {
    const page = await context.view("world.json", { provoked: [409] });
    const file = `${context.folder}/world.json`;
    await go(page, "units[0].hp");
    await row(page, /^hp 100/).waitFor();
    await edit(page, "units[0].hp", "12");
    await page.getByRole("button", { name: "Save 1 edit" }).waitFor();
    // The page does not notice the change by itself.
    let release;
    const released = new Promise((done) => (release = done));
    const polled = page.waitForRequest("**/call/state");
    await page.route("**/call/state", (route) => released.then(() => route.continue()));
    await polled;
    archive("set", file, "units[0].name", '"Anna"');
    await page.keyboard.press("Control+s");
    await page.locator("#alert").getByText(/./).waitFor();
    await row(page, /^name "Anna"/).waitFor();
    assert.equal(get(file, "units[0].hp"), 100);
    release();
    await save(page, 1);
    assert.equal(get(file, "units[0].name"), "Anna");
    assert.equal(get(file, "units[0].hp"), 12);
  },

  async "edits remain when the page is loaded again"(context) {
    const page = await context.view("world.bin");
    await go(page, "units[0].hp");
    await row(page, /^hp 100/).waitFor();
    await edit(page, "units[0].hp", "12");
    await page.getByRole("button", { name: "Save 1 edit" }).waitFor();
    await page.reload();
    await row(page, /^hp 12 edited/).waitFor();
    await save(page, 1);
  },

  async "the page says that the command has ended"(context) {
    const command = await context.serve("world.bin");
    const faults = [];
    const page = await context.open(command.address, { faults });
    await row(page, /^units /).waitFor();
    assert.deepEqual(faults, []);
    command.end();
    await page.locator("#alert", { hasText: "The command has ended." }).waitFor();
  },
};
