import { describe, expect, it } from 'vitest';
import { abilitiesOf, type LinkCapabilities } from './abilities';
import type { Message } from './message-pages';

const now = Date.parse('2026-01-01T00:10:00.000Z');

/** A platform with these capabilities. The other capabilities do not matter here. */
const link = (platform: string, capabilities: object): LinkCapabilities =>
  ({
    link_id: platform,
    platform,
    capabilities: {
      ops: { edit: 'native', delete: 'native', react: 'native' },
      edit: { max_age_s: null },
      delete: { max_age_s: null },
      react: { allowed: null },
      ...capabilities,
    },
  }) as unknown as LinkCapabilities;
const telegram = link('telegram', { delete: { max_age_s: 60 }, react: { allowed: ['👍', '❤'] } });
const sms = link('sms', {
  ops: { edit: 'dropped', delete: 'dropped', react: 'dropped' },
  edit: null,
  delete: null,
  react: null,
});
const message = (statuses: Record<string, string>, more: object = {}): Message =>
  ({
    origin: null,
    created_at: '2026-01-01T00:00:00.000Z',
    deliveries: Object.entries(statuses).map(([link_id, status]) => ({ link_id, status })),
    ...more,
  }) as unknown as Message;

describe('What can be done with a message', () => {
  it('is what at least one platform with a copy does, and names the others', () => {
    const { edit, react } = abilitiesOf(message({ telegram: 'sent', sms: 'sent' }), [telegram, sms], now);
    expect(edit).toEqual({ isOffered: true, notOn: ['sms'] });
    expect(react).toMatchObject({ isOffered: true, notOn: ['sms'] });
    expect(react.accepts('❤️')).toBe(true);
    expect(react.accepts('🙏')).toBe(false);
  });

  it('is nothing where no platform with a copy follows', () => {
    const { edit, remove, react } = abilitiesOf(message({ sms: 'sent' }), [telegram, sms], now);
    expect([edit.isOffered, remove.isOffered, react.isOffered]).toEqual([false, false, false]);
  });

  it('ends with the age that a platform allows', () => {
    expect(abilitiesOf(message({ telegram: 'sent' }), [telegram], now).remove.isOffered).toBe(false);
    const young = message({ telegram: 'sent' }, { created_at: '2026-01-01T00:09:30.000Z' });
    expect(abilitiesOf(young, [telegram], now).remove.isOffered).toBe(true);
  });

  it('is everything for a message without copies, such as a note or a failed one', () => {
    for (const statuses of [{}, { sms: 'failed' }] as Record<string, string>[]) {
      const { edit, remove, react } = abilitiesOf(message(statuses), [sms], now);
      expect([edit, remove]).toEqual([
        { isOffered: true, notOn: [] },
        { isOffered: true, notOn: [] },
      ]);
      expect(react.accepts('🙏')).toBe(true);
    }
  });
});
