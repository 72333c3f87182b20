import { readEventStream, type StreamOptions } from './event-stream.js';
import type { Answer, BodyOf } from './operations.js';
import type { CallOptions, TrunklineOptions, Version } from './options.js';
import { type OutgoingMessage, withNamesOf } from './outgoing-message.js';
import { Requests } from './requests.js';

type Messages = '/openapi/messages';

/**
 * The API of a Trunkline service, with a group per kind of record and a function per operation.
 *
 * A function takes the ids of its path in order, then a body or a query, then {@link CallOptions}. Every failure is a
 * `TrunklineError`.
 */
export class Trunkline<V extends Version = '1.0'> extends Requests<V> {
  readonly #version: Version;

  constructor(options: TrunklineOptions<V>) {
    super(options);
    this.#version = options.version ?? '1.0';
  }

  /** Reading and sending messages. */
  readonly messages = {
    list: this.list('/openapi/messages'),
    get: this.get('/openapi/messages/{id}'),
    trace: this.get('/openapi/messages/{id}/trace'),
    create: this.post('/openapi/messages'),
    /** Sends a message, with the field names of version 1.0 in every version of this client. */
    send: (message: OutgoingMessage, options: CallOptions = {}): Promise<Answer<V, 'post', Messages>> =>
      this.#send(message, options),
    update: this.patch('/openapi/messages/{id}'),
    delete: this.remove('/openapi/messages/{id}'),
    read: this.act('/openapi/messages/{id}/read'),
    retry: this.act('/openapi/messages/{id}/retry'),
    react: this.put('/openapi/messages/{id}/reactions/{emoji}'),
    unreact: this.remove('/openapi/messages/{id}/reactions/{emoji}'),
  };

  /** Files for messages. The `id` of a file is an `upload_id`. */
  readonly attachments = { create: this.post('/openapi/attachments') };

  /** The delivery of a message to each platform. */
  readonly deliveries = {
    list: this.list('/openapi/deliveries'),
    get: this.get('/openapi/deliveries/{id}'),
    retry: this.act('/openapi/deliveries/{id}/retry'),
    resolve: this.post('/openapi/deliveries/{id}/resolve'),
  };

  readonly conversations = {
    list: this.list('/openapi/conversations'),
    get: this.get('/openapi/conversations/{id}'),
    create: this.post('/openapi/conversations'),
    update: this.patch('/openapi/conversations/{id}'),
    delete: this.remove('/openapi/conversations/{id}'),
    capabilities: this.get('/openapi/conversations/{id}/capabilities'),
    typing: this.post('/openapi/conversations/{id}/typing'),
    participants: {
      list: this.list('/openapi/conversations/{id}/participants'),
      create: this.post('/openapi/conversations/{id}/participants'),
      delete: this.remove('/openapi/conversations/{id}/participants/{user_id}'),
    },
    /** Platform chats that are linked to the conversation. */
    links: {
      list: this.list('/openapi/conversations/{id}/links'),
      create: this.post('/openapi/conversations/{id}/links'),
      delete: this.remove('/openapi/conversations/{id}/links/{link_id}'),
    },
  };

  /** Members, contacts and bots. */
  readonly users = {
    list: this.list('/openapi/users'),
    get: this.get('/openapi/users/{id}'),
    create: this.post('/openapi/users'),
    update: this.patch('/openapi/users/{id}'),
    delete: this.remove('/openapi/users/{id}'),
    merge: this.post('/openapi/users/{id}/merge'),
    me: this.get('/openapi/users/me'),
    updateMe: this.patch('/openapi/users/me'),
  };

  readonly calls = {
    list: this.list('/openapi/calls'),
    get: this.get('/openapi/calls/{id}'),
    create: this.post('/openapi/calls'),
    end: this.post('/openapi/calls/{id}/end'),
    token: this.post('/openapi/calls/{id}/token'),
    signal: this.post('/openapi/calls/{id}/signal'),
    iceServers: this.get('/openapi/rtc/ice-servers'),
  };

