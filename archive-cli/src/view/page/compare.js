// The panel "Compare": the differences from another file.

const CHANGES = {
  removed: { mark: "−", word: "Removed" },
  added: { mark: "+", word: "Added" },
  changed: { mark: "~", word: "Changed" },
  moved: { mark: ">", word: "Moved" },
};

function startCompare() {
  byId("compare").onclick = () => attempt(async () => showChanges(await call("compare", { with: byId("compare-with").value })));
  byId("compare-file").onchange = (event) => {
    const [file] = event.target.files;
    if (file) attempt(async () => showChanges(await upload(file)));
  };
}

function resetCompare(names) {
  byId("compare-with").replaceChildren(...names.map((name) => make("option", { value: name }, short(name))));
  byId("compare-with").disabled = byId("compare").disabled = names.length === 0;
  byId("compare-count").textContent = "";
  byId("changes").replaceChildren();
}

function showChanges({ total, changes }) {
  const count = total === 0 ? "No differences." : `${counted(total, "difference")}.`;
  byId("compare-count").textContent = total > changes.length ? `${count} The first ${number(changes.length)} are shown.` : count;
  byId("changes").replaceChildren(...changes.map(changeRow));
}

/** A removed value is nowhere in the file that is shown, so there is no way to it. */
function changeRow({ change, path, old, new: now, to }) {
  const { mark, word } = CHANGES[change];
  const parts = [
    make("span", { className: `mark ${change}`, "aria-hidden": "true" }, mark),
    make("span", { className: "unseen" }, `${word}: `),
    make("span", { className: "path", title: long(path) }, short(path)),
    make("span", { className: "text" }, changeText(old, now, to)),
  ];
  if (change === "removed") return make("li", {}, make("div", { className: "entry" }, ...parts));
  return make("li", {}, make("button", { className: "entry", onclick: () => go({ path: to ?? path }) }, ...parts));
}

function changeText(old, now, to) {
  if (to !== undefined) return `to ${short(to)}`;
  return [old, now].filter((text) => text !== undefined).map((text) => short(text)).join(" → ");
}
