import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors';
import type { Message } from './message-pages';
import { countUnsent, Outbox, type OutboxOptions, type OutgoingMessage } from './outbox';

class MemoryStorage {
  readonly #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  key = (index: number) => [...this.#items.keys()][index] ?? null;
  getItem = (key: string) => this.#items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.#items.set(key, value);
  removeItem = (key: string) => void this.#items.delete(key);
}

const outgoing = (key: string, conversationId = 'c'): OutgoingMessage => ({
  key,
  conversationId,
  text: key,
  uploadIds: [],
  writtenAt: `2026-01-01T00:00:00.000Z#${key}`,
});

describe('The outbox', () => {
  let storage: MemoryStorage;
  /** A fake service that stores one message per key, as the API does within a session. */
  let accepted: string[];
  let sent: string[];
  let answers: (() => void)[];

  beforeEach(() => {
    storage = new MemoryStorage();
    accepted = [];
    sent = [];
    answers = [];
  });

  const outbox = (more: Partial<OutboxOptions> = {}) =>
    new Outbox({
      storage,
      session: 's1',
      userId: 'u',
      send: async ({ key }) => {
        if (!accepted.includes(key)) accepted.push(key);
        answers.shift()?.();
        return { id: key } as Message;
      },
      find: async ({ key }) => (accepted.includes(key) ? ({ id: key } as Message) : undefined),
      sent: ({ id }) => sent.push(id),
      wait: async () => undefined,
      ...more,
    });
  const fail = (status: number) => () => {
    throw new ApiError(status);
  };

  it('ignores damaged messages of an earlier page and sends the others', async () => {
    const box = outbox({ wait: () => new Promise(() => undefined) });
    answers = [fail(0)];
    void box.add(outgoing('a'));
    for (const [index, text] of ['{', 'null', '{}', ''].entries()) storage.setItem(`outbox.u.${index}`, text);
    const next = outbox();
    expect(next.messages.map(({ key }) => key)).toEqual(['a']);
    await next.resume();
    expect(accepted).toEqual(['a']);
  });

  it('sends once when the answer to the first try is lost', async () => {
    answers = [fail(0), fail(502)];
    const box = outbox();
    await box.add(outgoing('a'));
    expect([accepted, sent, box.messages, storage.length]).toEqual([['a'], ['a'], [], 0]);
  });

  it('keeps the order of a conversation', async () => {
    answers = [fail(503), fail(503)];
    const box = outbox();
    await Promise.all([box.add(outgoing('a')), box.add(outgoing('b'))]);
    expect(sent).toEqual(['a', 'b']);
  });

  it('keeps what the service refuses, until a person tries again or discards it', async () => {
    answers = [fail(404)];
    const box = outbox();
    await box.add(outgoing('a'));
    expect(box.messages).toMatchObject([{ key: 'a', problem: { status: 404 } }]);
    await box.retry(box.messages[0] as OutgoingMessage);
    expect([sent, box.messages]).toEqual([['a'], []]);
  });

  it('goes on after a reload with the same key', async () => {
    const left = outbox({ send: () => new Promise(() => undefined) });
    void left.add(outgoing('a'));
    const next = outbox();
    expect(next.messages).toMatchObject([{ key: 'a', triedBy: 's1' }]);
    await next.resume();
    expect([sent, next.messages]).toEqual([['a'], []]);
  });

  it('counts what waits in the browser, of all people', () => {
    storage.setItem('theme', 'dark');
    void outbox({ send: () => new Promise(() => undefined) }).add(outgoing('a'));
    void outbox({ send: () => new Promise(() => undefined), userId: 'v' }).add(outgoing('b'));
    expect(countUnsent(storage)).toBe(2);
  });

  it('looks for the message before another session sends it', async () => {
    accepted = ['a'];
    void outbox({ send: () => new Promise(() => undefined) }).add(outgoing('a'));
    let tries = 0;
    const next = outbox({
      session: 's2',
      send: async () => {
        tries += 1;
        return {} as Message;
      },
    });
    await next.resume();
    expect([tries, sent]).toEqual([0, ['a']]);
  });

  it('sends at once what was refused because its time had passed', async () => {
    const refused: OutgoingMessage[] = [];
    const box = outbox({
      send: async (message) => {
        if (message.sendAt === undefined) return { id: message.key } as Message;
        refused.push(message);
        throw new ApiError(400);
      },
    });
    await box.add({ ...outgoing('a'), sendAt: '2026-01-01T00:00:00.000Z' });
    const [problem] = box.messages;
    expect(problem).toMatchObject({ key: 'a', problem: { status: 400 } });
    await box.retry(problem as OutgoingMessage);
    expect(sent).toEqual(['a.now']);
    expect(refused).toHaveLength(1);
    expect(box.messages).toEqual([]);
  });
});
