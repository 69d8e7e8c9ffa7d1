// The check of the page: runs each part in a page of its own, and fails if one of them does.
// `node page.mjs NAME…` runs the parts whose names contain one of these texts.

import { cpSync, mkdirSync } from "node:fs";

import { launch, openPage } from "./browser.mjs";
import { temporaryFolder, view, writeFiles } from "./command.mjs";
import { writePictures } from "./pictures.mjs";
import { access } from "./parts/access.mjs";
import { accessibility } from "./parts/accessibility.mjs";
import { changes } from "./parts/changes.mjs";
import { exported } from "./parts/exported.mjs";
import { folders } from "./parts/folders.mjs";
import { formats } from "./parts/formats.mjs";
import { guards } from "./parts/guards.mjs";
import { hostile } from "./parts/hostile.mjs";
import { keyboard } from "./parts/keyboard.mjs";
import { panels } from "./parts/panels.mjs";

const parts = {
  ...formats, ...panels, ...changes, ...keyboard, ...folders, ...hostile, ...exported, ...access, ...accessibility, ...guards,
};

const browser = await launch();
const pictures = temporaryFolder();
await writePictures(browser, pictures);

/** What a part works with: files of its own, the command on them, and pages whose faults fail the part. */
async function contextOf(faults) {
  const folder = temporaryFolder();
  cpSync(pictures, folder, { recursive: true });
  writeFiles(folder);
  const running = [];
  const pages = [];
  const open = async (address, options = {}) => {
    const page = await openPage(browser, address, { faults, ...options });
    pages.push(page);
    return page;
  };
  return {
    folder,
    pages,
    open,
    /** Starts the command on a file of the folder, and returns it. */
    async serve(name, ...args) {
      const command = await view(`${folder}/${name}`, ...args);
      running.push(command);
      return command;
    },
    /** Opens a file of the folder by the command. */
    async view(name, { args = [], ...options } = {}) {
      return open((await this.serve(name, ...args)).address, options);
    },
    async end() {
      for (const page of pages) await page.context().close();
      for (const command of running) command.end();
    },
  };
}

async function run(name, part) {
  const faults = [];
  const start = Date.now();
  const context = await contextOf(faults);
  try {
    await part(context);
  } catch (error) {
    faults.push(error.stack);
    mkdirSync("node_modules/.failed", { recursive: true });
    const path = `node_modules/.failed/${name.replaceAll(" ", "_")}.png`;
    await context.pages.at(-1)?.screenshot({ path });
    faults.push(`see ${path}`);
  }
  await context.end();
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(faults.length === 0 ? `ok      ${name}, ${seconds} s` : `FAILED  ${name}\n${faults.join("\n")}`);
  return faults.length === 0;
}

const wanted = process.argv.slice(2);
let failed = 0;
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.some((text) => name.includes(text))) continue;
  if (!(await run(name, part))) failed++;
}
await browser.close();
if (failed > 0) console.log(`error: ${failed} parts failed`);
process.exit(failed > 0 ? 1 : 0);
