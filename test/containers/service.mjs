import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { until } from '../../examples/check/processes.mjs';

/** Requests to a service. `ca` is the authority of its certificate. */
export class Service {
  #url;
  #key;
  #connect;
  #agent;

  constructor(url, key, ca) {
    this.#url = url;
    this.#key = key;
    this.#connect = () => new Agent({ connect: { ca } });
    this.#agent = this.#connect();
  }

  fetch(path, { headers, ...options } = {}) {
    return fetch(`${this.#url}${path}`, {
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json', ...headers },
      dispatcher: this.#agent,
      ...options,
    });
  }

  /** Ends all requests and streams. */
  async close() {
    await this.#agent.destroy();
    this.#agent = this.#connect();
  }

  /** A request that must succeed. Resolves with the body of its answer. */
  async call(method, path, body, headers = {}) {
    const answer = await this.fetch(`/v1/openapi${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
    return JSON.parse(text);
  }

  untilReady(limitMs = 60_000) {
    const isReady = () =>
      this.fetch('/readyz').then(
        ({ status }) => status === 200,
        () => false,
      );
    return until('the service is ready', isReady, limitMs);
  }

  /** Opens a conversation in the sandbox, and waits until its first message is delivered. Resolves with the conversation. */
  async talk(address) {
    const recipient = { platform: 'sandbox', address };
    const conversation = await this.call('POST', '/conversations', { recipient, message: { text: 'Hello' } });
    await this.untilDelivered(conversation.last_message.id);
    return conversation;
  }

  untilDelivered(id) {
    const isDelivered = async () =>
      ['delivered', 'read'].includes((await this.call('GET', `/messages/${id}`)).status);
    return until(`message ${id} is delivered`, isDelivered, 60_000);
  }

  /** Sends a message, and repeats the request with the same key until it is answered with 201. */
  async sendSurely(conversation, text) {
    const headers = { 'idempotency-key': randomUUID() };
    const send = () =>
      this.call('POST', '/messages', { conversation_id: conversation.id, text }, headers).catch(() =>
        sleep(200),
      );
    return until(`"${text}" is accepted`, send, 120_000);
  }

  texts(conversation) {
    return this.call('GET', `/messages?conversation_id=${conversation.id}&limit=100`).then(({ data }) =>
      data.map(({ text }) => text),
    );
  }
}
