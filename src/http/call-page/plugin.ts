import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { IceServers } from '../../core/calls/record.js';
import type { CallSeats } from '../../core/calls/seats.js';
import { signalingUrl } from '../../core/calls/use-cases.js';
import { languageOf } from '../pages/language.js';
import { callPage, goneNotice } from './page.js';

export interface CallPageOptions {
  readonly seats: CallSeats;
  readonly publicUrl: () => string;
  readonly iceServers: (userId: string) => IceServers;
}

const LINK = /^[A-Za-z0-9_-]{1,256}$/;
/** Files of this folder that are served, with their content types. */
const SCRIPT = 'text/javascript; charset=utf-8';
const ASSETS = {
  'call.js': SCRIPT,
  'devices.js': SCRIPT,
  'quality.js': SCRIPT,
  'call.css': 'text/css; charset=utf-8',
};
const ASSET_PATH = '/join-page';

/** The page behind `join_url`. A person with the link joins the call there in the browser. */
export function callPagePlugin(options: CallPageOptions): FastifyPluginAsync {
  return async (server) => {
    for (const [name, type] of Object.entries(ASSETS)) {
      const text = await readFile(new URL(name, import.meta.url), 'utf8');
      server.route({
        method: ['GET', 'HEAD'],
        url: `${ASSET_PATH}/${name}`,
        handler: async (_request, reply) =>
          reply
            .headers({
              'cache-control': 'no-cache',
              'x-content-type-options': 'nosniff',
              'content-type': type,
            })
            .send(text),
      });
    }
    server.route<{ Params: { link: string } }>({
      method: ['GET', 'HEAD'],
      url: '/join/:link',
      handler: async (request, reply) => {
        const { link } = request.params;
        const found = LINK.test(link) ? await options.seats.invitation(link) : undefined;
        const language = languageOf(request.headers['accept-language']);
        protect(reply, options.publicUrl());
        if (found === undefined) {
          if (!request.headers.accept?.includes('text/html')) return reply.callNotFound();
          return reply.code(404).type('text/html; charset=utf-8').send(goneNotice(ASSET_PATH, language));
        }
        const page = {
          callId: found.call.callId,
          type: found.call.type,
          url: signalingUrl(options.publicUrl()),
          places: found.places.map((place) => ({
            ...place,
            iceServers: options.iceServers(place.userId).ice_servers,
          })),
        };
        return reply.type('text/html; charset=utf-8').send(callPage(ASSET_PATH, page, language));
      },
    });
  };
}

/** The link is a secret and the page uses the microphone. The headers allow no external resources and send no referrer. */
function protect(reply: FastifyReply, publicUrl: string): void {
  const socket = new URL(signalingUrl(publicUrl)).origin;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${socket}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  reply.headers({
    'content-security-policy': policy.join('; '),
    'permissions-policy': 'camera=(self), microphone=(self)',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
}
