// The page of a seat: shows what the server says, and asks it to play what is chosen.
import { onLooksChange, theme } from "./looks.js";
import { element, placeOf, showPicture } from "./picture.js";
import { showAdvice, showReview } from "./advice.js";

const find = (id) => document.getElementById(id);
const base = location.pathname;
let socket;
let state;
let toldNews = 0;
let attempts = 0;
let countdown;

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${base}/live`);
  socket.addEventListener("open", () => {
    attempts = 0;
    send({ type: "look", theme: theme() });
    if (find("coach-bot").value) send({ type: "coach", bot: find("coach-bot").value });
  });
  socket.addEventListener("message", (event) => take(JSON.parse(event.data)));
  socket.addEventListener("close", (event) => {
    if (event.code === 4001 || event.code === 4002) return;
    attempts += 1;
    find("prompt").textContent = "The connection is lost; trying again ...";
    find("cards").replaceChildren();
    setTimeout(connect, Math.min(5000, 250 * 2 ** attempts));
  });
}

function take(message) {
  if (message.type === "state") show(message);
  else if (message.type === "refusal") refuse(message.text);
  else if (message.type === "advice" && message.version === state?.version) showAdvice(find("advice"), message);
  else if (message.type === "review") showReview(find("review"), message.choices);
  else if (message.type === "goodbye") {
    find("cards").replaceChildren();
    find("prompt").textContent = message.text;
  }
}

function refuse(text) {
  find("refusal").textContent = text;
  find("refusal").hidden = !text;
}

function show(next) {
  const isNew = next.version !== state?.version;
  state = next;
  if (isNew) { refuse(""); find("advice").replaceChildren(); }
  find("prompt").textContent = state.prompt;
  document.title = `${state.is_your_turn || state.draw ? "● " : ""}ONO 99: ${state.prompt}`;
  document.body.classList.toggle("mine", state.is_your_turn || Boolean(state.draw));
  const picture = showPicture(find("picture"), state.svg);
  showNews(picture);
  showCards(picture);
  showReasons();
  showDraw();
  find("coach").hidden = !state.has_coach || state.is_over;
  find("over").hidden = !state.is_over;
  if (state.is_over && isNew) showEnd();
}

function showNews(picture) {
  const first = toldNews;
  const total = state.first_news + state.news.length;
  for (let number = Math.max(first, state.first_news); number < total; number += 1) {
    const said = element("li", state.news[number - state.first_news]);
    if (first > 0 || number === total - 1) said.className = "fresh";
    find("news").prepend(said);
  }
  if (total > first && first > 0) picture.querySelector(".discard")?.classList.add("lands");
  toldNews = total;
}

function showCards(picture) {
  const place = find("cards");
  const held = document.activeElement?.dataset?.place;
  place.replaceChildren();
  const known = new Map(state.cards.map((card) => [card.action, card]));
  picture.querySelectorAll(`[data-seat="${state.seat}"] [data-card]`).forEach((drawn, index) => {
    const card = known.get(drawn.dataset.card);
    if (card && !state.is_over) place.append(cardButton(card, index, placeOf(drawn, picture)));
  });
  const discard = known.get("discard_four_ono99");
  find("discard").hidden = !discard?.is_legal;
  if (held !== undefined && state.is_your_turn) {
    const wanted = place.children[Math.min(Number(held), place.children.length - 1)];
    (wanted?.ariaDisabled === "true" ? place.querySelector('[aria-disabled="false"]') : wanted)?.focus();
  }
}

function cardButton(card, index, place) {
  const label = card.is_legal ? `Play ${card.name}` : `${card.name}: ${card.reason}`;
  const button = element("button", "", {
    type: "button", "aria-label": label, title: card.is_legal ? "" : card.reason,
    "aria-disabled": String(!card.is_legal), "data-card": card.action, "data-place": index,
  });
  Object.assign(button.style, place);
  button.addEventListener("click", () => choose(card));
  return button;
}

function choose(card) {
  if (card.is_legal) send({ type: "play", action: card.action, version: state.version });
  else refuse(`${card.name}: ${card.reason}`);
}

function showReasons() {
  const barred = state.is_your_turn ? state.cards.filter((card) => !card.is_legal) : [];
  find("reasons").replaceChildren(...barred.map((card) => element("li", `${card.name}: ${card.reason}`)));
}

function showDraw() {
  clearInterval(countdown);
  const button = find("draw");
  const wasHidden = button.hidden;
  button.hidden = !state.draw;
  if (!state.draw) return;
  const end = performance.now() + 1000 * state.draw.seconds;
  const tick = () => {
    const left = Math.max(0, end - performance.now()) / 1000;
    button.querySelector("i").style.width = `${(100 * left) / state.draw.of}%`;
  };
  tick();
  countdown = setInterval(tick, 100);
  if (wasHidden) button.focus();
}

function showEnd() {
  find("over").querySelector("h2").textContent = state.has_won ? "You win!" : `${state.outcome}.`;
  find("replay").href = `${base}/replay`;
  find("record").href = `${base}/record`;
  const host = sessionStorage.getItem("host");
  find("again").hidden = !host;
  if (host) find("again").href = host;
  find("over").querySelector("h2").focus({ preventScroll: true });
}

async function listCoaches() {
  const answer = await (await fetch(`${base}/bots`)).json();
  for (const bot of answer.bots ?? []) {
    find("coach-bot").append(element("option", bot.title, { value: bot.name, title: bot.description }));
  }
}

function takeKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input")) return;
  const card = find("cards").children[Number(event.key) - 1];
  if (card) { card.focus(); card.click(); }
  else if (event.key.toLowerCase() === "d" && !find("draw").hidden) find("draw").click();
  else if (event.key.toLowerCase() === "c" && !find("coach").hidden) find("coach-bot").focus();
}

find("draw").addEventListener("click", () => send({ type: "draw" }));
find("discard").addEventListener("click", () => {
  send({ type: "play", action: "discard_four_ono99", version: state.version });
});
find("coach-bot").addEventListener("change", (event) => {
  find("advice").replaceChildren();
  send({ type: "coach", bot: event.target.value });
});
find("ask-review").addEventListener("click", () => {
  find("review").textContent = "Playing your choices out ...";
  send({ type: "review" });
});
document.addEventListener("keydown", takeKey);
onLooksChange(() => send({ type: "look", theme: theme() }));
connect();
listCoaches();
