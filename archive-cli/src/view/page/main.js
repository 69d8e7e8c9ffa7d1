// The page as a whole: the file that is shown, the place in it, and what the command reports.

const POLL = 1500;

const page = { folder: false, canEdit: false, ended: false };

/** Goes to a place: `path` selects a value, `root` makes it the root of the tree. */
function go({ file = session.file, path, root }) {
  const hash = Object.entries({ file, path, root })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (hash.length > 100_000 || `#${hash}` === location.hash) attempt(() => show({ file, path, root }));
  else location.hash = hash;
}

/** Shows the place that the address names. */
async function arrive() {
  await takeToken();
  await show(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
}

async function show({ file, path, root }) {
  if (!tree.root || file !== session.file) await openFile(file);
  if (page.folder && file === undefined) return;
  await (root === undefined ? showPath(path ?? "") : showRoot(root));
}

async function openFile(file) {
  session.file = file;
  session.version = undefined;
  tree.root = undefined;
  tree.turn++;
  const state = data ? { mode: "file", read_only: true } : await call("state");
  page.folder ||= state.mode === "folder";
  page.canEdit = !state.read_only && !data;
  const inFolder = page.folder && file === undefined;
  byId("all-saves").hidden = !page.folder || inFolder;
  byId("slots").hidden = !inFolder;
  for (const id of ["viewer", "controls", "crumbs-nav"]) byId(id).hidden = inFolder;
  byId("actions").hidden = byId("tab-edits").hidden = !page.canEdit;
  byId("tab-compare").hidden = Boolean(data);
  byId("compare-upload").hidden = page.folder;
  if (inFolder) return openFolder(state.title);
  closeSlots();
  resetHits();
  resetCompare(state.compare ?? []);
  if (state.edits) showEdits(state.edits);
  showTab(byId("tab-sizes"));
  if (data) say(local.cut ?? "");
}

async function openFolder(title) {
  showEdits({ list: [] });
  document.title = byId("name").textContent = short(title);
  byId("facts").textContent = "";
  await showSlots();
}

/** The tree has another root, or was read again. */
tree.changed = (answer) => {
  const before = tree.file;
  const sameFile = before?.file === answer.file;
  const moved = !sameFile || before.crumbs.at(-1)?.path !== answer.crumbs.at(-1)?.path;
  if (!sameFile || before.version !== answer.version) showAbout(answer);
  tree.file = answer;
  document.title = byId("name").textContent = short(answer.file);
  byId("facts").textContent = `${short(answer.kind)}, ${sizeText(answer.size)}`;
  byId("crumbs").replaceChildren(...crumbRows([{ label: answer.file, path: "" }, ...answer.crumbs]));
  mapChanged({ reset: moved });
};

/** The steps of the current path; of many, the first and the last. */
function crumbRows(crumbs) {
  if (crumbs.length > 12) crumbs = [...crumbs.slice(0, 3), { label: "…" }, ...crumbs.slice(-6)];
  return crumbs.map(({ label, path }, index) => {
    if (path === undefined) return make("li", {}, label);
    const button = make("button", { className: "link", title: long(path), onclick: () => go({ root: path }) }, short(label, 60));
    if (index === crumbs.length - 1) button.setAttribute("aria-current", "location");
    return make("li", {}, button);
  });
}

session.changed = () => {
  if (!tree.root) return;
  say("The file was changed on disk and read again.");
  report(refreshTree);
};

async function poll() {
  if (!document.hidden && !byId("viewer").hidden && tree.root) {
    try {
      const { file, sent } = session;
      const state = await call("state");
      if (page.ended) complain("");
      page.ended = false;
      const newest = file === session.file && session.sent === sent + 1;
      if (newest && showEdits(state.edits)) await refreshTree();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!page.ended) complain(error.message);
      page.ended = true;
    }
  }
  setTimeout(poll, POLL);
}

function start() {
  startTree();
  startTabs();
  startSizes();
  startSearch();
  startEditing();
  startEdits();
  startCompare();
  startAbout();
  byId("path-form").onsubmit = (event) => {
    event.preventDefault();
    go({ path: byId("path").value.trim() });
  };
  addEventListener("hashchange", () => attempt(arrive));
  attempt(arrive);
  if (!data) poll();
}

start();
