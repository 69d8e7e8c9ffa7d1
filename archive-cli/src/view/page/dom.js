// Elements of the page, and its two lines of messages.

function byId(id) {
  return document.getElementById(id);
}

/** Makes an element. Properties are set as properties where there are such, else as attributes. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Sets the message of a field that refused its value, or takes it away. */
function setRefusal(field, note, message) {
  note.textContent = message ? long(message) : "";
  field.toggleAttribute("aria-invalid", false);
  if (message) field.setAttribute("aria-invalid", "true");
}

function say(message) {
  byId("status").textContent = long(message);
}

function complain(message) {
  byId("alert").textContent = long(message);
}

/** Runs an action of the user, and shows why it was refused, if it was. */
function attempt(action) {
  complain("");
  return report(action);
}

/** Runs work of the page itself. A complaint that is shown stays. */
async function report(action) {
  try {
    return await action();
  } catch (error) {
    complain(error.message);
    if (!(error instanceof Refusal)) throw error;
  }
}

function isField(element) {
  return element.closest("input, textarea, select, dialog") !== null;
}
