// Light or dark, and whether things move: kept in this browser.

const LISTENERS = [];

function systemTheme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function theme() {
  return localStorage.getItem("theme") || systemTheme();
}

export function isMoving() {
  const kept = localStorage.getItem("motion");
  return kept ? kept === "on" : !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function apply() {
  document.documentElement.dataset.theme = theme();
  document.documentElement.dataset.motion = isMoving() ? "on" : "off";
  const themeButton = document.getElementById("theme");
  if (themeButton) themeButton.textContent = theme() === "dark" ? "Light" : "Dark";
  const motion = document.getElementById("motion");
  if (motion) motion.textContent = isMoving() ? "Stop motion" : "Allow motion";
  for (const listener of LISTENERS) listener();
}

export function onLooksChange(listener) {
  LISTENERS.push(listener);
}

document.getElementById("theme")?.addEventListener("click", () => {
  localStorage.setItem("theme", theme() === "dark" ? "light" : "dark");
  apply();
});
document.getElementById("motion")?.addEventListener("click", () => {
  localStorage.setItem("motion", isMoving() ? "off" : "on");
  apply();
});
apply();
