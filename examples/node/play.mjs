// Answer views with actions: node play.mjs BOT.onnx ENCODING.json < views.jsonl
//
// Each line of the input is the plain view of a seat, each line of the output the bot's choice.
// With --vectors the output also has the observation vectors, as hexadecimal float32 numbers.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { Bot } from "./bot.mjs";
import { encode } from "./encode.mjs";

const [model, encodingFile, option] = process.argv.slice(2);
const encoding = JSON.parse(readFileSync(encodingFile, "utf8"));
const bot = await Bot.load(model, encoding);

for await (const line of createInterface({ input: process.stdin })) {
  const view = JSON.parse(line);
  const answer = await bot.choose(view);
  if (option === "--vectors") answer.vector = Buffer.from(encode(encoding, view).buffer).toString("hex");
  console.log(JSON.stringify(answer));
}
