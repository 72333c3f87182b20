import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '../accept-encoding.js';
import { type DashboardFile, readDashboard } from './files.js';

/** Nothing is loaded from another origin, and markup can't add a script or a style. Pictures that are being sent are blobs. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Its scope must include the address without a trailing slash, which is above its folder. */
const SERVICE_WORKER = 'service-worker.js';

/** The names of these files contain a hash of their contents. */
const HASHED = 'assets/';

/**
 * The dashboard: its files, and its page at every other address below `/dashboard`. The page itself routes to its screens.
 * Without a build, `/dashboard` redirects to the sign-in page.
 */
export const dashboardPlugin: FastifyPluginAsync = async (server) => {
  const files = await readDashboard();
  const page = files?.get('index.html');
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (files === undefined || page === undefined) return reply.redirect('/dashboard/login');
    const path = (request.params as { '*'?: string })['*'] ?? '';
    const file = files.get(path);
    if (path === SERVICE_WORKER) reply.header('service-worker-allowed', '/dashboard');
    if (file !== undefined) return send(request, reply, file, path.startsWith(HASHED));
    if (path.startsWith(HASHED)) return reply.callNotFound();
    return send(request, reply, page, false);
  };
  server.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: async (_, reply) => reply.redirect('/dashboard'),
  });
  for (const url of ['/dashboard', '/dashboard/*']) {
    server.route({ method: ['GET', 'HEAD'], url, handler: answer });
  }
};

function send(request: FastifyRequest, reply: FastifyReply, file: DashboardFile, isHashed: boolean) {
  const cache = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
  reply.headers({ ...HEADERS, 'cache-control': cache, vary: 'Accept-Encoding' }).type(file.type);
  const isCompressed = file.gzip !== undefined && acceptsGzip(request.headers['accept-encoding']);
  if (isCompressed) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}
