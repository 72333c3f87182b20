import type {
  RESTGetAPIGatewayBotResult,
  RESTPostAPICurrentUserCreateDMChannelJSONBody,
} from 'discord-api-types/v10';
import {
  fileSummary,
  readForm,
  type ShapedFault,
  type SimulatedAnswer,
  type SimulatedCall,
  type SimulatedRequest,
} from '../../../src/contract/simulation/index.js';
import {
  bucketHeaders,
  failure,
  type Handler,
  ok,
  type Request,
  record,
  tooMany,
  unauthorized,
} from './answers.js';
import { applicationHandlers } from './application.js';
import { readJson } from './json.js';
import { Limit } from './limits.js';
import { memberHandlers } from './members.js';
import { messageHandlers } from './messages.js';
import { moderationHandlers } from './pins.js';
import { reactionHandlers } from './reactions.js';
import { serverHandlers } from './server.js';
import { apiChannel } from './shapes.js';
import type { DiscordState } from './state.js';
import { threadHandlers } from './threads.js';
import type { SimulatedWebhooks } from './webhooks.js';

export interface RestOptions {
  readonly state: DiscordState;
  readonly webhooks: SimulatedWebhooks;
  readonly limited: boolean;
  /** Factor by which the limits exceed the documented ones. */
  readonly faster: number;
  readonly gatewayUrl: () => string;
  /** Remaining identifies of today. */
  readonly identifiesLeft: () => number;
  readonly authorized: (header: string | undefined) => boolean;
}

/** The REST interface (version 10) of the simulated Discord. */
export class SimulatedRest {
  readonly #options: RestOptions;
  readonly #global: Limit;
  readonly #buckets: Limit;
  readonly #webhooks: Limit;
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(options: RestOptions) {
    this.#options = options;
    const { faster } = options;
    // Raises the number per second and keeps the window, because the rate is tested.
    this.#global = new Limit(50 * faster, 1_000);
    this.#buckets = new Limit(5, 5_000 / faster);
    this.#webhooks = new Limit(5, 2_000 / faster);
    this.#handlers = {
      'GET /users/@me': () => ok(options.state.self),
      'GET /gateway': () => ok({ url: options.gatewayUrl() }),
      'GET /gateway/bot': () => ok(this.#gateway()),
      'POST /users/@me/channels': (request) => this.#openDirect(request.body),
      ...messageHandlers(options.state),
      ...serverHandlers(options.state),
      ...reactionHandlers(options.state),
      ...memberHandlers(options.state),
      ...threadHandlers(options.state),
      ...moderationHandlers(options.state),
      ...applicationHandlers(options.state),
      ...options.webhooks.handlers,
    };
  }

  /** Finds the call of a request by its name in Discord's documentation, without ids. */
  route(request: SimulatedRequest): SimulatedCall {
    const attached = /^\/attachments\/(\d+)\//.exec(request.path)?.[1];
    if (attached !== undefined) return this.#download(attached, request.query.get('hm'));
    const path = request.path.replace(/^\/api(?:\/v\d+)?/, '');
    const { call, ids, token, emoji } = recognised(request.method, path);
    const [, channelId, messageId = ''] = /^\/channels\/(\d+)(?:\/messages\/(\d+))?/.exec(path) ?? [];
    const parts = { messageId, ids, token, emoji, query: request.query };
    const form = readForm(request);
    const files = [...(form?.files.values() ?? [])];
    const text = form === undefined ? request.body.toString() : (form.fields.payload_json ?? '');
    const body = text === '' ? null : readJson(text);
    return {
      call,
      ...(channelId === undefined ? {} : { chatId: channelId }),
      request: {
        path,
        query: request.query.toString(),
        body: body ?? null,
        ...(files.length === 0 ? {} : { files: files.map(fileSummary) }),
      },
      run: () =>
        asDiscord(
          body === undefined
            ? failure(400, 50109, 'The request body contains invalid JSON.')
            : this.#run(call, channelId, { ...parts, body, files }, request),
        ),
    };
  }

