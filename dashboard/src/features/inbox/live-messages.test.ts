import { describe, expect, it } from 'vitest';
import { type Delivery, type MessagePages, withDelivery, withMessage } from './live-messages';
import type { Message } from './message-pages';

const message = (id: string, second: number, more: Partial<Message> = {}) =>
  ({
    id,
    created_at: `2026-01-01T00:00:0${second}.000Z`,
    updated_at: '2026-01-01T00:00:00.000Z',
    deliveries: [],
    ...more,
  }) as unknown as Message;
const pagesOf = (...data: Message[]): MessagePages => ({
  pages: [{ data, older: null, newer: null }],
  pageParams: [''],
});
const idsOf = ({ pages }: MessagePages) => pages.flatMap(({ data }) => data.map(({ id }) => id));

describe('The messages of a conversation', () => {
  it('keep their order when events of two messages cross', () => {
    const pages = withMessage(withMessage(pagesOf(message('a', 1)), message('c', 3)), message('b', 2));
    expect(idsOf(pages)).toEqual(['c', 'b', 'a']);
  });

  it('take each message once', () => {
    expect(idsOf(withMessage(pagesOf(message('a', 1)), message('a', 1)))).toEqual(['a']);
  });

  it('keep what is newer than an event', () => {
    const newer = message('a', 1, { text: 'edited', updated_at: '2026-01-01T00:00:09.000Z' });
    const pages = withMessage(pagesOf(newer), message('a', 1, { text: 'old' }));
    expect(pages.pages[0]?.data[0]?.text).toBe('edited');
  });

  it('leave out a step of a message that lies before the loaded ones', () => {
    expect(idsOf(withMessage(pagesOf(message('b', 5)), message('a', 1)))).toEqual(['b']);
  });

  it('leave out a new message while there are newer ones to load', () => {
    const pages = { pages: [{ data: [message('a', 1)], older: null, newer: 'cursor' }], pageParams: [''] };
    expect(idsOf(withMessage(pages, message('b', 5)))).toEqual(['a']);
  });

  const delivery = (status: string, second = 0) =>
    ({ id: 'd', message_id: 'a', status, updated_at: `2026-01-01T00:00:0${second}.000Z` }) as Delivery;

  it('keep the end of a delivery when the response arrives that created the message', () => {
    const response = message('a', 1, { deliveries: [delivery('queued', 1)] });
    const ended = withDelivery(pagesOf(response), delivery('uncertain', 2));
    const shown = withDelivery(withMessage(ended, response), delivery('queued', 1));
    expect(shown.pages[0]?.data[0]?.deliveries).toEqual([delivery('uncertain', 2)]);
  });

  it('show the state of a delivery, one per platform chat', () => {
    const pages = withDelivery(withDelivery(pagesOf(message('a', 1)), delivery('queued')), delivery('sent'));
    expect(pages.pages[0]?.data[0]?.deliveries).toEqual([delivery('sent')]);
  });
});
