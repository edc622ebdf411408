// A game that is only looked at: step, play, pause, at any speed.
import { onLooksChange, theme } from "./looks.js";
import { element, showPicture } from "./picture.js";

const find = (id) => document.getElementById(id);
const base = location.pathname;
const showing = await (await fetch(`${base}/moments`)).json();
const last = showing.moments.length - 1;
let place = 0;
let timer;
let asked = 0;

async function show(next) {
  const before = place;
  place = Math.max(0, Math.min(last, next));
  find("place").value = place;
  find("where").textContent = `Move ${place} of ${last}`;
  find("told").textContent = showing.moments[place].told;
  find("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const row = find("moves").children[place];
  row.firstElementChild.setAttribute("aria-current", "step");
  find("moves").scrollTop = row.offsetTop - find("moves").clientHeight / 2;
  if (place === last) pause();
  const mine = (asked += 1);
  const svg = await (await fetch(`${base}/${place}.svg?theme=${theme()}`)).text();
  if (mine !== asked) return;
  const picture = showPicture(find("picture"), svg);
  if (place === before + 1) picture.querySelector(".discard")?.classList.add("lands");
}

function pause() {
  clearInterval(timer);
  timer = undefined;
  find("pause").textContent = "Play";
}

function play() {
  if (place === last) show(0);
  clearInterval(timer);
  timer = setInterval(() => show(place + 1), Number(find("speed").value));
  find("pause").textContent = "Pause";
}

const step = (next) => { pause(); show(next); };
const actions = {
  first: () => step(0), back: () => step(place - 1), forward: () => step(place + 1), last: () => step(last),
  pause: () => (timer ? pause() : play()),
};
for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", action);
find("speed").addEventListener("change", () => timer && play());
find("place").addEventListener("input", (event) => step(Number(event.target.value)));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("select, input") || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "pause" }[event.key];
  if (!key || (event.key === " " && event.target.matches("button"))) return;
  event.preventDefault();
  actions[key]();
});
onLooksChange(() => show(place));

find("title").textContent = showing.title;
document.title = `ONO 99: ${showing.title}`;
find("place").max = last;
showing.moments.forEach((moment, number) => {
  const row = element("li");
  const button = element("button", moment.told, { type: "button" });
  button.addEventListener("click", () => step(number));
  row.append(button);
  find("moves").append(row);
});
await show(0);
if (showing.plays_itself) play();
