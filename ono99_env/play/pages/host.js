// The page of the host: choose rules and seats, deal, hand out links.
import "./looks.js";
import { element } from "./picture.js";

const form = document.getElementById("setup");
const seats = document.getElementById("seats");
const players = document.getElementById("players");
const MOST_PLAYERS = { 2022: 6, 1980: 8 };
const WORDS = {
  single_round: "one round", chips: "chips: three lives", points_last_standing: "points: last one standing",
  points_lowest: "points: lowest wins", never: "never", total_ends_in_zero: "when the total ends in 0",
  total_is_zero: "when the total is 0", as_play: "counts as the play", then_play: "then a card is still played",
  off: "not allowed", face_up: "are shown", face_down: "stay hidden", last_to_play: "who played last",
  last_remaining: "who is left", rotate: "goes round", loser_starts: "who lost starts",
};
const LABELS = {
  ono99_play: "ONO 99 cards may be played (R11)", four_ono99_discard: "Discarding four ONO 99 (R12)",
  eliminated_hands: "Hands of players who are out (R6)", stuck_round_winner: "If nobody can play, the winner is (R13)",
  next_dealer: "The next deal (R15)", highest_total: "Highest total (R4)", hand_size: "Cards in hand (R2)",
  chips: "Chips (R16)", target_points: "Points that end a match (R19)",
};
const NUMBERS = { highest_total: [10, 999], hand_size: [1, 7], chips: [0, 99], target_points: [1, 10000] };
let choices;

function edition() {
  return form.elements.edition.value;
}

function bestBot() {
  const named = choices.bots.map((bot) => bot.name);
  return named.includes(edition()) ? edition() : named[0];
}

function fillRules() {
  const preset = choices.presets[edition()];
  const rules = document.getElementById("rules");
  rules.replaceChildren();
  for (const [field, values] of Object.entries(choices.rules)) {
    const select = field === "format" ? form.elements.format : element("select", "", { name: field });
    select.replaceChildren(...values.map((value) => element("option", WORDS[value], { value })));
    select.value = preset[field];
    if (field !== "format") rules.append(labelled(LABELS[field], select));
  }
  for (const [field, [least, most]] of Object.entries(NUMBERS)) {
    const input = element("input", "", { name: field, type: "number", min: least, max: most });
    input.value = preset[field];
    rules.append(labelled(LABELS[field], input));
  }
}

function labelled(text, control) {
  const label = element("label", `${text} `);
  label.append(control);
  return label;
}

function fillPlayers() {
  const before = Number(players.value) || 4;
  const counts = [];
  for (let count = 2; count <= MOST_PLAYERS[edition()]; count += 1) counts.push(count);
  players.replaceChildren(...counts.map((count) => element("option", String(count), { value: count })));
  players.value = Math.min(before, MOST_PLAYERS[edition()]);
}

function fillSeats() {
  const kept = [...seats.querySelectorAll("li")].map((row) => ({
    holder: row.querySelector("select").value, name: row.querySelector("input").value,
    isPreset: row.dataset.preset === row.querySelector("select").value,
  }));
  seats.replaceChildren();
  for (let seat = 0; seat < Number(players.value); seat += 1) seats.append(seatRow(seat, kept[seat]));
}

function seatRow(seat, kept) {
  const row = element("li");
  const holder = element("select", "", { "aria-label": `Who plays seat ${seat + 1}` });
  holder.append(element("option", "a person", { value: "" }));
  const group = element("optgroup", "", { label: "a bot" });
  for (const bot of choices.bots) {
    group.append(element("option", `${bot.title}: ${bot.description}`.slice(0, 70), { value: bot.name }));
  }
  holder.append(group);
  const preset = seat === 0 ? "" : bestBot();
  holder.value = kept && !kept.isPreset ? kept.holder : preset;
  row.dataset.preset = preset;
  const name = element("input", "", {
    "aria-label": `Name of seat ${seat + 1}`, maxlength: choices.longest_name, autocomplete: "off",
  });
  name.value = kept ? kept.name : "";
  const hint = () => { name.placeholder = holder.value ? "name of the bot" : `name of player ${seat + 1}`; };
  holder.addEventListener("change", hint);
  hint();
  row.append(holder, name);
  return row;
}

function setup() {
  const preset = choices.presets[edition()];
  const house = {};
  for (const field of Object.keys(choices.rules)) {
    if (form.elements[field].value !== preset[field]) house[field] = form.elements[field].value;
  }
  for (const field of Object.keys(NUMBERS)) {
    const value = form.elements[field].valueAsNumber;
    if (Number.isFinite(value) && value !== preset[field]) house[field] = value;
  }
  const rows = [...seats.querySelectorAll("li")];
  const seed = form.elements.seed.value;
  return {
    edition: edition(),
    house_rules: house,
    seats: rows.map((row) => ({
      bot: row.querySelector("select").value || null, name: row.querySelector("input").value,
    })),
    draw_seconds: form.elements.draw_seconds.value ? Number(form.elements.draw_seconds.value) : null,
    bot_seconds: Number(form.elements.bot_seconds.value),
    coach: form.elements.coach.value === "yes",
    ...(seed && { seed: Number(seed) }),
  };
}

async function deal(event) {
  event.preventDefault();
  const refusal = document.getElementById("refusal");
  refusal.hidden = true;
  const answer = await post(`${location.pathname}/tables`, setup());
  if (answer.refusal) {
    refusal.textContent = answer.refusal;
    refusal.hidden = false;
    return;
  }
  sessionStorage.setItem("host", location.pathname);
  if (answer.seats.length === 1) location.assign(answer.seats[0].link);
  else showLinks(answer);
}

async function post(path, data) {
  try {
    const answer = await fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data),
    });
    return await answer.json();
  } catch {
    return { refusal: "The server does not answer. Is 'ono99 play' still running?" };
  }
}

function showLinks(answer) {
  const section = document.getElementById("links");
  const list = section.querySelector("ul");
  list.replaceChildren();
  if (!answer.seats.length) {
    list.append(element("li", "Only bots sit at this table: watch bots with the command 'ono99 watch'."));
  }
  for (const seat of answer.seats) list.append(linkRow(answer.table, seat));
  section.hidden = false;
  section.scrollIntoView();
}

function linkRow(table, seat) {
  const row = element("li");
  const address = element("input", "", { readonly: "", "aria-label": `Link of ${seat.name}` });
  address.value = new URL(seat.link, location.href);
  const open = element("a", "Open", { href: seat.link, class: "button" });
  const copy = element("button", "Copy", { type: "button" });
  copy.addEventListener("click", async () => {
    address.select();
    await navigator.clipboard?.writeText(address.value);
    copy.textContent = "Copied";
  });
  const renew = element("button", "New link", { type: "button", class: "quiet" });
  renew.addEventListener("click", async () => {
    const path = `${location.pathname}/tables/${table}/seats/${seat.seat}/link`;
    const fresh = await post(path, {});
    if (!fresh.link) return;
    address.value = new URL(fresh.link, location.href);
    open.href = fresh.link;
    copy.textContent = "Copy";
  });
  row.append(element("b", seat.name), address, copy, open, renew);
  return row;
}

choices = await (await fetch(`${location.pathname}/choices`)).json();
fillPlayers();
fillRules();
fillSeats();
players.addEventListener("change", fillSeats);
for (const each of form.elements.edition) {
  each.addEventListener("change", () => { fillPlayers(); fillRules(); fillSeats(); });
}
form.addEventListener("submit", deal);
form.dataset.ready = "yes";
