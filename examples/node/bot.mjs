// A bot of ono99-env in Node: a bot file, and the encoding of the rules that it plays.

import ort from "onnxruntime-node";

import { actionMask, encode } from "./encode.mjs";

export class Bot {
  constructor(session, encoding) {
    this.session = session;
    this.encoding = encoding;
  }

  /** Open a bot file (a path or its bytes) with an encoding as `describe_encoding` returns it. */
  static async load(model, encoding) {
    const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1 });
    return new Bot(session, encoding);
  }

  /** Return the name of the best legal action, and the expected return, of a view. */
  async choose(view) {
    const vector = encode(this.encoding, view);
    const mask = actionMask(this.encoding, view);
    if (!mask.includes(1)) throw new Error(`seat ${view.seat} is not to act: no action is legal`);
    const { logits, value } = await this.session.run({
      observation: new ort.Tensor("float32", vector, [1, vector.length]),
      action_mask: new ort.Tensor("bool", mask, [1, mask.length]),
    });
    let best = mask.indexOf(1);
    for (let action = best; action < mask.length; action++) {
      if (mask[action] && logits.data[action] > logits.data[best]) best = action;
    }
    return { action: this.encoding.actions[best], value: value.data[0] };
  }
}
