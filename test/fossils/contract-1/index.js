import {
  adapterModule,
  defineAdapter,
  formats,
  ops,
  PlatformError,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteUserId,
  secret,
  splitContent,
  waitMsIn,
} from 'trunkline';
import { z } from 'zod';

const capabilities = {
  text: { max: 100, unit: 'codepoint', formats: formats('dropped') },
  ops: ops('rejected', { reply: 'dropped', thread: 'dropped', typing: 'dropped', delete: 'native' }),
  media: {},
  edit: null,
  delete: { max_age_s: null, others: false },
  react: null,
};

const event = z.object({
  number: z.number().int(),
  kind: z.enum(['message', 'edit', 'deletion', 'reaction', 'unreaction']),
  id: z.string(),
  chat: z.string(),
  sender: z.string().optional(),
  moderator: z.boolean().optional(),
  text: z.string().optional(),
  at: z.iso.datetime(),
});

function decode({ payload }) {
  const parsed = event.safeParse(payload);
  if (!parsed.success) return [{ type: 'unsupported', what: 'event' }];
  const { kind, id, chat, sender, moderator, text = '', at } = parsed.data;
  const place = { chat: { id: remoteChatId(chat), kind: 'group', title: chat }, at };
  const by = sender === undefined ? {} : { sender: { id: remoteUserId(sender), displayName: sender } };
  const about = { ...place, ...by, messageId: remoteMessageId(id) };
  const right = moderator ? { authority: 'moderator' } : {};
  switch (kind) {
    case 'message':
      return [{ type: 'message', ...about, content: plainContent(text) }];
    case 'edit':
      return [{ type: 'message_edited', ...about, ...right, content: plainContent(text) }];
    case 'deletion':
      return [{ type: 'message_deleted', ...about, ...right }];
    default:
      return [{ type: 'reaction', ...about, emoji: text, change: kind === 'reaction' ? 'added' : 'removed' }];
  }
}

class FossilAdapter {
  #host;
  #token;
  #base;

  constructor({ credentials, settings }, host) {
    this.#host = host;
    this.#token = credentials.token;
    this.#base = settings.api_base_url.replace(/\/+$/, '');
  }

  async identify() {
    const { id, name } = await this.#call('GET', '/me');
    return { externalId: remoteUserId(id), name };
  }

  async start() {
    this.#host.health({ code: 'ok', message: 'Ready.' });
  }

  async handle(request) {
    if (request.headers.get('authorization') !== `Bearer ${this.#token}`)
      return new Response(null, { status: 401 });
    const payload = await request.json();
    const { number, chat } = event.parse(payload);
    await this.#host.receive({ dedupeKey: String(number), lane: chat, payload });
    return new Response(null, { status: 204 });
  }

  decode(envelope) {
    return decode(envelope);
  }

  capabilities() {
    return capabilities;
  }

  plan(operation, { text: { max, unit } }) {
    if (operation.type === 'delete') {
      const steps = operation.parts.map(({ index, kind, id }) => ({
        ...{ action: 'remove', index, kind, targetId: id, payload: {} },
      }));
      return { steps, degradations: [] };
    }
    if (operation.type !== 'send')
      throw new PlatformError(
        { kind: 'rejected', reason: 'unsupported' },
        { dispatched: 'no', message: `Fossil has no ${operation.type}.` },
      );
    const steps = splitContent(operation.content, max, unit).map(({ text }, index) => ({
      ...{ action: 'create', index, kind: 'text', payload: { text } },
    }));
    return { steps, degradations: [] };
  }

  async execute({ action, targetId, payload }, { to, key, signal }) {
    if (action === 'remove') {
      await this.#call('DELETE', `/messages/${encodeURIComponent(targetId)}`, undefined, signal);
      return { remoteId: targetId };
    }
    const { id } = await this.#call(
      'POST',
      '/messages',
      { chat: to.chatId, text: payload.text, key },
      signal,
    );
    return { remoteId: remoteMessageId(id) };
  }

  async stop() {
    this.#host.log.info('fossil.stopped');
  }

  async #call(method, path, body, signal) {
    const answer = await this.#host.fetch(`${this.#base}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.ok) return answer.status === 204 ? undefined : answer.json();
    if (answer.status === 429)
      throw new PlatformError(
        {
          ...{ kind: 'rate_limited', scope: 'account' },
          retryAfterMs: waitMsIn(answer.headers.get('retry-after')),
        },
        { dispatched: 'no', message: 'The platform asks to wait.' },
      );
    if (answer.status === 401)
      throw new PlatformError(
        { kind: 'unauthorized' },
        { dispatched: 'no', message: 'The token was refused.' },
      );
    throw new PlatformError(
      { kind: 'unavailable', cause: 'platform_down' },
      { dispatched: 'unknown', message: `The platform answered ${answer.status}.` },
    );
  }
}

export const definition = defineAdapter({
  contractVersion: 1,
  platform: 'fossil',
  displayName: 'Fossil',
  version: '1.0.0',
  ingress: ['webhook'],
  defaultApiBaseUrl: 'https://fossil.example',
  credentials: z.object({ token: secret(z.string().min(8)) }),
  settings: z.object({}),
  lookup: false,
  capabilities,
  rate: { per_second: 10, per_chat_per_second: null },
  create: async (config, host) => new FossilAdapter(config, host),
});

export default adapterModule(definition);