  /** One message to many recipients. */
  readonly broadcasts = {
    list: this.list('/openapi/broadcasts'),
    get: this.get('/openapi/broadcasts/{id}'),
    create: this.post('/openapi/broadcasts'),
    /** Returns what a broadcast would do. Stores nothing. */
    preview: this.preview('/openapi/broadcasts', { dry_run: true }),
    update: this.patch('/openapi/broadcasts/{id}'),
    /** Cancels the broadcast. The record is kept. */
    delete: this.remove('/openapi/broadcasts/{id}'),
    start: this.act('/openapi/broadcasts/{id}/start'),
    pause: this.act('/openapi/broadcasts/{id}/pause'),
    resume: this.act('/openapi/broadcasts/{id}/resume'),
    retry: this.act('/openapi/broadcasts/{id}/retry'),
    recipients: { list: this.list('/openapi/broadcasts/{id}/recipients') },
  };

  readonly segments = {
    list: this.list('/openapi/segments'),
    get: this.get('/openapi/segments/{id}'),
    create: this.post('/openapi/segments'),
    update: this.patch('/openapi/segments/{id}'),
    delete: this.remove('/openapi/segments/{id}'),
  };

  readonly templates = {
    list: this.list('/openapi/templates'),
    get: this.get('/openapi/templates/{id}'),
    create: this.post('/openapi/templates'),
    update: this.patch('/openapi/templates/{id}'),
    delete: this.remove('/openapi/templates/{id}'),
  };

  readonly locations = {
    list: this.list('/openapi/locations'),
    create: this.post('/openapi/locations'),
    /** Tracks a user for a limited time, with consent. */
    tracking: {
      list: this.list('/openapi/locations/tracking'),
      get: this.get('/openapi/locations/tracking/{id}'),
      create: this.post('/openapi/locations/tracking'),
      stop: this.act('/openapi/locations/tracking/{id}/stop'),
      consent: this.post('/openapi/locations/tracking/{id}/consent'),
    },
  };

  /** Your URLs that receive events. `verifyWebhook` verifies their requests. */
  readonly webhooks = {
    list: this.list('/api/webhooks'),
    get: this.get('/api/webhooks/{id}'),
    /** The response contains the secret, which is not shown again. */
    create: this.post('/api/webhooks'),
    update: this.patch('/api/webhooks/{id}'),
    delete: this.remove('/api/webhooks/{id}'),
    test: this.act('/api/webhooks/{id}/test'),
    rotateSecret: this.post('/api/webhooks/{id}/rotate-secret'),
    recover: this.post('/api/webhooks/{id}/recover'),
    deliveries: {
      list: this.list('/api/webhooks/{id}/deliveries'),
      retry: this.act('/api/webhooks/{id}/deliveries/{delivery_id}/retry'),
    },
  };

  /** The capabilities of the installed adapters. */
  readonly protocols = {
    list: this.list('/openapi/protocols'),
    get: this.get('/openapi/protocols/{id}'),
  };

  readonly platforms = {
    list: this.list('/openapi/platforms'),
    get: this.get('/openapi/platforms/{platform}'),
    connections: { list: this.list('/openapi/platforms/{platform}/connections') },
  };

  /** Accounts on platforms. */
  readonly connections = {
    list: this.list('/openapi/platforms/connections'),
    get: this.get('/openapi/platforms/connections/{id}'),
    /** Parameters: the platform, then the connection. */
    create: this.post('/openapi/platforms/{platform}/connections'),
    update: this.patch('/openapi/platforms/connections/{id}'),
    delete: this.remove('/openapi/platforms/connections/{id}'),
    test: this.act('/openapi/platforms/connections/{id}/test'),
    reconnect: this.act('/openapi/platforms/connections/{id}/reconnect'),
  };

  readonly analytics = {
    /** The resource is `messages`, `conversations`, `calls`, `broadcasts` or `webhooks`. */
    get: this.compute('/openapi/analytics/{resource}'),
  };

  readonly translations = { create: this.post('/openapi/translations') };

  readonly tv = {
    networks: { list: this.list('/openapi/tv/networks'), get: this.get('/openapi/tv/networks/{id}') },
    schedule: { list: this.list('/openapi/tv/networks/{id}/schedule') },
  };

  /** Events as they happen. */
  readonly events = { stream: (options?: StreamOptions) => readEventStream(this.transport, options) };

  /** Acts as a customer. Requires a test key. */
  readonly sandbox = { inbound: this.post('/openapi/sandbox/inbound') };

  /** The status of the service. */
  readonly status = this.get('/openapi/status');

  async #send(message: OutgoingMessage, options: CallOptions): Promise<Answer<V, 'post', Messages>> {
    const body = withNamesOf(this.#version, message) as BodyOf<V, 'post', Messages>;
    return this.request('post', '/openapi/messages', { ...options, body });
  }
}
