import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GUIDE_COUNT, goodGuide, spoiltGuide } from './guides.js';

/** Every other server that the service calls: receivers of webhooks, guides, translations, a platform that refuses. */
export interface Elsewhere {
  /** Without a slash at its end. */
  readonly url: string;
  /** The sources of guides, in the format of the service's setting. */
  readonly guides: string;
  /** Whether webhooks reported a message whose text begins with this. */
  readonly told: (beginning: string) => boolean;
  close(): Promise<void>;
}

const KEPT = 200;

export async function startElsewhere(seed: number): Promise<Elsewhere> {
  const times = new Map<string, number>();
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '/' } = request;
    if (url === '/canary') {
      heard.push(Buffer.concat(chunks).toString());
      if (heard.length > KEPT) heard.shift();
    }
    const [, guide] = /^\/guides\/(\d+)$/.exec(url) ?? [];
    if (guide !== undefined) {
      const asked = times.get(guide) ?? 0;
      times.set(guide, asked + 1);
      response.end(spoiltGuide(seed, Number(guide), asked));
    } else if (url === '/guides/good') {
      response.end(goodGuide(new Date()));
    } else {
      const refuses = url.startsWith('/bot');
      response.writeHead(refuses ? 401 : 200, { 'content-type': 'application/json' });
      response.end(
        refuses
          ? '{"ok":false,"error_code":401,"description":"Unauthorized"}'
          : '{"translatedText":"Hallo","detectedLanguage":{"confidence":90,"language":"en"}}',
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bad = Array.from({ length: GUIDE_COUNT }, (_, at) => `${url}/guides/${at}`);
  return {
    url,
    guides: [`${url}/guides/good`, ...bad].join(','),
    told: (text) => heard.some((body) => body.includes(text)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