  /** A download from Discord's CDN. It requires a valid link, but no token. */
  #download(id: string, signature: string | null): SimulatedCall {
    const { state } = this.#options;
    const file = signature === state.linkSignature ? state.files.get(id) : undefined;
    const found = file && { status: 200, headers: { 'content-type': file.mimeType }, body: file.bytes };
    return {
      call: 'GET /attachments/:id',
      request: { id },
      run: () => found ?? failure(404, 0, '404: Not Found'),
    };
  }

  faultAnswer(fault: ShapedFault): SimulatedAnswer {
    if (fault.kind === 'rate_limited')
      return asDiscord(tooMany(fault.retryAfterMs, fault.scope === 'account' ? 'global' : 'shared'));
    return asDiscord(fault.kind === 'revoked' ? unauthorized : failure(400, fault.code, 'Simulated refusal'));
  }

  #run(
    call: string,
    channelId: string | undefined,
    request: Omit<Request, 'channel'>,
    { headers }: SimulatedRequest,
  ): SimulatedAnswer {
    // Routes of webhooks and interactions contain their own token.
    if (request.token === '' && !this.#options.authorized(headers.authorization)) return unauthorized;
    const handler = this.#handlers[call];
    if (handler === undefined) return failure(404, 0, '404: Not Found');
    const channel = channelId === undefined ? undefined : this.#options.state.channels.get(channelId);
    const answer = () => handler({ ...request, channel });
    return this.#options.limited ? this.#limited(call, channelId, request, answer) : answer();
  }

  #limited(
    call: string,
    channelId: string | undefined,
    request: Omit<Request, 'channel'>,
    run: () => SimulatedAnswer,
  ): SimulatedAnswer {
    const global = this.#global.take('');
    if (!global.allowed) return tooMany(global.resetAfterMs, 'global');
    const major = channelId ?? request.ids[0];
    if (major === undefined || call.startsWith('GET') || call.startsWith('POST /interactions')) return run();
    const buckets = call.startsWith('POST /webhooks') ? this.#webhooks : this.#buckets;
    const allowance = buckets.take(`${call} ${major}`);
    const answer = allowance.allowed ? run() : tooMany(allowance.resetAfterMs, 'user');
    return { ...answer, headers: { ...bucketHeaders(call, allowance), ...answer.headers } };
  }

  #gateway(): RESTGetAPIGatewayBotResult {
    const remaining = this.#options.identifiesLeft();
    const session_start_limit = { total: 1000, remaining, reset_after: 86_400_000, max_concurrency: 1 };
    return { url: this.#options.gatewayUrl(), shards: 1, session_start_limit };
  }

  #openDirect(body: unknown): SimulatedAnswer {
    const { recipient_id } = record<RESTPostAPICurrentUserCreateDMChannelJSONBody>(body);
    const user = this.#options.state.userById(String(recipient_id));
    if (user === undefined) return failure(400, 50033, 'Invalid Recipient(s)');
    return ok(apiChannel(this.#options.state.openDirect(user)));
  }
}

/** Discord's exact content type. Some libraries compare it literally. */
const asDiscord = (answer: SimulatedAnswer): SimulatedAnswer => ({
  ...answer,
  headers: { 'content-type': 'application/json', ...answer.headers },
});

/** The documented name of a call, and the ids of its path. */
function recognised(method: string, path: string) {
  const token = /^\/(?:webhooks|interactions)\/\d+\/([^/]+)/.exec(path)?.[1] ?? '';
  const emoji = /\/reactions\/([^/]+)(?:\/@me)?$/.exec(path)?.[1] ?? '';
  const named = path
    .replace(token === '' ? /$^/ : `/${token}`, '/:token')
    .replace(/\/reactions\/[^/]+(\/@me)?$/, '/reactions/:emoji$1');
  const ids = [...named.matchAll(/\/(\d+)(?=\/|$)/g)].map(([, id]) => String(id));
  const call = `${method} ${named.replaceAll(/\/\d+(?=\/|$)/g, '/:id')}`;
  return { call, ids, token, emoji: decodeURIComponent(emoji) };
}
