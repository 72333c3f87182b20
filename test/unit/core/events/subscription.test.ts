import { describe, expect, it } from 'vitest';
import { streamedEvents } from '../../../../src/core/events/subscription.js';
import { eventCatalogue } from '../../../../src/core/webhooks/catalogue.js';
import { callerWith } from '../../../support/http.js';

const reader = callerWith(['messages:read', 'conversations:read']);

describe('the events of a stream', () => {
  it('are all events that the caller may read for *, except events that must be named', () => {
    const names = streamedEvents('*', reader);
    expect(names).toEqual(
      eventCatalogue
        .filter(
          ({ scope, onRequest, name }) =>
            !onRequest && name !== 'webhook.test' && (scope === null || reader.scopes.has(scope)),
        )
        .map(({ name }) => name),
    );
    expect(names).not.toContain('delivery.updated');
    expect(names).toContain('webhook.disabled');
  });

  it('are empty for a category that the caller may not read, and for events that need their own prefix', () => {
    expect(streamedEvents('calls,broadcasts', reader)).toEqual([]);
    expect(streamedEvents('typing.*', reader)).toEqual(['typing.started', 'typing.stopped']);
    expect(streamedEvents('reaction.added,reaction.added', reader)).toEqual(['reaction.added']);
  });

  it('by name or prefix need the scope', () => {
    for (const list of ['call.ended', 'call.*', '*,call.ended']) {
      expect(() => streamedEvents(list, reader)).toThrow('Missing scope calls:read.');
    }
  });

  it('need the scopes of both credentials if there are two', () => {
    const both = { ...reader, oauthScopes: new Set(['calls.read'] as const), onlyOwnConversations: true };
    expect(streamedEvents('messages,calls', both)).toEqual([]);
    expect(() => streamedEvents('message.created', both)).toThrow('Missing scope messages.read.');
    expect(() => streamedEvents('call.ended', both)).toThrow('Missing scope calls:read.');
  });

  it.each(['nope', '', 'messages,', 'message.', '**', 'Messages'])('%j is refused', (list) => {
    expect(() => streamedEvents(list, reader)).toThrow('events: Expected names');
  });
});
