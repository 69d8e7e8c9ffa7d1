// Editing a value: in its row, or as JSON in a dialog.

/** `item` is the item that is being edited; `stale` that the tree is to be read again afterwards. */
const editing = { item: undefined, stale: false, close() {} };

function startEditing() {
  byId("edit").onclick = () => attempt(() => editItem(tree.selected));
  byId("add-member").onclick = () => addMember(tree.selected);
  byId("editor-cancel").onclick = () => byId("editor").close();
  new ResizeObserver(placeActions).observe(byId("tree"));
}

/** Puts the buttons for the selected value into its row. */
function placeActions() {
  const item = tree.selected;
  const actions = byId("row-actions");
  actions.hidden = !item || !canEdit(item) || editing.item !== undefined;
  if (actions.hidden) return;
  byId("add-member").hidden = item.node.kind !== "object";
  actions.style.top = `${item.row.offsetTop + 2}px`;
  actions.style.height = `${item.row.offsetHeight - 4}px`;
}

function canEdit(item) {
  return page.canEdit && !item.range;
}

/** The path of what an edit replaces: of a shared object itself, and not the pointer to it. */
function editedPath(item) {
  return item.node.id ?? item.path;
}

async function editItem(item) {
  if (!canEdit(item)) return;
  const { kind } = item.node;
  const cut = currentText(item.node) === undefined;
  const text = cut ? (await call("value", { path: editedPath(item) })).text : currentText(item.node);
  const field = kind === "bytes" || kind === "pointer" ? undefined : fieldFor(text);
  if (field) openField(item, field);
  else openDialog(item, { title: `Edit ${short(item.path || item.label)}`, text });
}

/** A field for a text, number or bool, or undefined if only JSON shows the value exactly. */
function fieldFor(text) {
  if (text === "true" || text === "false") {
    const select = make("select", {}, ...["true", "false"].map((option) => make("option", {}, option)));
    select.value = text;
    return { element: select, json: () => select.value };
  }
  if (/^-?\d[\d.eE+-]*$/.test(text)) {
    const input = make("input", { inputMode: "decimal", value: text });
    return { element: input, json: () => input.value.trim() };
  }
  if (!text.startsWith('"')) return undefined;
  const raw = JSON.parse(text);
  if (!isPlain(raw.replaceAll("\n", ""))) return undefined;
  const area = make("textarea", { value: raw, rows: Math.min(raw.split("\n").length, 8) });
  return { element: area, json: () => JSON.stringify(area.value) };
}

function openField(item, { element, json }) {
  const before = json();
  const note = make("span", { className: "refusal", id: "field-error" });
  element.className = "code";
  element.setAttribute("aria-label", `New value of ${short(item.path || item.label)}`);
  element.setAttribute("aria-describedby", note.id);
  const form = make("form", { className: "field" }, element, make("button", {}, "Apply"), note);
  const cell = item.row.querySelector(".value");
  const close = () => {
    form.remove();
    cell.hidden = false;
    endEdit(item);
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    if (json() === before) return close();
    submit(element, note, { path: editedPath(item), text: json() }, close);
  };
  form.onkeydown = (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "Enter" || event.shiftKey || event.target !== element) return;
    event.preventDefault();
    form.requestSubmit();
  };
  cell.hidden = true;
  cell.after(form);
  beginEdit(item, close);
  element.focus();
  element.select?.();
}

function addMember(item) {
  openDialog(item, { title: `Add a member to ${short(item.path || item.label)}`, text: "", add: true });
}

function openDialog(item, { title, text, add = false }) {
  const dialog = byId("editor");
  const field = byId("editor-text");
  const note = byId("editor-error");
  byId("editor-title").textContent = title;
  byId("editor-name-label").hidden = !add;
  byId("editor-name").value = "";
  field.value = text.replace(/[^\n\t]+/g, visible);
  setRefusal(field, note);
  const before = field.value;
  byId("editor-form").onsubmit = (event) => {
    event.preventDefault();
    if (!add && field.value === before) return dialog.close();
    const path = add ? childPath(item.path, memberStep(byId("editor-name").value)) : editedPath(item);
    submit(field, note, { path, text: field.value, add: add || undefined }, () => dialog.close());
  };
  dialog.onclose = () => endEdit(item);
  beginEdit(item, () => dialog.close());
  dialog.showModal();
  (add ? byId("editor-name") : field).focus();
}

function memberStep(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Makes an edit. If it is refused, the field stays open and says why. */
async function submit(field, note, edit, close) {
  try {
    const answer = await call("set", edit);
    setRefusal(field, note);
    close();
    say(`Edited ${counted(answer.values, "value")}.`);
    takeEdits(answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setRefusal(field, note, error.message);
    field.focus();
  }
}

function beginEdit(item, close) {
  editing.item = item;
  editing.close = close;
  placeActions();
}

/** Closes the field or dialog without an edit, because the tree goes elsewhere. */
function dropEdit() {
  editing.stale = false;
  if (editing.item) editing.close();
}

function endEdit(item) {
  editing.item = undefined;
  placeActions();
  item.row.focus({ preventScroll: true });
  if (editing.stale) report(refreshTree);
  editing.stale = false;
}
