// What the coach says, and the review after the game.
import { element } from "./picture.js";

const NAMES = {
  ono99: "ONO 99", reverse: "Reverse", minus_ten: "Minus Ten", play_two: "Play Two", hold: "Hold",
  discard_four_ono99: "Discard four ONO 99",
};
const name = (action) => NAMES[action] ?? action;
const percent = (share) => `${Math.round(100 * share)}%`;

export function showAdvice(place, advice) {
  const says = element("p");
  says.append(`${advice.bot} would play `, element("b", name(advice.action)), ".");
  const source = advice.is_own_estimate ? "by its own estimate" : "by playouts";
  const chance = element("p", `Chance to win ${percent(advice.win_chance)}, ${source}.`);
  const table = element("table");
  const head = element("tr");
  for (const title of ["Card", "It plays", "Then wins"]) head.append(element("th", title, { scope: "col" }));
  table.append(head);
  for (const option of advice.options) {
    const row = element("tr");
    const share = element("td");
    const bar = element("meter", "", { min: 0, max: 1, value: option.probability, "aria-hidden": "true" });
    share.append(bar, ` ${percent(option.probability)}`);
    row.append(element("th", name(option.action), { scope: "row" }), share, element("td", percent(option.win_chance)));
    table.append(row);
  }
  place.replaceChildren(says, chance, table);
}

export function showReview(place, choices) {
  if (!choices.length) {
    place.replaceChildren(element("p", "You never had a choice: only one card could be played each time."));
    return;
  }
  const marked = choices.filter((choice) => choice.is_marked);
  const lost = marked.length
    ? `Your ${marked.length === 1 ? "costliest choice is" : `${marked.length} costliest choices are`} marked.`
    : "No choice was clearly worse than another: well played.";
  const list = element("ol", "", { class: "choices" });
  for (const choice of choices) list.append(choiceRow(choice));
  place.replaceChildren(element("p", lost), list);
}

function choiceRow(choice) {
  const row = element("li", "", choice.is_marked ? { class: "costly" } : {});
  const hand = choice.hand.map(name).join(", ");
  row.append(element("b", `Total ${choice.total}: you played ${name(choice.action)}`));
  const verdict = choice.best === choice.action
    ? `As good as any: ${percent(choice.win_chance)} to win.`
    : `${name(choice.best)} would win ${percent(choice.best_chance)}, this ${percent(choice.win_chance)}.`;
  row.append(element("span", verdict), element("small", `Hand: ${hand}`));
  if (choice.is_marked) row.prepend(element("em", `costs ${percent(choice.best_chance - choice.win_chance)}`));
  return row;
}
