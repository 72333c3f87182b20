import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { clock } from '../contract/clock.js';
import type { Adapter } from '../contract/index.js';
import { AppError, notFound, unavailable } from '../core/common/errors.js';
import type { Log } from '../core/common/log.js';
import { errorAnswer } from './error-answer.js';
import { sendError } from './reply.js';
import { splitTarget } from './request-target.js';

const MAX_BODY_BYTES = 1_048_576;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface HookTarget {
  readonly platform: string;
  readonly adapter: Adapter;
  /** The public address that the platform calls. Signatures are verified with it. */
  readonly url: string;
}

export interface HookOptions {
  readonly find: (connectionId: string) => Promise<HookTarget | undefined>;
  readonly log: Log;
  /** The reason why events are refused at the moment. Undefined when they are accepted. */
  readonly paused: () => string | undefined;
}

/** Platform webhooks. The raw request is passed to the adapter of its connection. */
export function hooksPlugin(options: HookOptions): FastifyPluginAsync {
  return async (server) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    server.post<{ Params: { platform: string; id: string } }>(
      '/hooks/:platform/:id',
      async (request, reply) => {
        const { platform, id } = request.params;
        // The platform sends the event again, to this service or to the one of which this is a copy.
        const paused = options.paused();
        if (paused !== undefined) return refuse(request, reply, unavailable('queue', paused));
        const target = ID.test(id) ? await found(options, id.toLowerCase(), request.id) : undefined;
        if (target === 'unusable') return refuse(request, reply, unstored());
        if (target?.platform !== platform) return refuse(request, reply, notFound('The connection'));
        // A platform without webhooks has no valid signatures.
        if (target.adapter.handle === undefined) return refuseUnsigned(request, reply);
        return answer(target.adapter.handle.bind(target.adapter), request, reply, target.url, options.log);
      },
    );
  };
}

/** Finds the connection. `unusable` means that its adapter can't be created or that the database is unavailable. */
async function found({ find, log }: HookOptions, id: string, requestId: string) {
  try {
    return await find(id);
  } catch (err) {
    log.error({ err, connection_id: id, request_id: requestId }, 'hook.failed');
    return 'unusable';
  }
}

const unstored = () => unavailable('database', 'The event could not be stored; send it again.');

function refuse(request: FastifyRequest, reply: FastifyReply, fault: AppError): FastifyReply {
  sendError(reply, errorAnswer(fault, request.id, clock.now()));
  return reply;
}

function refuseUnsigned(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('www-authenticate', 'Signature');
  return refuse(request, reply, new AppError('unauthorized', 'The signature is missing or wrong.'));
}

async function answer(
  handle: NonNullable<Adapter['handle']>,
  request: FastifyRequest,
  reply: FastifyReply,
  url: string,
  log: Log,
): Promise<FastifyReply> {
  try {
    const response = await handle(toWebRequest(request, url));
    // Libraries of the platforms respond differently to a wrong signature. This response is the same for all.
    if (response.status === 401) return refuseUnsigned(request, reply);
    reply.code(response.status);
    for (const [name, value] of response.headers) reply.header(name, value);
    const body = Buffer.from(await response.arrayBuffer());
    return body.length === 0 ? reply.send() : reply.send(body);
  } catch (err) {
    log.error({ err, request_id: request.id }, 'hook.failed');
    return refuse(request, reply, unstored());
  }
}

/** The request as the platform sent it: the configured public URL with the query of the request. */
function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const { queryText } = splitTarget(request.raw.url ?? '');
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  const body = request.body as Buffer | undefined;
  return new Request(queryText === undefined ? publicUrl : `${publicUrl}?${queryText}`, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  });
}
