import { describe, expect, it } from 'vitest';
import { FORUM } from '../../../adapters/telegram/simulator/state.js';
import {
  type Operation,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';
import { perform, refusal, useTelegram } from './telegram-bench.js';

const telegram = useTelegram();
const closed = '999';
const to = { chatId: remoteChatId(FORUM), threadId: remoteThreadId(closed) };
const answer: Operation = {
  type: 'send',
  to,
  content: plainContent('Still there?'),
  replyToId: remoteMessageId(1),
};

/** A forum whose topic does not accept messages. */
class ClosedTopic extends RecordingHost {
  override async fetch(...request: Parameters<RecordingHost['fetch']>): Promise<Response> {
    const isInTopic = String(request[1]?.body ?? '').includes(`"message_thread_id":${closed}`);
    if (!isInTopic) return super.fetch(...request);
    const body = { ok: false, error_code: 400, description: 'Bad Request: TOPIC_CLOSED' };
    return Response.json(body, { status: 400 });
  }
}

describe('a message to a topic that does not accept it', () => {
  it('fails if the link is to this topic', async () => {
    const adapter = await telegram().connect();
    expect(await refusal(perform(adapter, answer))).toMatchObject({
      problem: { kind: 'rejected', reason: 'recipient_gone' },
    });
    expect(telegram().visible(String(FORUM))).toEqual([]);
  });

  it.each([
    ['that was deleted', new RecordingHost()],
    ['that is closed', new ClosedTopic()],
  ])('is written into the chat if the link is to the whole chat: %s', async (_, host) => {
    const adapter = await telegram().connect('poll', host);
    const receipts = await perform(adapter, { ...answer, to: { ...to, mayLeaveThread: true } });
    expect(receipts).toMatchObject([{ threadId: null, degradations: ['thread', 'reply'] }]);
    expect(telegram().visible(String(FORUM))).toMatchObject([
      { text: 'Still there?', id: receipts[0]?.remoteId },
    ]);
    const [last] = telegram().simulator.ledger.entries('sendMessage').slice(-1);
    expect(last?.request).not.toHaveProperty('message_thread_id');
    expect(last?.request).not.toHaveProperty('reply_parameters');
  });

  it('shows no typing in the chat instead', async () => {
    const adapter = await telegram().connect();
    const typing = { type: 'typing', to: { ...to, mayLeaveThread: true }, state: 'started' } as const;
    expect(await refusal(perform(adapter, typing))).toMatchObject({ dispatched: 'no' });
    expect(telegram().simulator.ledger.entries('sendChatAction')).toHaveLength(1);
  });
});
