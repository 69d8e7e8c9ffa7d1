// The pending edits: their list, undo, redo and save.

const edits = { list: [], shown: "" };

/** Takes the edits from the answer of a call, and shows them. */
function takeEdits(answer) {
  if (answer.warnings?.length > 0) say(answer.warnings.join(" "));
  if (showEdits(answer.edits)) report(refreshTree);
}

/** Returns whether there was anything new. */
function showEdits({ list, can_undo, can_redo }) {
  byId("undo").disabled = !can_undo;
  byId("redo").disabled = !can_redo;
  const shown = JSON.stringify(list);
  if (shown === edits.shown) return false;
  edits.shown = shown;
  edits.list = list;
  byId("save").disabled = list.length === 0;
  byId("save").textContent = list.length === 0 ? "Save" : `Save ${counted(list.length, "edit")}`;
  byId("tab-edits").textContent = list.length === 0 ? "Edits" : `Edits (${number(list.length)})`;
  byId("no-edits").hidden = list.length > 0;
  byId("edits").replaceChildren(...list.map(editRow));
  return true;
}

function editRow({ path, text, values, add, error }) {
  const facts = [add && "new member", values !== 1 && counted(values, "value")].filter(Boolean).join(", ");
  const isOneValue = values === 1 && !add;
  const row = make("li", { className: "edit" },
    make(isOneValue ? "button" : "div", { className: "entry", onclick: isOneValue ? () => go({ path }) : undefined },
      make("span", { className: "path", title: long(path) }, short(path)),
      make("span", { className: "text", title: long(text) }, short(text))),
    make("button", { "aria-label": `Remove the edit of ${short(path)}`, onclick: () => change("revert", { path }) }, "Remove"));
  if (facts) row.append(make("p", { className: "note" }, facts));
  if (error) row.append(make("p", { className: "refusal" }, long(error)));
  return row;
}

function change(name, body) {
  return attempt(async () => takeEdits(await call(name, body)));
}

async function save() {
  await attempt(async () => {
    try {
      const answer = await call("save", { version: session.version });
      say(`Saved ${counted(answer.saved, "value")}.`);
      takeEdits(answer);
    } catch (error) {
      if (error.status === 409) await refreshTree();
      throw error;
    }
  });
}

const commands = { undo: () => change("undo"), redo: () => change("redo"), save };
let lastCommand = Promise.resolve();

/** Runs a command once those before it were answered: Ctrl+Y and then Ctrl+S saves what was redone. */
function runCommand(name) {
  const done = lastCommand.then(() => byId(name).disabled || commands[name]());
  lastCommand = done.catch(() => {});
}

function startEdits() {
  for (const name in commands) byId(name).onclick = () => runCommand(name);
  addEventListener("beforeunload", (event) => {
    if (edits.list.length > 0) event.preventDefault();
  });
  addEventListener("keydown", onCommandKey);
}

function onCommandKey(event) {
  if (!page.canEdit || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  const name = { s: "save", z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
  if (!name || byId("editor").open || (key !== "s" && isField(event.target))) return;
  event.preventDefault();
  runCommand(name);
}
