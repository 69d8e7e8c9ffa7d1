// Calls to the command that serves the page. An exported page answers them itself (local.js).

const NO_TOKEN = "Open the address that the command printed.";

const data = document.getElementById("data");
const session = { file: undefined, version: undefined, sent: 0, seen: 0, changed() {} };

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function call(name, body = {}) {
  if (data) return local[name](body);
  return answered(name, `/call/${name}`, JSON.stringify({ file: session.file, ...body }));
}

async function upload(file) {
  return answered("upload", "/upload", file, { "X-Name": encodeURIComponent(file.name) });
}

async function thumbnail(file) {
  return (await post("/call/thumbnail", JSON.stringify({ file }))).blob();
}

async function answered(name, address, body, headers) {
  const { file } = session;
  const sent = ++session.sent;
  const answer = await (await post(address, body, headers)).json();
  if (answer.version !== undefined && file === session.file && sent > session.seen) {
    session.seen = sent;
    noteVersion(answer.version, name === "save");
  }
  return answer;
}

function noteVersion(version, ours) {
  const known = session.version;
  session.version = version;
  if (known !== undefined && known !== version && !ours) session.changed();
}

async function post(address, body, headers) {
  let response;
  try {
    const token = sessionStorage.getItem("token") ?? "";
    response = await fetch(address, { method: "POST", headers: { "X-Token": token, ...headers }, body });
  } catch {
    throw new Refusal(0, "The command has ended.");
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({ error: `The command answered ${response.status}.` }));
  const needsToken = response.status === 403 && address !== "/call/enter";
  throw new Refusal(response.status, needsToken ? NO_TOKEN : error);
}

/** Takes the token, or the code for one, out of the address. */
async function takeToken() {
  const hash = location.hash.slice(1);
  const code = /^enter=(.+)$/.exec(hash)?.[1];
  if (!code && !/^[0-9a-f]{32}$/.test(hash)) return;
  history.replaceState(null, "", "#");
  sessionStorage.setItem("token", code ? await tokenFor(code) : hash);
}

async function tokenFor(code) {
  const { token } = await (await post("/call/enter", "", { "X-Token": code })).json();
  return token;
}
