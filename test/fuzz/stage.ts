import { ids } from '../../src/http/openapi/examples/ids.js';

type Json = Record<string, unknown>;

/** The replacements for the ids of the examples in one workspace. */
export type Records = ReadonlyMap<string, string>;

/** Sends requests that must succeed. */
export class Caller {
  constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async call<T = Json>(method: string, path: string, body?: Json | FormData): Promise<T> {
    const form = body instanceof FormData;
    const answer = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body && !form && { 'content-type': 'application/json' }) },
      ...(body && { body: form ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  create(path: string, body: Json): Promise<Json> {
    return this.call('POST', path, body);
  }

  async list(path: string): Promise<Json[]> {
    const { data } = await this.call<{ data: Json[] }>('GET', path);
    return data;
  }
}

/** Creates one record of each kind, so that the ids in requests exist. */
export async function makeRecords(
  api: Caller,
  isTest: boolean,
  elsewhere: string,
  turn: number,
): Promise<Records> {
  const platform = isTest ? 'sandbox' : 'telegram';
  const connection = isTest ? await sandboxConnection(api) : await telegramConnection(api, elsewhere, turn);
  const contact = await api.create('/openapi/users', {
    display_name: 'Somebody',
    identities: [{ platform, external_id: `sent+${turn}` }],
  });
  const duplicate = await api.create('/openapi/users', { display_name: 'Somebody else' });
  const conversation = await api.create('/openapi/conversations', {
    type: 'group',
    participant_ids: [contact.id],
    links: [{ connection_id: connection, external_id: `sent+group${turn}` }],
  });
  const message = await api.create('/openapi/messages', { conversation_id: conversation.id, text: 'Hello' });
  const webhook = await api.create('/api/webhooks', {
    url: `${elsewhere}/hook`,
    events: ['messages', 'calls'],
  });
  const tried = await api.call('POST', `/api/webhooks/${webhook.id}/test`);
  const form = new FormData();
  form.set('file', new Blob(['The bytes of the file']), 'plan.txt');
  const made: Record<string, unknown> = {
    [ids.owner]: (await api.call('GET', '/openapi/users/me')).id,
    [ids.contact]: contact.id,
    [ids.duplicate]: duplicate.id,
    [ids.conversation]: conversation.id,
    [ids.message]: message.id,
    [ids.link]: (conversation.links as Json[])[0]?.id,
    [ids.delivery]: (message.deliveries as Json[])[0]?.id,
    [ids.connection]: connection,
    [ids.webhook]: webhook.id,
    [ids.webhookDelivery]: tried.id,
    [ids.attachment]: (await api.call('POST', '/openapi/attachments', form)).id,
    [ids.call]: (await api.create('/openapi/calls', { conversation_id: conversation.id })).id,
    [ids.segment]: (await api.create('/openapi/segments', { name: 'Some', user_ids: [contact.id] })).id,
    [ids.template]: (await api.create('/openapi/templates', { name: 'A text', text: 'Hello {{name}}' })).id,
    [ids.session]: (await api.create('/openapi/locations/tracking', { user_id: contact.id })).id,
    [ids.broadcast]: (
      await api.create('/openapi/broadcasts', { draft: true, text: 'Hello', recipient_ids: [contact.id] })
    ).id,
  };
  return new Map(Object.entries(made).map(([example, id]) => [example, String(id)]));
}

async function sandboxConnection(api: Caller): Promise<unknown> {
  const { connections } = await api.call('GET', '/openapi/platforms/sandbox');
  return (connections as Json[])[0]?.id;
}

async function telegramConnection(api: Caller, elsewhere: string, turn: number): Promise<unknown> {
  const made = await api.create('/openapi/platforms/telegram/connections', {
    name: 'A bot',
    credentials: { bot_token: `${1_000 + turn}:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA` },
    settings: { api_base_url: elsewhere },
  });
  return made.id;
}

/** Removes records that would cause work for each later request. */
export async function clearAway(api: Caller, isTest: boolean): Promise<void> {
  for (const { id } of await api.list('/api/webhooks?limit=100'))
    await api.call('DELETE', `/api/webhooks/${id}`);
  for (const { id } of await api.list('/openapi/locations/tracking?limit=100')) {
    await api.call('POST', `/openapi/locations/tracking/${id}/stop`);
  }
  if (isTest) return;
  for (const { id } of await api.list('/openapi/platforms/connections?limit=100')) {
    await api.call('DELETE', `/openapi/platforms/connections/${id}`);
  }
}

/** Replaces the ids and addresses of examples by real ones. */
export function translated(text: string, records: Records, elsewhere: string): string {
  let result = text;
  if (result.includes('019b76da-a800-7000-8000-')) {
    for (const [example, id] of records) result = result.replaceAll(example, id);
  }
  return result.includes('.')
    ? result.replaceAll('https://shop.example', elsewhere).replaceAll('https://api.telegram.org', elsewhere)
    : result;
}

/** The same in bytes. An id consists of its characters in any encoding. */
export function translatedBytes(bytes: Buffer, records: Records, elsewhere: string): Buffer {
  return Buffer.from(translated(bytes.toString('latin1'), records, elsewhere), 'latin1');
}
