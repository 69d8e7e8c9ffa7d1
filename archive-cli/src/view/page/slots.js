// The saves of a folder, as cards with their thumbnails.

/** The object URLs of the thumbnails that are shown. */
const thumbnails = [];

async function showSlots() {
  const { slots } = await call("slots");
  closeSlots();
  byId("slots").replaceChildren(...slots.map(slotCard));
  if (slots.length === 0) byId("slots").append(make("li", { className: "note" }, "There are no saves in this folder."));
}

function closeSlots() {
  byId("slots").replaceChildren();
  thumbnails.splice(0).forEach((address) => URL.revokeObjectURL(address));
}

function slotCard(slot) {
  const good = slot.state === "good";
  const button = make("button", { className: "slot", onclick: () => go({ file: slot.name }) },
    slotImage(slot),
    make("strong", { title: long(slot.name) }, short(slot.title || slot.name)));
  const facts = [
    slot.title && slot.name,
    slot.created && dateText(slot.created),
    slot.played_seconds && `${playedText(slot.played_seconds)} played`,
    slot.size !== undefined && sizeText(slot.size),
  ];
  button.append(...facts.filter(Boolean).map((fact) => make("span", {}, short(fact))));
  if (!good) button.append(make("span", { className: "refusal", title: long(slot.error?.message ?? "") }, damageText(slot)));
  return make("li", {}, button);
}

/** The whole message names the path of the file. It is in the title, and is shown when the save is opened. */
function damageText({ state, falls_back }) {
  return falls_back === undefined ? short(state) : `${short(state)}; backup ${falls_back} is good`;
}

function slotImage({ name, thumbnail_bytes }) {
  const frame = make("span", { className: "frame" });
  if (thumbnail_bytes) report(async () => {
    const address = URL.createObjectURL(await thumbnail(name));
    thumbnails.push(address);
    frame.append(make("img", { src: address, alt: "" }));
  });
  return frame;
}
