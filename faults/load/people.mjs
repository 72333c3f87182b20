import { sleep } from '../rig/waiting.mjs';

/** People who write on the platforms, in each chat one message after the other. */
export class People {
  /** Everything that was posted, in order. */
  posts = [];
  #places = new Map();

  /**
   * Posts `count` messages to the chats in turn, `perSecond` of them, and more while `lasts()` is true. A platform that hangs
   * delays only its own chats.
   */
  async run(chats, { count, perSecond, lasts = () => false }) {
    const startedAt = performance.now();
    const tails = new Map();
    for (let number = 0; number < count || lasts(); number += 1) {
      const dueMs = (number / perSecond) * 1000 - (performance.now() - startedAt);
      if (dueMs > 1) await sleep(dueMs);
      const chat = chats[number % chats.length];
      const before = tails.get(chat) ?? Promise.resolve();
      tails.set(
        chat,
        before.then(() => this.post(chat)),
      );
    }
    await Promise.all(tails.values());
  }

  async post(chat, words = 'What a person wrote.') {
    const place = this.#places.get(chat) ?? 0;
    this.#places.set(chat, place + 1);
    const token = `in.${chat.number}.${place}.`;
    const post = { chat, place, token, at: Date.now() };
    this.posts.push(post);
    await chat.platform.ask('post', { chatId: chat.chatId, sender: 'Ada', text: `${token} ${words}` });
  }
}
