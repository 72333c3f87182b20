import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeOf } from '../../../../adapters/discord/ingress/dispatch.js';
import { nonceOf } from '../../../../adapters/discord/outbound/nonce.js';
import { snowflakeAt, snowflakeTime } from '../../../../adapters/discord/snowflake.js';

const session = {
  sessionId: 's1',
  resumeUrl: '',
  sequence: 1,
  tokenHash: '',
  userId: '7',
  applicationId: '6',
  at: '',
};
const dispatch = (t: string, s: number, d: object) =>
  ({ op: 0, t, s, d }) as unknown as GatewayDispatchPayload;
const keyOf = (t: string, s: number, d: object) => envelopeOf(dispatch(t, s, d), session, 'now')?.dedupeKey;

describe('the nonce', () => {
  it('is pinned, so that an upgrade repeats no message', () => {
    expect(nonceOf('00000000000000000000000000000000')).toBe('0000000000000000000000');
    expect(nonceOf('ffffffffffffffffffffffffffffffff')).toBe('7n42DGM5Tflk9n8mt7Fhc7');
  });

  it('has 22 characters and is different for different keys', () => {
    const key = fc.stringMatching(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(key, key, (one, other) => {
        expect(nonceOf(one)).toMatch(/^[0-9A-Za-z]{22}$/);
        expect(nonceOf(one) === nonceOf(other)).toBe(one === other);
      }),
    );
  });
});

describe('the dedupe key', () => {
  it('of a message is its id, regardless of its position in the session', () => {
    const message = { id: '5', channel_id: '9' };
    expect(keyOf('MESSAGE_CREATE', 2, message)).toBe('MESSAGE_CREATE:5');
    expect(keyOf('MESSAGE_CREATE', 3, message)).toBe('MESSAGE_CREATE:5');
  });

  it('is different for each edit of a message', () => {
    const edit = (edited_timestamp: string | null) =>
      keyOf('MESSAGE_UPDATE', 4, { id: '5', channel_id: '9', edited_timestamp });
    expect(new Set([edit('a'), edit('b'), edit(null)]).size).toBe(3);
  });

  it('of a reaction is its position in the session, because a reaction can be added and removed repeatedly', () => {
    const reaction = { user_id: '1', channel_id: '9', message_id: '5', emoji: { id: null, name: '👍' } };
    expect(keyOf('MESSAGE_REACTION_ADD', 7, reaction)).toBe('MESSAGE_REACTION_ADD:s1:7');
    expect(keyOf('MESSAGE_REACTION_ADD', 9, reaction)).toBe('MESSAGE_REACTION_ADD:s1:9');
  });

  it('is missing for events that are not used, and the lane of a message is its channel', () => {
    expect(keyOf('PRESENCE_UPDATE', 8, {})).toBeUndefined();
    expect(
      envelopeOf(dispatch('MESSAGE_CREATE', 2, { id: '5', channel_id: '9' }), session, 'now')?.lane,
    ).toBe('9');
  });
});

describe('snowflakes', () => {
  it('carry their time to the millisecond', () => {
    expect(snowflakeTime('175928847299117063')).toBe(1_462_015_105_796);
    expect(snowflakeTime(snowflakeAt(1_767_225_600_123))).toBe(1_767_225_600_123);
  });
});
