// The layout of a map of sizes: rectangles whose areas are the sizes, as square as possible.

/** Returns the boxes, largest first, with `x`, `y`, `width` and `height`. */
function squarify(boxes, width, height) {
  const sorted = boxes.filter((box) => box.size > 0).sort((a, b) => b.size - a.size);
  const total = sorted.reduce((sum, box) => sum + box.size, 0);
  const scale = (width * height) / total;
  const free = { x: 0, y: 0, width, height };
  const placed = [];
  for (let start = 0; start < sorted.length;) {
    const side = Math.min(free.width, free.height);
    let end = start + 1;
    let area = sorted[start].size * scale;
    while (end < sorted.length) {
      const next = area + sorted[end].size * scale;
      if (worst(sorted, start, end + 1, next, side, scale) > worst(sorted, start, end, area, side, scale)) break;
      area = next;
      end++;
    }
    placed.push(...stack(sorted.slice(start, end), area, scale, free));
    start = end;
  }
  return placed;
}

/** The worst ratio of sides in a stack of the boxes from `start` to `end`. */
function worst(boxes, start, end, area, side, scale) {
  const largest = boxes[start].size * scale;
  const smallest = boxes[end - 1].size * scale;
  return Math.max((side * side * largest) / (area * area), (area * area) / (side * side * smallest));
}

/** Places boxes along the shorter side of the free rectangle, and takes their area from it. */
function stack(boxes, area, scale, free) {
  const across = free.width >= free.height;
  const side = across ? free.height : free.width;
  const thickness = area / side;
  let offset = 0;
  const placed = boxes.map((box) => {
    const length = (box.size * scale) / thickness;
    const place = across
      ? { x: free.x, y: free.y + offset, width: thickness, height: length }
      : { x: free.x + offset, y: free.y, width: length, height: thickness };
    offset += length;
    return { ...box, ...place };
  });
  if (across) {
    free.x += thickness;
    free.width -= thickness;
  } else {
    free.y += thickness;
    free.height -= thickness;
  }
  return placed;
}
