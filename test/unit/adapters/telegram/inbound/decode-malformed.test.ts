import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../../../../adapters/telegram/inbound/decode.js';
import { envelopeOf } from '../../../../../adapters/telegram/ingress/envelope.js';
import type { JsonValue } from '../../../../../src/contract/index.js';
import { ada, BOT_ID, decoded, envelope, inGroup } from '../fixtures.js';

describe('decoding malformed or unknown updates', () => {
  it('names the unsupported kind', () => {
    expect(decoded({ message: inGroup({ pinned_message: inGroup({ text: 'x' }) }) })).toEqual([
      { type: 'unsupported', what: 'message.pinned_message' },
    ]);
    const callback_query = { id: '1', from: ada, chat_instance: '1', data: 'x' };
    const what = 'callback_query.without_message';
    expect(decoded({ callback_query })).toEqual([{ type: 'unsupported', what }]);
    expect(decode({ dedupeKey: '1', lane: 'account', payload: null })).toEqual([
      { type: 'unsupported', what: 'payload' },
    ]);
  });

  it('keeps a message whose optional fields are malformed', () => {
    const message = {
      ...inGroup({ text: 'Still here' }),
      entities: [7, { type: 'bold', offset: 0, length: 5 }],
    };
    expect(
      decode({ ...envelope({}), payload: { update_id: 1, message } as unknown as JsonValue }),
    ).toMatchObject([{ content: { text: 'Still here', spans: [{ mark: 'bold', start: 0, end: 5 }] } }]);
  });

  it('reports a date out of range as unsupported', () => {
    const message = { ...inGroup({ text: 'x' }), date: 9e15 };
    expect(decoded({ message })).toEqual([{ type: 'unsupported', what: 'message.malformed' }]);
  });

  it('never throws, whatever the fields contain', () => {
    const kinds = [
      'message',
      'edited_message',
      'channel_post',
      'my_chat_member',
      'chat_member',
      'message_reaction',
    ];
    const chat = fc.record({
      id: fc.oneof(fc.integer(), fc.string()),
      type: fc.constantFrom('private', 'group', 'x'),
    });
    const body = fc.record(
      {
        message_id: fc.oneof(fc.integer(), fc.double()),
        date: fc.oneof(fc.integer(), fc.double(), fc.constant(9e15)),
        edit_date: fc.jsonValue(),
        chat,
        from: fc.jsonValue(),
        text: fc.oneof(fc.string(), fc.jsonValue()),
        entities: fc.array(
          fc.record({
            type: fc.constantFrom('bold', 'pre', 'text_link'),
            offset: fc.integer(),
            length: fc.integer(),
          }),
        ),
        photo: fc.jsonValue(),
        rich_message: fc.jsonValue(),
        new_chat_members: fc.jsonValue(),
        old_reaction: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.oneof(body, fc.jsonValue()), (kind, value) => {
        const payload = JSON.parse(JSON.stringify({ update_id: 1, [kind]: value })) as JsonValue;
        expect(decode({ dedupeKey: '1', lane: 'account', payload }).length).toBeGreaterThan(0);
      }),
    );
  });

  it('decodes the same envelope twice to equal events', () => {
    const one = envelope({ message: inGroup({ text: 'Same' }) });
    expect(decode(one)).toEqual(decode(one));
  });
});

describe('the envelope of a Telegram update', () => {
  it('uses the update id as dedupe key and the chat as lane', () => {
    const update = { update_id: 7, message: inGroup({ text: 'x' }) };
    expect(envelopeOf(update, { id: BOT_ID, handle: undefined })).toEqual({
      dedupeKey: '7',
      lane: '-1001000000001',
      payload: update,
      context: { bot_id: BOT_ID },
    });
    const pressed = { update_id: 8, callback_query: { id: '1', from: ada, message: inGroup({}) } };
    expect(envelopeOf(pressed, { id: BOT_ID, handle: undefined })).toMatchObject({ lane: '-1001000000001' });
    expect(envelopeOf({ update_id: 9, poll: {} }, { id: BOT_ID, handle: undefined })).toMatchObject({
      lane: 'account',
    });
  });

  it('is undefined for a payload that is not an update', () => {
    for (const no of [undefined, null, 'x', [], {}, { update_id: 'x' }])
      expect(envelopeOf(no, { id: BOT_ID, handle: undefined })).toBeUndefined();
  });
});
