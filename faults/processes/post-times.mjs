import { WebSocket } from 'ws';
import { tokenOf } from '../ledger/tokens.mjs';

/**
 * When the platform first sent each post, and when the service first accepted it. A later post may precede an earlier one only if
 * it was sent before the earlier one was accepted.
 */
export class PostTimes {
  #posts = new Map();
  /** Tokens by the envelope id of socket messages. */
  #envelopes = new Map();
  #sockets = new WeakSet();

  constructor() {
    const times = this;
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text, ...rest) {
      times.#sent(this, text);
      return send.call(this, text, ...rest);
    };
  }

  /** Records the first sending of a body in any format. Returns its token. */
  begin(body) {
    const token = tokenOf(String(body));
    if (token !== undefined && !this.#posts.has(token)) this.#posts.set(token, { from: Date.now() });
    return token;
  }

  taken(token) {
    const post = this.#posts.get(token);
    if (post !== undefined) post.to ??= Date.now();
  }

  all() {
    return [...this.#posts].map(([token, { from, to = null }]) => ({ token, from, to }));
  }

  #sent(socket, text) {
    if (typeof text !== 'string' || !text.includes('envelope_id')) return;
    const token = this.begin(text);
    if (token === undefined) return;
    this.#envelopes.set(JSON.parse(text).envelope_id, token);
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.on('message', (answer) => {
      const { envelope_id: id } = JSON.parse(answer.toString());
      if (id !== undefined) this.taken(this.#envelopes.get(id));
    });
  }
}
