// The panel "Sizes": a map of the current root, in which a click goes deeper.

const TONES = 6;

/** `zoom` has the groups that the map has entered, the innermost last. */
const sizes = { boxes: [], zoom: [], stale: true };

function startSizes() {
  new ResizeObserver(drawMap).observe(byId("map"));
  byId("map-up").onclick = () => {
    if (sizes.zoom.pop()) attempt(loadMap);
    else go({ root: tree.file.crumbs.at(-2)?.path ?? "" });
  };
  byId("map-whole").onclick = () => go({ root: "" });
}

/** The root of the tree is another one, or was read again. */
function mapChanged({ reset }) {
  if (reset) sizes.zoom = [];
  sizes.stale = true;
  showMap();
}

function showMap() {
  if (sizes.stale && !byId("panel-sizes").hidden) report(loadMap);
}

async function loadMap() {
  sizes.stale = false;
  const { path, label } = tree.root;
  const group = sizes.zoom.at(-1);
  const { boxes } = await call("sizes", { path, from: group?.from, to: group?.to });
  if (path !== tree.root?.path) return;
  sizes.boxes = boxes;
  byId("map-place").textContent = short([label, group?.label].filter(Boolean).join(" "));
  byId("map-up").disabled = path === "" && !group;
  byId("map-whole").disabled = path === "" && !group;
  drawMap();
}

function drawMap() {
  const map = byId("map");
  if (map.clientWidth === 0) return;
  const boxes = squarify(sizes.boxes, map.clientWidth, map.clientHeight);
  map.replaceChildren(...boxes.filter((box) => box.width >= 2 && box.height >= 2).map(drawBox));
  if (boxes.length === 0) map.append(make("p", { className: "note" }, "Nothing inside has a size of its own."));
}

function drawBox(box, index) {
  const isGroup = box.from !== undefined;
  const button = make("button", {
    className: `box tone-${index % TONES}${isGroup ? " group" : ""}`,
    title: `${long(box.label)}\n${counted(box.size, "byte")}`,
    onclick: () => enterBox(box),
  });
  button.append(
    boxLabel(short(box.label), box.width >= 36 && box.height >= 20),
    boxLabel(sizeText(box.size), box.width >= 48 && box.height >= 38));
  for (const [side, place] of [["left", box.x], ["top", box.y], ["width", box.width], ["height", box.height]]) {
    button.style[side] = `${place}px`;
  }
  return button;
}

function boxLabel(text, fits) {
  return make("span", { className: fits ? "label" : "unseen" }, text);
}

function enterBox({ step, from, to, label }) {
  if (step !== undefined) return go({ root: childPath(tree.root.path, step) });
  sizes.zoom.push({ from, to, label });
  attempt(loadMap);
}
