// Thumbnails for the saves: small landscapes, drawn on a canvas.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The colors of the sky at the top and at the horizon, of the sun, and of the hills. */
const SCENES = [
  { sky: ["#3b4a6b", "#c98a6b"], sun: ["#ffd9a0", 230, 92, 16], hills: ["#5a5570", "#403f5c", "#29293f"] },
  { sky: ["#0b1330", "#2c3f6e"], sun: ["#e8ecf7", 70, 38, 12], hills: ["#22305a", "#182347", "#0e1630"] },
  { sky: ["#7fb2e0", "#dcebf5"], sun: ["#fff6d8", 250, 40, 18], hills: ["#9db7c9", "#6f9a86", "#3f6b55"] },
  { sky: ["#5b2c4f", "#e0705a"], sun: ["#ffe08a", 190, 82, 18], hills: ["#7d3b55", "#562a48", "#331a33"] },
];

/** Writes `1.png` to `4.png` into a folder. */
export async function writePictures(browser, folder) {
  const page = await browser.newPage();
  for (const [index, scene] of SCENES.entries()) {
    const address = await page.evaluate(draw, { ...scene, seed: index });
    writeFileSync(join(folder, `${index + 1}.png`), Buffer.from(address.split(",")[1], "base64"));
  }
  await page.close();
}

/** Runs in the browser. */
function draw({ sky, sun, hills, seed }) {
  const [width, height] = [320, 180];
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const brush = canvas.getContext("2d");
  const air = brush.createLinearGradient(0, 0, 0, height * 0.75);
  air.addColorStop(0, sky[0]);
  air.addColorStop(1, sky[1]);
  brush.fillStyle = air;
  brush.fillRect(0, 0, width, height);
  const [color, x, y, radius] = sun;
  brush.fillStyle = color;
  brush.beginPath();
  brush.arc(x, y, radius, 0, 2 * Math.PI);
  brush.fill();
  for (const [layer, shade] of hills.entries()) {
    brush.fillStyle = shade;
    brush.beginPath();
    brush.moveTo(0, height);
    for (let at = 0; at <= width; at += 2) {
      const phase = at / (62 - 12 * layer) + seed * 2.1 + layer * 1.7;
      brush.lineTo(at, 100 + layer * 26 - 16 * Math.sin(phase) - 7 * Math.sin(2.3 * phase));
    }
    brush.lineTo(width, height);
    brush.fill();
  }
  // The lighthouse.
  brush.fillStyle = "#f3efe6";
  brush.beginPath();
  [[46, 150], [50, 92], [62, 92], [66, 150]].forEach((point) => brush.lineTo(...point));
  brush.fill();
  brush.fillStyle = "#b5443c";
  [[48, 104, 16, 10], [47, 126, 18, 10], [49, 82, 14, 10]].forEach((box) => brush.fillRect(...box));
  brush.fillStyle = "#ffe9a6";
  brush.fillRect(52, 84, 8, 7);
  // The cliff on which it is.
  brush.fillStyle = hills.at(-1);
  brush.beginPath();
  [[0, 180], [0, 140], [38, 144], [78, 147], [112, 164], [128, 180]].forEach((point) => brush.lineTo(...point));
  brush.fill();
  return canvas.toDataURL("image/png");
}
