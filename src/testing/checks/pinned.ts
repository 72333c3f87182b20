import { type Adapter, type InboundEvent, PlatformError } from '../../contract/index.js';
import type { PinnedEnvelope } from '../kit.js';
import { written } from '../reference-host.js';
import type { Check, Stage } from '../stage.js';
import { must } from '../verdict.js';
import { plainMarks } from './documents.js';

export const pinned: Check = {
  number: 4,
  title: 'Ids survive a round trip; pinned envelopes are read as the kit says',
  async run(stage) {
    const adapter = await stage.bare();
    must(stage.kit.pinned.length > 0, 'The kit pins no ids.');
    for (const pin of stage.kit.pinned) {
      const events = adapter.decode(pin.envelope);
      readsIds(events, pin);
      must(
        pin.reads === undefined || events.some((event) => has(event, pin.reads)),
        `The pinned envelope ${pin.envelope.dedupeKey} decodes to ${written(events)}, not to ${written(pin.reads)}.`,
      );
    }
    namesUnread(stage, adapter);
    if (stage.hasPlatformFor('ids that are sent back')) await livingIds(stage);
    return undefined;
  },
};

function readsIds(events: readonly InboundEvent[], { chatId, messageId, userId }: PinnedEnvelope): void {
  const found = events.map((event) => ({
    chatId: 'chat' in event ? String(event.chat.id) : undefined,
    messageId: 'messageId' in event ? String(event.messageId) : undefined,
    userId: 'sender' in event && event.sender !== undefined ? String(event.sender.id) : undefined,
  }));
  const same = found.some(
    (ids) =>
      ids.chatId === chatId &&
      (messageId === undefined || ids.messageId === messageId) &&
      (userId === undefined || ids.userId === userId),
  );
  must(same, `The pinned ids ${written({ chatId, messageId, userId })} became ${written(found)}.`);
}

/** Whether the value contains the wanted one, compared deeply. Lists must have the same length. */
function has(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(value) || value.length !== wanted.length)) return false;
  return Object.entries(wanted).every(([key, each]) => has(Reflect.get(value, key), each));
}

/** Records claims about incoming messages that no pinned envelope proves. */
function namesUnread(stage: Stage, adapter: Adapter): void {
  const capabilities = adapter.capabilities();
  const { ops } = capabilities;
  const read = stage.kit.pinned.map((pin) => pin.reads ?? {});
  const unread = (claimed: boolean, what: string, isRead: (fields: object) => boolean) => {
    if (claimed && !read.some(isRead)) stage.unproved(what, 'no pinned envelope says how it is read');
  };
  const reads = (field: string) => (fields: object) => JSON.stringify(fields).includes(`"${field}":`);
  unread(plainMarks(capabilities).length > 0, 'formatting of people', reads('spans'));
  unread(adapter.openMedia !== undefined, 'types of attachments', reads('attachments'));
  unread(ops.thread === 'native', 'threads of people', reads('threadId'));
  unread(ops.delivered === 'native', 'statuses of receipts', reads('status'));
}

async function livingIds(stage: Stage): Promise<void> {
  const bench = await stage.open();
  await bench.start();
  await bench.post('round trip');
  await bench.hears('round trip');
  const event = bench.events().find((each) => each.type === 'message' && each.echo !== true);
  must(event?.type === 'message', 'The arrived message has no event.');
  // Ids come back from the database and over the network as text.
  const { chat, messageId } = JSON.parse(JSON.stringify(event)) as typeof event;
  const capabilities = bench.adapter.capabilities(chat.id);
  const reply = capabilities.ops.reply === 'native' ? { replyToId: messageId } : {};
  const [receipt] = await bench.perform({
    ...bench.operation('there and back'),
    to: { chatId: chat.id },
    ...reply,
  });
  const shown = (await bench.own()).find(({ text }) => text.includes('there and back'));
  must(
    shown !== undefined,
    'A message to the chat of the event does not reach the chat that the event came from.',
  );
  must(receipt?.remoteId !== undefined, 'The receipt of a create has no remote id.');
  if (capabilities.ops.reply === 'native')
    must(
      shown.replyToId !== undefined,
      'A reply to the message of the event is not a reply on the platform.',
    );
  const unknown = receipt instanceof PlatformError;
  must(!unknown, 'The receipt is an error.');
}
