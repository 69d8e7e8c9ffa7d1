// Keyboard and mouse in the tree.

const KEYS = {
  "Arrow keys, Home, End": "Move in the tree, open and close rows",
  "Enter, F2": "Edit the value (Enter on a pointer follows it)",
  "c": "Copy the path",
  "v": "Copy the value as JSON",
  "/": "Search",
  "Ctrl+S": "Save",
  "Ctrl+Z, Ctrl+Y": "Undo, redo",
};

function startTree() {
  const element = byId("tree");
  element.addEventListener("keydown", onTreeKey);
  element.addEventListener("click", (event) => onTreeClick(event, 1));
  element.addEventListener("dblclick", (event) => onTreeClick(event, 2));
  byId("copy-path").onclick = () => treeKeys.c(tree.selected);
}

function onTreeClick(event, clicks) {
  const item = itemOf.get(event.target.closest(".row"));
  if (!item || event.target.closest("button, input, textarea, select")) return;
  selectItem(item, { focus: true });
  const onToggle = event.target.closest(".toggle") !== null;
  if (clicks === 2 ? !onToggle && canOpen(item) : onToggle) toggleItem(item);
  else if (clicks === 2 && !onToggle) attempt(() => editItem(item));
}

function toggleItem(item) {
  if (item.open) closeItem(item);
  else attempt(() => openItem(item));
}

function onTreeKey(event) {
  const item = itemOf.get(event.target);
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = treeKeys[event.key];
  if (!action) return;
  event.preventDefault();
  action(item);
}

const treeKeys = {
  ArrowDown: (item) => move(item, 1),
  ArrowUp: (item) => move(item, -1),
  Home: () => selectItem(tree.root, { focus: true }),
  End: () => selectItem(visibleItems().at(-1), { focus: true }),
  ArrowRight(item) {
    if (item.open) move(item, 1);
    else attempt(() => openItem(item));
  },
  ArrowLeft(item) {
    if (item.open) closeItem(item);
    else if (item.parent) selectItem(item.parent, { focus: true });
  },
  Enter(item) {
    if (item.range || (!page.canEdit && canOpen(item))) toggleItem(item);
    else if (item.node.target) go({ path: item.node.target });
    else attempt(() => editItem(item));
  },
  F2: (item) => attempt(() => editItem(item)),
  c: (item) => copy(item.path, "the path"),
  async v(item) {
    const answer = await attempt(() => call("value", { path: item.path }));
    if (answer) copy(answer.text, "the value");
  },
};

function move(item, by) {
  const items = visibleItems();
  const next = items[items.indexOf(item) + by];
  if (next) selectItem(next, { focus: true });
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${what}.`);
  } catch {
    complain(`The browser does not let the page copy ${what}.`);
  }
}
