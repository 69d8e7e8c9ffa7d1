// A file of each format is opened, changed and saved, and `archive get` reads what was saved.

import assert from "node:assert/strict";

import { until } from "../browser.mjs";
import { get } from "../command.mjs";
import { edit, expand, focused, row, save, showTab } from "../contents.mjs";

/** The rows to open, the path of a number there, and the start of a message that refuses text for it. */
const inUnits = { open: [/^units /, /^\[2\] /], path: "units[2].hp" };
const FILES = {
  "world.json": { ...inUnits, wrong: "seven", refusal: "not JSON" },
  "world.msgpack": { ...inUnits, wrong: "seven", refusal: "not JSON" },
  "world.bin": { ...inUnits, wrong: '"seven"', refusal: "expected u16" },
  "world.blob": { ...inUnits, wrong: '"seven"', refusal: "expected u16" },
  "world.sav": { ...inUnits, wrong: '"seven"', refusal: "expected u16" },
  "world.store": { open: [/^unit /, /^3 /], path: "unit.3.hp", wrong: '"seven"', refusal: "expected u16" },
};

export const formats = Object.fromEntries(
  Object.entries(FILES).map(([name, file]) => [`open, edit and save ${name}`, (context) => changed(context, name, file)]),
);

async function changed(context, name, { open, path, wrong, refusal }) {
  const page = await context.view(name, { provoked: [422] });
  const file = `${context.folder}/${name}`;
  const hp = row(page, /^hp 92/);
  for (const above of open) await expand(page, above);
  await hp.click();
  assert.equal(await page.title(), name);
  assert.equal(await page.getByLabel("Path", { exact: true }).inputValue(), path);

  await edit(page, path, wrong);
  await page.locator("#field-error", { hasText: refusal }).waitFor();
  await page.keyboard.press("Escape");
  await hp.waitFor();

  await edit(page, path, "93");
  await row(page, /^hp 93 edited/).waitFor();
  await until("the row has the focus", async () => (await focused(page)).startsWith("hp"));
  await page.getByRole("button", { name: "Undo" }).click();
  await hp.waitFor();
  await page.getByRole("button", { name: "Redo" }).click();
  await row(page, /^hp 93 edited/).waitFor();
  await page.keyboard.press("Control+z");
  await hp.waitFor();
  await page.keyboard.press("Control+Shift+z");
  await page.getByRole("button", { name: "Save 1 edit" }).waitFor();
  assert.equal(get(file, path), 92);
  await save(page, 1);
  await row(page, /^hp 93 (?!edited)/).waitFor();
  assert.equal(get(file, path), 93);
  await showTab(page, "Edits");
  await page.getByText("No edits yet.").waitFor();
  assert.equal(await page.locator("#alert").textContent(), "");
}
