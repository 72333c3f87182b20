import { basename, dirname } from 'node:path';
import { send } from '@fastify/send';
import contentDisposition from 'content-disposition';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { clock } from '../contract/clock.js';
import { type AppError, invalidField, notFound } from '../core/common/errors.js';
import type { OpenedMedia } from '../core/media/open-media.js';
import { errorAnswer } from './error-answer.js';
import { sendError } from './reply.js';

/** Types that browsers show without running code. All other types are downloads. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|(?:video|audio)\/[a-z0-9.+-]+|application\/(?:pdf|ogg)|text\/plain)$/;

export interface MediaOptions {
  /** Opens the file of a token. Undefined when the token is not valid. */
  readonly open: (token: string) => Promise<OpenedMedia | undefined>;
}

/** Stored copies behind signed links. They need no API key: a link gives access to its file until it expires. */
export function mediaPlugin({ open }: MediaOptions): FastifyPluginAsync {
  return async (server) => {
    server.route<{ Params: { token: string } }>({
      method: ['GET', 'HEAD'],
      url: '/media/:token',
      handler: async (request, reply) => {
        const media = await open(request.params.token);
        if (media === undefined) return refuse(request, reply, notFound('The file'));
        return answer(media, request, reply);
      },
    });
  };
}

/** Supports ranges and conditional requests. A response to HEAD has only the headers. */
async function answer(media: OpenedMedia, request: FastifyRequest, reply: FastifyReply) {
  const { path, name, mimeType } = media;
  const sent = await send(request.raw, basename(path), {
    root: dirname(path),
    dotfiles: 'allow',
    index: false,
    contentType: false,
    cacheControl: false,
  });
  // The file was removed after the lookup.
  if (sent.type !== 'file' && sent.statusCode === 404) return refuse(request, reply, notFound('The file'));
  if (sent.statusCode === 416) {
    reply.header('content-range', sent.headers['Content-Range']);
    return refuse(
      request,
      reply,
      invalidField('Range', 'invalid_value', 'Expected a range within the file.'),
      416,
    );
  }
  const type = mimeType ?? 'application/octet-stream';
  reply
    .code(sent.statusCode)
    .headers(sent.headers)
    .headers({
      'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
      'content-disposition': contentDisposition(name ?? undefined, {
        type: SHOWN.test(type) ? 'inline' : 'attachment',
      }),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, max-age=3600',
    });
  return reply.send(sent.stream);
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  fault: AppError,
  status?: number,
): FastifyReply {
  const answer = errorAnswer(fault, request.id, clock.now());
  reply.header('cache-control', 'no-store');
  sendError(reply, { ...answer, status: status ?? answer.status });
  return reply;
}
