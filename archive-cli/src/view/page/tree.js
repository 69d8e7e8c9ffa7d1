// The tree: its items, which load their children when they are opened, 200 at a time.

const WINDOW = 200;
/** Items below this level are opened as the root of the tree. */
const DEEPEST = 16;

const tree = { root: undefined, selected: undefined, file: undefined, turn: 0, changed() {} };

/** An item is a value, or a range of the children of a value. */
function makeItem(parent, properties) {
  const level = parent ? parent.level + 1 : 1;
  const item = { parent, level, position: 1, siblings: 1, open: false, children: [], ...properties };
  drawItem(item);
  return item;
}

function childItem(parent, child, position, siblings) {
  const path = childPath(parent.path, child.step);
  return makeItem(parent, { path, step: child.step, label: child.label, node: child, position, siblings });
}

function childPath(path, step) {
  return path === "" && step.startsWith(".") ? step.slice(1) : path + step;
}

/** The step from a value to a child of it. */
function stepTo(path, child) {
  const step = child.slice(path.length);
  return path === "" && !/^[[$]/.test(step) ? "." + step : step;
}

function isContainer(node) {
  return node.kind === "object" || node.kind === "sequence";
}

/** How many children can be shown. An exported page may have fewer than the file. */
function childCount({ present, count }) {
  return present ?? count;
}

function canOpen(item) {
  return item.range !== undefined || (isContainer(item.node) && childCount(item.node) > 0);
}

/** How many children a row below `count` children covers: 1, or a power of 200. */
function rangeWidth(count) {
  let width = 1;
  while (count / width > WINDOW) width *= WINDOW;
  return width;
}

/**
 * Opens an item. `seed` is the answer of a call that has children already, `opened` the keys of
 * the items below that are to be open.
 */
async function openItem(item, { seed, opened } = {}) {
  if (!canOpen(item) || item.open) return;
  if (item.level > DEEPEST && !item.range) return go({ root: item.path });
  item.open = true;
  const { from, to } = item.range ?? { from: 0, to: childCount(item.node) };
  const width = rangeWidth(to - from);
  const children = width > 1 ? rangeItems(item, from, to, width) : await childItems(item, from, seed);
  if (!item.open) return;
  item.children = children;
  drawChildren(item);
  if (opened) {
    const open = children.filter((child) => opened.has(keyOf(child)));
    await Promise.all(open.map((child) => openItem(child, { opened })));
  } else if (width > 1) {
    const at = seed?.from ?? from;
    await openItem(item.children.find(({ range }) => range.from <= at && at < range.to), { seed });
  }
}

function rangeItems(item, from, to, width) {
  const siblings = Math.ceil((to - from) / width);
  return Array.from({ length: siblings }, (_, index) => {
    const start = from + index * width;
    const range = { from: start, to: Math.min(start + width, to) };
    const { path, node } = item;
    return makeItem(item, { path, node, label: rangeLabel(node, range), range, position: index + 1, siblings });
  });
}

function rangeLabel(node, { from, to }) {
  return node.kind === "sequence" ? `[${number(from)} … ${number(to - 1)}]` : `${number(from + 1)} … ${number(to)}`;
}

async function childItems(item, from, seed) {
  const answer = seed?.from === from ? seed : await report(() => call("node", { path: item.path, from }));
  const children = answer?.node.children ?? [];
  return children.map((child, index) => childItem(item, child, index + 1, children.length));
}

function closeItem(item) {
  item.open = false;
  item.children = [];
  drawChildren(item);
  if (!tree.selected.element.isConnected) selectItem(item);
}

function visibleItems(item = tree.root) {
  return [item, ...item.children.flatMap(visibleItems)];
}

function keyOf(item) {
  return `${item.level} ${item.range?.from ?? ""} ${item.path}`;
}

function rootItem(answer) {
  const label = answer.crumbs.at(-1)?.label ?? answer.file;
  return makeItem(undefined, { path: answer.crumbs.at(-1)?.path ?? "", label, node: answer.node });
}

/** Shows a value as the root of the tree, or selects it in its parent if it has no children. */
async function showRoot(path) {
  const turn = ++tree.turn;
  const answer = await call("node", { path, from: 0 });
  if (path !== "" && !isContainer(answer.node)) return showPath(path);
  const root = rootItem(answer);
  await openItem(root, { seed: answer });
  if (turn === tree.turn) mount(answer, root, root);
}

/** Shows the parent of a value as the root of the tree, and selects the value. */
async function showPath(path) {
  const turn = ++tree.turn;
  const { crumbs } = await call("node", { path, from: 0 });
  const own = crumbs.at(-1)?.path ?? "";
  if (own === "" || (crumbs.length === 1 && own.startsWith("$"))) return showRoot(own);
  const parent = crumbs.at(-2)?.path ?? "";
  const answer = await call("node", { path: parent, from: 0, around: stepTo(parent, own) });
  const root = rootItem(answer);
  await openItem(root, { seed: answer });
  if (turn !== tree.turn) return;
  // The key of a map is a name in a path, and its entry is an item.
  const child = answer.node.children?.[answer.at - answer.from];
  const found = child ? childPath(parent, child.step) : own;
  mount(answer, root, visibleItems(root).find((item) => item.path === found && !item.range) ?? root);
}

/** Reads the tree again. What is open and selected stays so. */
async function refreshTree() {
  if (editing.item) {
    editing.stale = true;
    return;
  }
  const turn = ++tree.turn;
  const opened = new Set(visibleItems().filter((item) => item.open).map(keyOf));
  const answer = await call("node", { path: tree.root.path, from: 0 }).catch(() => undefined);
  if (!answer) return showRoot("");
  const root = rootItem(answer);
  if (opened.has(keyOf(root))) await openItem(root, { seed: answer, opened });
  if (turn !== tree.turn) return;
  // The user may have gone elsewhere meanwhile.
  const selected = keyOf(tree.selected);
  const focused = tree.selected.row === document.activeElement;
  const again = visibleItems(root).find((item) => keyOf(item) === selected) ?? root;
  mount(answer, root, again, { focus: focused, scroll: false });
}

function mount(answer, root, selected, { focus = true, scroll = true } = {}) {
  dropEdit();
  const place = byId("rows").scrollTop;
  // The user may have begun to type before the first answer.
  if (!tree.root && isField(document.activeElement)) focus = false;
  tree.root = root;
  byId("tree").replaceChildren(root.element);
  byId("rows").scrollTop = place;
  selectItem(selected, { focus, scroll });
  tree.changed(answer);
}

function selectItem(item, { focus = false, scroll = false } = {}) {
  if (tree.selected) markSelected(tree.selected, false);
  tree.selected = item;
  markSelected(item, true);
  placeActions();
  if (focus) item.row.focus({ preventScroll: true });
  if (focus || scroll) item.row.scrollIntoView({ block: scroll ? "center" : "nearest" });
  const field = byId("path");
  if (field !== document.activeElement) field.value = item.path.length <= 1000 ? item.path : "";
}
