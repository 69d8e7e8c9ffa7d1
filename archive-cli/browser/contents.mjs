// What the tests do with the contents of a file on the page.

/** Returns the row whose text begins so. */
export function row(page, name) {
  return page.getByRole("treeitem", { name });
}

/** Opens a row by the mouse. */
export async function expand(page, name) {
  await row(page, name).locator(".toggle").click();
}

/** Goes to a path by the field for it. */
export async function go(page, path) {
  await page.getByRole("treeitem").first().waitFor();
  await page.getByLabel("Path", { exact: true }).fill(path);
  await page.getByRole("button", { name: "Go", exact: true }).click();
}

/** Returns the selected row, if its text contains this. */
export function selected(page, hasText = "") {
  return page.locator('[role="treeitem"][aria-selected="true"]', { hasText });
}

/** Edits the selected value by the keyboard. */
export async function edit(page, path, text) {
  await page.keyboard.press("F2");
  await page.getByLabel(`New value of ${path}`, { exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

/** Saves, until the page says that it did. */
export async function save(page, count) {
  await page.getByRole("button", { name: /^Save/ }).click();
  await page.locator("#status", { hasText: `Saved ${count} value` }).waitFor();
}

export async function showTab(page, name) {
  await page.getByRole("tab", { name }).click();
}

/** Returns the text of the element that has the focus. */
export function focused(page) {
  return page.evaluate(() => document.activeElement.textContent);
}
