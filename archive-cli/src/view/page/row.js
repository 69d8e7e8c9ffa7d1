// The rows of the tree: name, value, type and size of an item.

const itemOf = new WeakMap();

function drawItem(item) {
  item.row = make("div", {
    role: "treeitem", className: "row", tabIndex: -1,
    "aria-level": item.level, "aria-posinset": item.position, "aria-setsize": item.siblings, "aria-selected": "false",
  });
  if (canOpen(item)) item.row.setAttribute("aria-expanded", "false");
  item.row.style.setProperty("--level", item.level - 1);
  const name = short(item.label) || '""';
  item.row.append(make("span", { className: "name", title: long(item.label) }, make("span", { className: "toggle" }), name));
  if (!item.range) item.row.append(...cells(item.node));
  item.element = make("div", {}, item.row);
  itemOf.set(item.row, item);
}

function cells(node) {
  const value = make("span", { className: `value kind-${node.kind}` }, ...valueParts(node));
  const type = node.registered ?? node.type ?? node.kind;
  return [
    value,
    make("span", { className: "type", title: long(node.registered ? `${node.type ?? ""} ${type}`.trim() : type) }, short(type)),
    make("span", { className: "size", title: node.size === undefined ? "" : counted(node.size, "byte") }, sizeText(node.size)),
  ];
}

function valueParts(node) {
  const isLink = node.target && !isEdited(node);
  const text = () => make("span", { className: "text", title: valueTitle(node) }, short(summary(node)));
  const parts = [isLink ? targetLink(node) : text()];
  if (node.id) parts.push(make("span", { className: "badge", title: "Id of this shared object" }, short(node.id)));
  if (isEdited(node)) parts.push(make("span", { className: "badge edited" }, "edited"));
  return parts;
}

function targetLink(node) {
  const title = node.weak ? "Weak pointer" : "Pointer";
  return make("button", { className: "link code", tabIndex: -1, title, onclick: () => go({ path: node.target }) },
    make("span", { "aria-hidden": "true" }, `${arrow(node.weak)} `),
    make("span", { className: "unseen" }, node.weak ? "weak pointer to " : "pointer to "),
    short(node.target));
}

function arrow(weak) {
  return weak ? "⇢" : "→";
}

function isEdited(node) {
  return node.edited !== undefined;
}

/** The JSON text of a value with its pending edit, if the page has it all. */
function currentText(node) {
  if (isEdited(node)) return node.edited;
  return node.cut ? undefined : node.text;
}

/** What a row shows of a value. */
function summary(node) {
  if (isEdited(node)) return node.edited;
  if (node.text !== undefined) return node.text;
  if (node.target) return `${arrow(node.weak)} ${node.target}`;
  if (node.count === undefined) return node.kind;
  return counted(node.count, { object: "member", sequence: "item" }[node.kind] ?? "byte");
}

function valueTitle(node) {
  if (isEdited(node)) return `Before: ${long(node.text ?? summary({ ...node, edited: undefined }))}`;
  return long(summary(node));
}

function drawChildren(item) {
  // The row itself stays in the document, so that it keeps the focus.
  item.row.nextElementSibling?.remove();
  item.row.setAttribute("aria-expanded", item.open);
  if (item.open) item.element.append(make("div", { role: "group" }, ...item.children.map((child) => child.element)));
}

function markSelected(item, selected) {
  item.row.setAttribute("aria-selected", selected);
  item.row.tabIndex = selected ? 0 : -1;
}
