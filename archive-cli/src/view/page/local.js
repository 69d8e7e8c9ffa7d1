// An exported page: the calls `node`, `value`, `sizes` and `search`, answered from its own data.

const local = data ? localCalls(JSON.parse(data.textContent)) : undefined;

function localCalls(file) {
  for (const { node } of walk(file.node)) node.present = node.children?.length ?? 0;
  const shared = sharedObjects(file.node);
  const find = (path) => findNode(file.node, shared, path);
  return {
    thumbnail: /^data:image\/(png|jpeg|webp|gif)[,;]/.test(file.thumbnail) ? file.thumbnail : undefined,
    cut: file.cut,
    async node({ path, from, around }) {
      const { node, crumbs } = find(path);
      const all = node.children ?? [];
      const at = around === undefined ? from : all.findIndex((child) => child.step === around);
      const start = Math.max(0, at - (at % WINDOW));
      const children = all.slice(start, start + WINDOW);
      const { kind, size, save } = file;
      return { file: file.file, kind, size, save, crumbs, from: start, node: { ...node, children } };
    },
    async value({ path }) {
      return { text: jsonOf(find(path).node) };
    },
    async sizes({ path, from = 0, to }) {
      return { boxes: sizeBoxes((find(path).node.children ?? []).slice(from, to), from) };
    },
    async search({ query, in: place, from }) {
      const hits = [...matches(file.node, query, place)];
      return { total: hits.length, hits: hits.slice(from, from + WINDOW) };
    },
  };
}

/** Goes through a node and all below it, parents first. */
function* walk(node, path = "") {
  const open = [{ node, path }];
  while (open.length > 0) {
    const next = open.pop();
    yield next;
    for (const child of (next.node.children ?? []).toReversed()) {
      open.push({ node: child, path: childPath(next.path, child.step) });
    }
  }
}

function sharedObjects(root) {
  return new Map([...walk(root)].filter(({ node }) => node.id).map(({ node }) => [node.id, node]));
}

function findNode(root, shared, path) {
  const id = /^\$\d+/.exec(path)?.[0];
  const crumbs = [];
  if (id) crumbs.push({ label: id, path: id });
  const steps = id || path === "" ? path : stepTo("", path);
  let node = id ? shared.get(id) : root;
  let at = id?.length ?? 0;
  while (node && at < steps.length) {
    const leads = ({ step }) => steps.startsWith(step, at) && /^[.[]?$/.test(steps.charAt(at + step.length));
    node = node.children?.find(leads);
    at += node?.step.length ?? 0;
    crumbs.push({ label: node?.label, path: childPath("", steps.slice(0, at)) });
  }
  if (!node) throw new Refusal(422, `There is nothing at ${short(path)} on this page.`);
  return { node, crumbs };
}

function jsonOf(node, indent = "") {
  const isPart = node.cut || (isContainer(node) && node.present < node.count);
  if (isPart) throw new Refusal(422, "This page does not have the whole value.");
  if (node.text !== undefined) return node.text;
  if (node.target) return JSON.stringify(node.target);
  const isObject = node.kind === "object";
  if (!node.children?.length) return isObject ? "{}" : "[]";
  const deeper = `${indent}  `;
  const name = (child) => (isObject ? `${JSON.stringify(child.label)}: ` : "");
  const items = node.children.map((child) => deeper + name(child) + jsonOf(child, deeper));
  return `${isObject ? "{" : "["}\n${items.join(",\n")}\n${indent}${isObject ? "}" : "]"}`;
}

function sizeBoxes(children, from) {
  const width = Math.ceil(children.length / 120);
  if (width <= 1) return children.map(({ label, step, size = 0 }) => ({ label, step, size }));
  return Array.from({ length: Math.ceil(children.length / width) }, (_, index) => {
    const group = children.slice(index * width, (index + 1) * width);
    const start = from + index * width;
    const size = group.reduce((sum, child) => sum + (child.size ?? 0), 0);
    return { label: `${group[0].label} … ${group.at(-1).label}`, from: start, to: start + group.length, size };
  });
}

function* matches(root, query, place) {
  const wanted = query.toLowerCase();
  const has = (text) => text.toLowerCase().includes(wanted);
  for (const { node, path } of walk(root)) {
    if (place === "path") {
      if (path.startsWith(query)) yield { path, what: "value", text: summary(node) };
      continue;
    }
    if (place !== "values" && node.label && has(node.label)) yield { path, what: "name", text: node.label };
    if (place !== "names" && node.text && has(node.text)) yield { path, what: "value", text: around(node.text, wanted) };
  }
}

/** The part of a text where the match is. */
function around(text, wanted) {
  const at = Math.max(0, text.toLowerCase().indexOf(wanted) - 40);
  return (at > 0 ? "…" : "") + text.slice(at, at + 160);
}
