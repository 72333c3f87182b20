import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '../accept-encoding.js';

/** Paths of the viewer and its script. The page itself is defined below. */
const VIEWER = '/docs/viewer.js';
const SCRIPT = '/docs/reference.js';

/**
 * The viewer writes its styles into the page, which requires `unsafe-inline` for styles. Scripts are loaded only from this
 * origin. `connect-src` blocks the requests of the viewer to its vendor.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** `GET /docs`: the reference of the API for people. It requires neither an API key nor internet access. */
export const referencePagePlugin: FastifyPluginAsync = async (server) => {
  const page = new Asset('text/html; charset=utf-8', async () => Buffer.from(PAGE));
  const script = new Asset(JAVASCRIPT, () => readFile(new URL('reference.js', import.meta.url)));
  const viewer = new Asset(JAVASCRIPT, () => readFile(viewerFile()));
  for (const [url, asset] of [
    ['/docs', page],
    [SCRIPT, script],
    [VIEWER, viewer],
  ] as const) {
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => asset.answer(request, reply),
    });
  }
};

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="/dashboard/pages/icon.svg">
    <title>API reference – Trunkline</title>
  </head>
  <body>
    <noscript>
      <p>This page needs scripts. What it shows stands in
      <a href="/openapi.json">version 1.0</a> and <a href="/openapi.json?version=2.0">version 2.0</a>.</p>
    </noscript>
    <div id="reference"></div>
    <script src="${VIEWER}"></script>
    <script src="${SCRIPT}"></script>
  </body>
</html>
`;

/** The package is a Fastify plugin that contains the viewer. Only the viewer is used. */
function viewerFile(): URL {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return new URL('js/standalone.js', pathToFileURL(entry));
}

interface Loaded {
  readonly plain: Buffer;
  readonly compressed: Buffer;
  readonly tag: string;
}

const compress = promisify(gzip);

/** A file that is read on its first request and then cached. */
class Asset {
  #loaded: Promise<Loaded> | undefined;

  constructor(
    private readonly type: string,
    private readonly read: () => Promise<Buffer>,
  ) {}

  async answer({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.#loaded ??= this.#load();
    const { plain, compressed, tag } = await this.#loaded;
    reply.headers({ ...HEADERS, etag: tag, vary: 'Accept-Encoding' }).type(this.type);
    if (headers['if-none-match'] === tag) return reply.code(304).send();
    if (!acceptsGzip(headers['accept-encoding'])) return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(compressed);
  }

  async #load(): Promise<Loaded> {
    const plain = await this.read();
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 16);
    return { plain, compressed: await compress(plain), tag: `W/"${hash}"` };
  }
}
