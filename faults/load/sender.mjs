import { sleep } from '../rig/waiting.mjs';

const AGAIN_MS = 100;
/** Time limit with a service that refuses requests or does not respond to them. */
const GIVE_UP_MS = 120_000;
/** Time limit with a service that is down. On a shared machine, a process that is killed during its start may need minutes. */
const AWAY_MS = 600_000;

/** The token of a message: its conversation and its place there. */
function outgoing(chat, place) {
  return `out.${chat.number}.${place}.`;
}

/**
 * Clients that send through the API. Each request has an Idempotency-Key and is retried until it is accepted. Each conversation
 * gets one message after the other.
 */
export class Sender {
  /** Every message, with the result of its requests. */
  sends = [];
  /** Number of responses other than 201, by status. */
  answers = {};
  /** The longest response time. */
  longestMs = 0;
  #places = new Map();

  constructor(rig, { urls, giveUpMs = GIVE_UP_MS, awayMs = AWAY_MS } = {}) {
    this.rig = rig;
    this.urls = urls;
    this.giveUpMs = giveUpMs;
    this.awayMs = awayMs;
  }

  /** Sends `count` messages to the conversations in turn, `perSecond` of them, and more while `lasts()` is true. */
  async run(
    chats,
    { count, perSecond, lasts = () => false, text = (token) => `${token} What the client said.`, ...more },
  ) {
    const startedAt = performance.now();
    const tails = new Map();
    for (let number = 0; number < count || lasts(); number += 1) {
      const dueMs = (number / perSecond) * 1000 - (performance.now() - startedAt);
      if (dueMs > 1) await sleep(dueMs);
      const chat = chats[number % chats.length];
      const before = tails.get(chat) ?? Promise.resolve();
      tails.set(
        chat,
        before.then(() => this.send(chat, text, more)),
      );
    }
    await Promise.all(tails.values());
  }

  async send(chat, text = (token) => token, { contentType = 'text' } = {}) {
    const place = this.#places.get(chat) ?? 0;
    this.#places.set(chat, place + 1);
    const token = outgoing(chat, place);
    const send = { chat, place, token, ids: new Set(), startedAt: Date.now(), ackedAt: undefined, tries: 0 };
    this.sends.push(send);
    const body = { conversation_id: chat.conversationId, text: text(token), content_type: contentType };
    const headers = { 'idempotency-key': `${this.rig.seed}-${token}` };
    // This clock stops while the machine is suspended.
    const began = performance.now();
    let waitedMs = 0;
    while (waitedMs < this.giveUpMs && performance.now() - began < this.awayMs) {
      send.tries += 1;
      const url = this.urls?.[send.tries % this.urls.length]();
      const askedAt = performance.now();
      const answer = await this.rig.api.once('POST', '/v1/openapi/messages', { body, headers, url });
      const tookMs = performance.now() - askedAt;
      this.longestMs = Math.max(this.longestMs, tookMs);
      if (answer.status === 201) {
        if (answer.body?.id !== undefined) send.ids.add(answer.body.id);
        send.ackedAt = Date.now();
        return;
      }
      this.answers[answer.status] = (this.answers[answer.status] ?? 0) + 1;
      send.refusal = refusalOf(answer);
      await sleep(AGAIN_MS);
      if (!isAway(answer)) waitedMs += tookMs + AGAIN_MS;
    }
  }

  /** Repeats every request that took several tries. The same key must return the same message. */
  async repeat() {
    for (const send of this.sends.filter(({ tries }) => tries > 1)) {
      const body = {
        conversation_id: send.chat.conversationId,
        text: `${send.token} What the client said.`,
        content_type: 'text',
      };
      const headers = { 'idempotency-key': `${this.rig.seed}-${send.token}` };
      const answer = await this.rig.api.once('POST', '/v1/openapi/messages', { body, headers });
      if (answer.status === 201 && answer.body?.id !== undefined) send.ids.add(answer.body.id);
    }
  }
}

/** Whether the service was down or died during the request. A service that hangs is not down. */
function isAway({ status, reason }) {
  return status === 0 && reason !== 'TimeoutError';
}

function refusalOf({ status, body, reason }) {
  return `${status} ${reason ?? body?.details?.reason ?? body?.message ?? ''}`.trim();
}
