import type { InboundEvent, MessageEdited } from '../../contract/index.js';
import type { Bench } from '../bench.js';
import { became, must } from '../verdict.js';

const WAIT_MS = 2_000;
/** Far longer than the check takes, and far shorter than an error of units or time zones. */
const TOLERANCE_MS = 300_000;
const [FIRST, SECOND] = ['changed for the first time', 'changed for the second time'];

/**
 * Checks that an edit has the time of the change, and that the second of two edits is the later one by `at` and `sequence`.
 * Otherwise an edit that arrives late would replace a newer one.
 */
export async function editsAreOrdered(bench: Bench): Promise<void> {
  const { simulator, chat } = bench;
  if (simulator.edit === undefined) return;
  const id = await bench.post('to be changed twice');
  await bench.hears('to be changed twice');
  const editedTo = (text: string) =>
    bench.events().find((event): event is MessageEdited => isEditTo(event, text));
  for (const text of [FIRST, SECOND]) {
    await simulator.edit(chat, id, text);
    await became(() => editedTo(text) !== undefined, WAIT_MS);
  }
  const [message, first, second] = [saying(bench, id), editedTo(FIRST), editedTo(SECOND)];
  if (message === undefined || first === undefined || second === undefined) return;
  const sinceMs = Date.parse(first.at) - Date.parse(message.at);
  must(
    sinceMs >= 0 && sinceMs <= TOLERANCE_MS,
    `An edit of a message with the time ${message.at} has the time ${first.at}, which is not that of the change.`,
  );
  must(
    orderOf(second) > orderOf(first),
    `Two edits of a message have the times ${first.at} and ${second.at}, and no \`sequence\` that says which is later.`,
  );
}

const isEditTo = (event: InboundEvent, text: string): event is MessageEdited =>
  event.type === 'message_edited' && event.content.text === text;

const saying = (bench: Bench, id: string) =>
  bench.events().find((event) => event.type === 'message' && event.messageId === id) as
    | Extract<InboundEvent, { type: 'message' }>
    | undefined;

/** The position of a change as the bridge compares it: the time with all its digits, then the sequence. */
function orderOf({ at, sequence = 0 }: MessageEdited): string {
  const fraction = /\.(\d+)/.exec(at)?.[1] ?? '';
  const seconds = new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:mm:ss'.length);
  return `${seconds} ${fraction.padEnd(9, '0')} ${String(sequence).padStart(16, '0')}`;
}
