// The panel "Search": hits of a query, and one value for all that match a path.

const search = { query: "", in: "both", shown: 0 };

function startSearch() {
  byId("search-form").onsubmit = (event) => {
    event.preventDefault();
    search.query = byId("query").value;
    search.in = byId("search-in").value;
    resetHits();
    attempt(moreHits);
  };
  byId("more-hits").onclick = () => attempt(moreHits);
  byId("set-all").onsubmit = (event) => {
    event.preventDefault();
    const field = byId("set-all-value");
    submit(field, byId("set-all-error"), { path: search.query, text: field.value }, () => {});
  };
}

function resetHits() {
  search.shown = 0;
  byId("hits").replaceChildren();
  byId("search-count").textContent = "";
  byId("more-hits").hidden = true;
  byId("set-all").hidden = true;
}

async function moreHits() {
  const { query } = search;
  const { total, hits, error } = await call("search", { query, in: search.in, from: search.shown });
  if (query !== search.query) return;
  search.shown += hits.length;
  byId("hits").append(...hits.map(hitRow));
  byId("search-count").textContent = error ? long(error) : total === 0 ? "Nothing found." : counted(total, "result");
  byId("more-hits").hidden = search.shown >= total;
  byId("set-all").hidden = search.in !== "path" || total === 0 || !page.canEdit;
}

function hitRow({ path, text }) {
  return make("li", {},
    make("button", { className: "entry", onclick: () => go({ path }) },
      make("span", { className: "path", title: long(path) }, short(path)),
      make("span", { className: "text" }, ...marked(short(text), search.query))));
}

/** A text with the first match of the query marked. */
function marked(text, query) {
  const at = search.in === "path" ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0 || query === "") return [text];
  const end = at + query.length;
  return [text.slice(0, at), make("mark", {}, text.slice(at, end)), text.slice(end)];
}
