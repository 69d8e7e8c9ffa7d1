// The panel "About": what the save says about itself, and the keys of the page.

function startAbout() {
  byId("keys").append(...terms(KEYS));
}

function showAbout({ file, kind, size, save = {} }) {
  byId("about").replaceChildren(...terms({
    "Left out": local?.cut,
    "File": file,
    "Kind": kind,
    "Size": `${sizeText(size)} (${counted(size, "byte")})`,
    "Title": save.title,
    "Game": save.game,
    "Version": save.version,
    "Saved": save.created && dateText(save.created),
    "Played": save.played_seconds && playedText(save.played_seconds),
    "Device": save.device,
    "Autosave": save.autosave,
    "Thumbnail": save.thumbnail_bytes && sizeText(save.thumbnail_bytes),
    "Metadata": save.metadata && JSON.stringify(save.metadata, null, 2),
  }));
  const image = byId("about-image");
  if (data) setImage(image, local.thumbnail);
  else if (save.thumbnail_bytes) report(async () => setImage(image, URL.createObjectURL(await thumbnail(session.file))));
  else setImage(image);
}

function setImage(image, address) {
  if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
  image.hidden = !address;
  if (address) image.src = address;
  else image.removeAttribute("src");
}

function terms(texts) {
  return Object.entries(texts)
    .filter(([, text]) => text !== undefined && text !== null && text !== "")
    .flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, multiline(String(text)))]);
}

function multiline(text) {
  return text.slice(0, 1000).replace(/[^\n]+/g, visible);
}
