import { afterAll, beforeAll } from 'vitest';
import { type ApiClient, eventually, type Json } from './api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from './loopback-receiver.js';
import { type SharedService, shareService } from './shared-service.js';

export interface SandboxService {
  readonly service: SharedService;
  /** A client of its test workspace. */
  readonly api: ApiClient;
}

/**
 * Prepares a workspace with a connected sandbox and a webhook for these events before the tests of a file. Returns functions with
 * which tests use the sandbox.
 */
export function beforeSandbox(
  subscribed: readonly string[],
  prepare: (given: SandboxService) => void | Promise<void>,
) {
  let api: ApiClient;
  let service: SharedService;
  let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };

  beforeAll(async () => {
    receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
    service = await shareService();
    api = service.client(await service.createKey({ test: true }));
    await api.must(201, 'POST', '/api/webhooks', { url: `${receiver.url}hook`, events: subscribed });
    await eventually(
      () => api.must(200, 'GET', '/openapi/platforms/sandbox'),
      ({ status }) => status === 'connected',
    );
    await prepare({ service, api });
  });
  afterAll(async () => {
    await receiver?.close();
  });

  const group = (more: Json = {}) =>
    api.must(201, 'POST', '/openapi/conversations', { participant_ids: [], ...more });
  const say = (conversation: Json, text: string, more: Json = {}) =>
    api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text, ...more });
  const open = (address: string, more: Json = {}) =>
    api.must(201, 'POST', '/openapi/conversations', { recipient: { platform: 'sandbox', address }, ...more });
  const message = (id: unknown) => api.must(200, 'GET', `/openapi/messages/${id}`);
  const lastOf = ({ last_message: last }: Json) => message((last as Json).id);
  const told = () => receiver.received.map(({ body }) => JSON.parse(body) as Json);
  return {
    group,
    say,
    /** A direct conversation with an address of the sandbox. */
    open,
    message,
    /** The events that the webhook received, in order of arrival. */
    told,

    /** Sends to a scripted address and waits until the message is in a state. */
    async outcome(address: string, status: string): Promise<Json> {
      const opened = await open(address, { message: { text: 'Hello' } });
      return eventually(
        () => lastOf(opened),
        (one) => one.status === status,
      );
    },

    /** Events about a record, oldest first, once the expected number has arrived. */
    events(kind: string, matches: (data: Json) => boolean, count = 1): Promise<Json[]> {
      const read = async () =>
        told()
          .filter(({ event, data }) => String(event).startsWith(kind) && matches(data as Json))
          .sort((a, b) => Number((a.data as Json).sequence) - Number((b.data as Json).sequence));
      return eventually(read, (found) => found.length >= count);
    },
  };
}
