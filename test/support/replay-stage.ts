import { ids } from '../../src/http/openapi/examples/ids.js';
import { type ApiClient, eventually, type Json } from './api-client.js';

type Make = (stage: ReplayStage) => Promise<unknown>;

/**
 * Creates the records of the examples of one operation, each when its id is first requested, so that an example finds what it
 * describes.
 */
export class ReplayStage {
  readonly #made = new Map<string, Promise<unknown>>();

  /**
   * @param elsewhere a server of the test that replaces every other one
   * @param own the records that this operation needs in place of the usual ones
   */
  constructor(
    readonly api: ApiClient,
    readonly elsewhere: string,
    private readonly own: Readonly<Record<string, Make>> = {},
  ) {}

  /** The id of the record that replaces an id of the examples. */
  id(example: string): Promise<unknown> {
    const made = this.#made.get(example) ?? this.#make(example);
    this.#made.set(example, made);
    return made;
  }

  /** The text of an example with existing ids, servers and times. */
  async translate(text: string): Promise<string> {
    let result = text
      .replaceAll('https://shop.example', this.elsewhere)
      .replaceAll('https://api.telegram.org', this.elsewhere);
    for (const example of Object.values(ids)) {
      if (result.includes(example)) result = result.replaceAll(example, String(await this.id(example)));
    }
    return result;
  }

  create(path: string, body: Json = {}): Promise<Json> {
    return this.api.must(201, 'POST', path, body);
  }

  act(path: string, body: Json = {}): Promise<Json> {
    return this.api.must(200, 'POST', path, body);
  }

  #make(example: string): Promise<unknown> {
    const make = this.own[example] ?? usual[example];
    if (make === undefined) throw new Error(`Nothing stands for ${example}.`);
    return make(this);
  }
}

/** A counter that makes addresses unique. */
let counter = 0;
const next = () => {
  counter += 1;
  return counter;
};

const idOf = async (record: Promise<Json>) => (await record).id;

/** A message to a scripted address of the sandbox, once it has the wanted status. */
async function sandboxMessage({ api }: ReplayStage, address: string, status: string) {
  const opened = await api.must(201, 'POST', '/openapi/conversations', {
    recipient: { platform: 'sandbox', address: `${address}+${next()}` },
    message: { text: 'Hello' },
  });
  const { id } = opened.last_message as Json;
  return eventually(
    () => api.must(200, 'GET', `/openapi/messages/${id}`),
    (message) => message.status === status,
  );
}

const deliveryTo = (address: string, status: string): Make => {
  return async (stage) => ((await sandboxMessage(stage, address, status)).deliveries as Json[])[0]?.id;
};

const contact: Make = (stage) =>
  idOf(
    stage.create('/openapi/users', {
      display_name: 'Somebody',
      identities: [{ platform: 'sandbox', external_id: `sent+${next()}` }],
    }),
  );

const draft: Make = async (stage) =>
  idOf(stage.create('/openapi/broadcasts', { ...(await toContact(stage)), draft: true }));
const toContact = async (stage: ReplayStage) => ({
  text: 'Hello',
  audience: { user_ids: [await stage.id(ids.contact)] },
});

/** A broadcast in a state that it reaches without a request. */
const broadcastThat = (status: string, ...addresses: string[]): Make => {
  return async ({ api }) => {
    const recipients = addresses.map((address) => ({
      platform: 'sandbox',
      address: `${address}+${next()}`,
    }));
    const body = { text: 'Hello', audience: { recipients }, throttle: { per_minute: 1 } };
    const { id } = await api.must(201, 'POST', '/openapi/broadcasts', body);
    await eventually(
      () => api.must(200, 'GET', `/openapi/broadcasts/${id}`),
      (one) => one.status === status,
    );
    return id;
  };
};

const connectionOfSandbox: Make = async ({ api }) => {
  const { connections } = await api.must(200, 'GET', '/openapi/platforms/sandbox');
  return (connections as Json[])[0]?.id;
};

