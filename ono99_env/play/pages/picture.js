// The picture of a table comes from the server as SVG: this puts it into the page.

export function showPicture(place, svg) {
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  place.replaceChildren(document.importNode(picture, true));
  return place.firstElementChild;
}

// Where a part of the picture lies, in percent of the picture.
export function placeOf(part, picture) {
  const box = part.getBBox();
  const whole = picture.viewBox.baseVal;
  return {
    left: `${(100 * box.x) / whole.width}%`,
    top: `${(100 * box.y) / whole.height}%`,
    width: `${(100 * box.width) / whole.width}%`,
    height: `${(100 * box.height) / whole.height}%`,
  };
}

export function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
