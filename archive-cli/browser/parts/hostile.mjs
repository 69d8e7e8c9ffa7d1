// A hostile file does nothing but show.

import assert from "node:assert/strict";

import { until } from "../browser.mjs";
import { expand, go, row, showTab } from "../contents.mjs";

const DEEP = `deep${"[0]".repeat(9_000)}`;

export const hostile = {
  async "a hostile file does nothing"(context) {
    const page = await context.view("hostile.json", { provoked: [422] });
    await harmless(page);
    await go(page, "long");
    await row(page, /^long /).and(page.locator("[aria-selected=true]")).press("Enter");
    await page.locator("#alert", { hasText: "1 MB" }).waitFor();
  },

  async "a value below 9,000 others is shown"(context) {
    const page = await context.view("hostile.json");
    await row(page, /^deep /).waitFor();
    await go(page, DEEP);
    await until("the last crumbs", async () => (await page.getByRole("navigation").getByRole("button").count()) > 5);
    await row(page, /^\[0\] 1 item/).first().waitFor();
    assert.ok((await page.getByRole("treeitem").count()) < 20);
    await page.reload();
    await row(page, /^\[0\] 1 item/).first().waitFor();
    // By the keyboard, the tree moves its root, so that it never becomes deep.
    await page.getByRole("treeitem").last().focus();
    for (let count = 0; count < 20; count++) {
      const before = page.url();
      const rows = await page.getByRole("treeitem").count();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowRight");
      await until("the next row", async () => page.url() !== before || (await page.getByRole("treeitem").count()) !== rows);
    }
    assert.ok((await page.getByRole("treeitem").count()) < 20);
  },
};

/** Shows everything in the page of a hostile file, and checks that the page is only itself. */
export async function harmless(page) {
  await expand(page, /^texts /);
  for (const name of [/^<\/script><script>/, /^"><img/, /^'; alert/, /^bidi \\u202etxt\.exe/, /^\\u001b\[2J/]) {
    await row(page, name).click();
  }
  await row(page, /^long "AAA/).click();
  await go(page, 'texts["\\"><img src=x onerror=alert(2)>"]');
  await row(page, /^"><img/).and(page.locator("[aria-selected=true]")).waitFor();
  await showTab(page, "Search");
  await page.getByLabel("Search for").fill("alert(");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("list", { name: "Results" }).getByRole("button").first().click();
  await showTab(page, "Sizes");
  await page.getByRole("group", { name: "Map of sizes" }).getByRole("button").first().waitFor();
  await row(page, /^'; alert/).first().hover();
  assert.equal(await page.title(), "hostile.json");
  const parts = await page.evaluate(() => ({
    scripts: [...document.querySelectorAll("script:not([type='application/json'])")].length,
    images: document.images.length,
    children: [...document.body.children].map((child) => child.localName).filter((name) => name !== "script"),
  }));
  assert.deepEqual(parts, { scripts: 1, images: 1, children: ["header", "main", "footer", "dialog"] });
}