/** The records that replace the ids of the examples. */
const usual: Readonly<Record<string, Make>> = {
  [ids.contact]: contact,
  [ids.duplicate]: contact,
  [ids.conversation]: async (stage) =>
    idOf(
      stage.create('/openapi/conversations', {
        type: 'group',
        participant_ids: [await stage.id(ids.contact)],
      }),
    ),
  [ids.message]: async (stage) =>
    idOf(
      stage.create('/openapi/messages', {
        conversation_id: await stage.id(ids.conversation),
        text: 'Hello',
      }),
    ),
  [ids.delivery]: deliveryTo('sent', 'sent'),
  [ids.link]: async (stage) =>
    idOf(
      stage.create(`/openapi/conversations/${await stage.id(ids.conversation)}/links`, {
        connection_id: await stage.id(ids.connection),
        external_id: `sent+${next()}`,
      }),
    ),
  [ids.call]: async (stage) =>
    idOf(stage.create('/openapi/calls', { conversation_id: await stage.id(ids.conversation) })),
  [ids.broadcast]: draft,
  [ids.segment]: async (stage) =>
    idOf(stage.create('/openapi/segments', { name: 'Some', user_ids: [await stage.id(ids.contact)] })),
  [ids.template]: (stage) => idOf(stage.create('/openapi/templates', { name: 'A text', text: 'Hello' })),
  [ids.session]: async (stage) =>
    idOf(stage.create('/openapi/locations/tracking', { user_id: await stage.id(ids.contact) })),
  [ids.connection]: connectionOfSandbox,
  [ids.webhook]: (stage) =>
    idOf(stage.create('/api/webhooks', { url: `${stage.elsewhere}/hook`, events: ['messages'] })),
  [ids.webhookDelivery]: async (stage) =>
    idOf(stage.act(`/api/webhooks/${await stage.id(ids.webhook)}/test`)),
};

const connectionOfTelegram: Make = (stage) =>
  idOf(
    stage.create('/openapi/platforms/telegram/connections', {
      name: 'A bot',
      credentials: { bot_token: `70000000${10 + next()}:EXAMPLE-TOKEN-OF-THE-BOT` },
      settings: { api_base_url: stage.elsewhere },
    }),
  );

/** The records that single operations need in place of the usual ones. */
export const special: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  'POST /openapi/messages/{id}/retry': {
    [ids.message]: async (stage) => (await sandboxMessage(stage, 'fail', 'failed')).id,
  },
  'DELETE /openapi/messages/{id}/reactions/{emoji}': {
    [ids.message]: async (stage) => {
      const id = await usual[ids.message]?.(stage);
      await stage.api.must(200, 'PUT', `/openapi/messages/${id}/reactions/${encodeURIComponent('👍')}`);
      return id;
    },
  },
  'POST /openapi/deliveries/{id}/retry': { [ids.delivery]: deliveryTo('fail', 'failed') },
  'POST /openapi/deliveries/{id}/resolve': { [ids.delivery]: deliveryTo('unknown', 'uncertain') },
  'POST /openapi/conversations/{id}/participants': {
    [ids.conversation]: (stage) =>
      idOf(stage.create('/openapi/conversations', { type: 'group', participant_ids: [] })),
  },
  'POST /openapi/broadcasts/{id}/pause': { [ids.broadcast]: broadcastThat('sending', 'sent', 'sent') },
  'POST /openapi/broadcasts/{id}/resume': {
    [ids.broadcast]: async (stage) => {
      const id = await broadcastThat('sending', 'sent', 'sent')(stage);
      await stage.act(`/openapi/broadcasts/${id}/pause`);
      return id;
    },
  },
  'POST /openapi/broadcasts/{id}/retry': { [ids.broadcast]: broadcastThat('completed', 'fail') },
  ...Object.fromEntries(
    [
      'GET /openapi/platforms/connections/{id}',
      'PATCH /openapi/platforms/connections/{id}',
      'DELETE /openapi/platforms/connections/{id}',
      'POST /openapi/platforms/connections/{id}/test',
      'POST /openapi/platforms/connections/{id}/reconnect',
    ].map((operation) => [operation, { [ids.connection]: connectionOfTelegram }]),
  ),
};
