import { describe, expect, it } from 'vitest';
import { apiKeyScopes } from '../../../../src/core/access/scopes.js';
import { eventCatalogue, eventReadScopes } from '../../../../src/core/webhooks/catalogue.js';
import { matches, validateEvents } from '../../../../src/core/webhooks/subscription.js';

const all = new Set<string>(apiKeyScopes);
const names = eventCatalogue.map((event) => event.name);
const reached = (events: string[], held: ReadonlySet<string> = all) =>
  names.filter((name) => matches(validateEvents(events, held), name));

describe('a subscription', () => {
  it('to * reaches all events except those that must be named, and never the test event', () => {
    const missing = names.filter((name) => !reached(['*']).includes(name));
    expect(missing).toEqual([
      'delivery.updated',
      'reaction.added',
      'reaction.removed',
      'typing.started',
      'typing.stopped',
      'webhook.test',
    ]);
  });

  it('to a prefix reaches all events of the prefix, including those that must be named', () => {
    expect(reached(['delivery.*'])).toEqual(['delivery.failed', 'delivery.uncertain', 'delivery.updated']);
    expect(reached(['typing.*'])).toEqual(['typing.started', 'typing.stopped']);
    expect(reached(['user.*'])).toHaveLength(8);
    expect(reached(['webhook.*'])).toEqual(['webhook.disabled']);
    expect(reached(['service.*'])).toEqual(['service.backlog_grown', 'service.backup_failed']);
  });

  it('to a category reaches its events only', () => {
    expect(reached(['user_status'])).toEqual(['user.status_changed', 'user.presence_changed']);
    expect(reached(['messages'])).toContain('delivery.failed');
    expect(reached(['messages'])).not.toContain('delivery.updated');
    expect(reached(['locations'])).toEqual([
      'location.updated',
      'tracking.started',
      'tracking.stopped',
      'tracking.expired',
    ]);
  });

  it('to an exact name reaches it', () => {
    for (const name of names.filter((each) => each !== 'webhook.test'))
      expect(reached([name])).toEqual([name]);
  });

  it('never reaches an event that this version does not know', () => {
    expect(matches(validateEvents(['*', 'message.*'], all), 'message.invented')).toBe(false);
  });
});

describe('validateEvents', () => {
  it('names the scopes needed, in the order of the catalogue, and drops duplicates', () => {
    expect(validateEvents(['calls', 'message.sent', 'calls'], all)).toEqual({
      events: ['calls', 'message.sent'],
      scopes: ['messages:read', 'calls:read'],
    });
    expect(validateEvents(['webhook.disabled'], all).scopes).toEqual([]);
  });

  it('limits * to the events that the caller may read', () => {
    const held = new Set(['calls:read', 'messages:write']);
    expect(validateEvents(['*'], held).scopes).toEqual(['calls:read']);
    expect(reached(['*'], held)).toEqual([
      ...names.filter((name) => name.startsWith('call.')),
      'webhook.disabled',
    ]);
  });

  it('refuses events that the caller may not read before it refuses unknown names', () => {
    const held = new Set(['calls:read']);
    for (const entry of ['message.sent', 'message.*', 'messages']) {
      expect(() => validateEvents([entry, 'nope'], held)).toThrow(
        expect.objectContaining({
          code: 'access_denied',
          details: { required: ['messages:read'], provided: ['calls:read'] },
        }),
      );
    }
    expect(() => validateEvents(['*'], new Set(['messages:write']))).toThrow(
      expect.objectContaining({ details: { required: [...eventReadScopes], provided: ['messages:write'] } }),
    );
  });

  it.each(['nope', 'message', 'message.', 'message.nope', 'mess*', '*.created', 'Messages', '', '**'])(
    'refuses the unknown name %j',
    (entry) => {
      expect(() => validateEvents(['calls', entry], all)).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          details: { fields: [expect.objectContaining({ field: 'events.1', code: 'invalid_value' })] },
        }),
      );
    },
  );
});
