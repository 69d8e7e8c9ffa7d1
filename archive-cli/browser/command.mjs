// The command `archive`, and the files of the example `view_files`.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const root = resolve(import.meta.dirname, "../..");
const programs = join(resolve(root, process.env.CARGO_TARGET_DIR ?? "target"), "debug");

/** Runs the command, and returns its output. */
export function archive(...args) {
  return execFileSync(join(programs, "archive"), args, { encoding: "utf8" });
}

/** Returns the value at a path, as `archive get` prints it. */
export function get(file, path) {
  return JSON.parse(archive("get", file, path));
}

/** Makes a folder that is removed when the program ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "archive-view-"));
  folders.push(folder);
  return folder;
}

const folders = [];
const commands = [];
process.on("exit", () => {
  commands.forEach((command) => command.kill());
  folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Writes the files of the example into a folder. Its pictures `1.png` to `4.png` become thumbnails. */
export function writeFiles(folder) {
  execFileSync(join(programs, "examples/view_files"), [folder]);
}

/** Starts `archive view`, and returns the address that it prints, and a function that ends it. */
export async function view(...args) {
  const command = spawn(join(programs, "archive"), ["view", "--no-open", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  commands.push(command);
  for await (const address of createInterface(command.stdout)) {
    return { address, origin: new URL(address).origin, end: () => command.kill() };
  }
  throw new Error(`archive view ${args.join(" ")} printed no address`);
}
