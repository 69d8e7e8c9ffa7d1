// The tabs of the panel at the right.

function tabs() {
  return [...byId("tabs").children].filter((tab) => !tab.hidden);
}

function startTabs() {
  byId("tabs").addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) showTab(tab);
  });
  byId("tabs").addEventListener("keydown", (event) => {
    const all = tabs();
    const at = all.indexOf(event.target);
    const next = { ArrowLeft: at - 1, ArrowRight: (at + 1) % all.length, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    showTab(all.at(next));
    all.at(next).focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || byId("viewer").hidden || isField(event.target)) return;
    event.preventDefault();
    showTab(byId("tab-search"));
    byId("query").select();
  });
}

function showTab(shown) {
  for (const tab of byId("tabs").children) {
    tab.setAttribute("aria-selected", tab === shown);
    tab.tabIndex = tab === shown ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = tab !== shown;
  }
  if (tree.root) showMap();
}
