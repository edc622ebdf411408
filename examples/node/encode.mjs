// Compute the observation vector from the plain view of a seat, by the formulas of an encoding.
//
// An encoding is what `ono99_env.observation.encoding.describe_encoding` returns, as JSON. The
// docstring of that module defines the formulas.

/** Return the observation vector of a view, a Float32Array. */
export function encode(encoding, view) {
  const vector = new Float32Array(encoding.observation_size);
  const slots = seatsBySlot(view);
  for (const feature of encoding.features) {
    const seats = feature.per_slot ? slots : [view.seat];
    let place = feature.start;
    for (const seat of seats) {
      for (const entry of feature.entries) vector[place++] = evaluate(entry.formula, view, seat);
    }
  }
  return vector;
}

/** Return the mask of a view, a Uint8Array with 1 for each legal action. */
export function actionMask(encoding, view) {
  return Uint8Array.from(encoding.actions, (action) => Number(view.legal_actions.includes(action)));
}

/** The observer first, then the others in playing order: those in the round, then those out. */
function seatsBySlot(view) {
  const players = view.eliminated.length;
  const others = [];
  for (let far = 1; far < players; far++) {
    others.push((view.seat + view.direction * far + players * far) % players);
  }
  const isOut = (seat) => view.eliminated[seat];
  return [view.seat, ...others.filter((seat) => !isOut(seat)), ...others.filter(isOut)];
}

const OPERATORS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => Math.fround(Math.fround(a) * Math.fround(b)),
  "/": (a, b) => Math.fround(a / b),
  min: Math.min,
  max: Math.max,
  "=": (a, b) => Number(a === b),
  in: (a, b) => Number(b.includes(a)),
  count: (a, b) => a.filter((value) => Number(value) === b).length,
  sum: (a) => Object.values(a).reduce((sum, value) => sum + value, 0),
};

function evaluate(formula, view, seat) {
  if (!Array.isArray(formula)) return formula;
  const [operator, ...operands] = formula;
  if (operator === "view") return follow(view, operands, seat);
  if (operator === "seat") return seat;
  if (operator === "lookup") {
    const key = evaluate(operands[0], view, seat);
    return (typeof key === "string" && operands[1][key]) || 0;
  }
  return OPERATORS[operator](...operands.map((operand) => evaluate(operand, view, seat)));
}

/** Return what a path leads to: 0 if there is nothing, 1 and 0 for true and false. */
function follow(view, path, seat) {
  let place = view;
  for (const step of path) {
    place = place[step === "*" ? seat : step];
    if (place === undefined) return 0;
  }
  return typeof place === "boolean" ? Number(place) : place;
}
