// Text for people: values of a file made harmless and short, sizes, counts and dates.

const SHORT = 200;

/** Shows control characters, bidi overrides and other invisible characters as `\u202e`. */
function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) =>
      "\\u" + character.charCodeAt(at).toString(16).padStart(4, "0")).join(""));
}

function isPlain(text) {
  return visible(text) === text;
}

function short(text, limit = SHORT) {
  if (text.length <= limit) return visible(text);
  return visible(text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")) + "…";
}

/** The start of a text, long enough for a `title`. */
function long(text) {
  return short(text, 1000);
}

function sizeText(size) {
  if (size === undefined) return "";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit > 0 && size < 99.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

function number(count) {
  return count.toLocaleString("en");
}

function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function dateText(date) {
  const time = new Date(date);
  return isNaN(time) ? String(date) : time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

function playedText(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${number(hours)} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}
