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
  /** With `refused`, the connection as it is in the database: this process may not have seen its last change. */
  readonly find: (connectionId: string, refused?: boolean) => Promise<HookTarget | undefined>;
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
        const answered = await answer(target, request, options.log);
        if (answered !== 'unsigned') return pass(answered, request, reply);
        // The secret may have been changed, or the connection deleted, a moment ago.
        const current = await options.find(id.toLowerCase(), true).catch(() => target);
        if (current === undefined) return refuse(request, reply, notFound('The connection'));
        if (current.adapter === target.adapter) return refuseUnsigned(request, reply);
        return pass(await answer(current, request, options.log), request, reply);
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

type Answer = { readonly response: Response; readonly body: Buffer } | 'unsigned' | 'failed';

/** The adapter's response. Libraries of the platforms respond differently to a wrong signature, which is `unsigned`. */
async function answer({ adapter, url }: HookTarget, request: FastifyRequest, log: Log): Promise<Answer> {
  // A platform without webhooks has no valid signatures.
  if (adapter.handle === undefined) return 'unsigned';
  try {
    const response = await adapter.handle(toWebRequest(request, url));
    if (response.status === 401) return 'unsigned';
    return { response, body: Buffer.from(await response.arrayBuffer()) };
  } catch (err) {
    log.error({ err, request_id: request.id }, 'hook.failed');
    return 'failed';
  }
}

function pass(answered: Answer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (answered === 'failed') return refuse(request, reply, unstored());
  if (answered === 'unsigned') return refuseUnsigned(request, reply);
  const { response, body } = answered;
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  return body.length === 0 ? reply.send() : reply.send(body);
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
