import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;

beforeAll(async () => {
  service = await shareService();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, { redirect: 'manual', ...init });

describe('GET /docs', () => {
  it('serves a page without a key that runs scripts of this service only', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    expect(page.headers.get('x-request-id')).toBeTruthy();
  });

  it('loads nothing from other origins: each script is served here', async () => {
    const html = await (await get('/docs')).text();
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const scripts = [...html.matchAll(/<script src="([^"]+)">/g)].map(([, path = '']) => path);
    expect(scripts).toHaveLength(2);
    for (const path of scripts) {
      const script = await get(path);
      expect([script.status, script.headers.get('content-type')], path).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ]);
      expect((await script.text()).length, path).toBeGreaterThan(200);
    }
  });

  it('offers both versions, with working addresses', async () => {
    const script = await (await get('/docs/reference.js')).text();
    expect(script).toContain('/openapi.json?version=');
    for (const version of ['1.0', '2.0']) {
      expect(script).toContain(`'${version}'`);
      expect(await (await get(`/openapi.json?version=${version}`)).json()).toMatchObject({
        openapi: '3.1.0',
        info: { version },
      });
    }
  });

  it('supports HEAD, and returns 304 to a browser that has the viewer', async () => {
    const head = await get('/docs/viewer.js', { method: 'HEAD' });
    expect(head.status).toBe(200);
    const tag = head.headers.get('etag') ?? '';
    const again = await get('/docs/viewer.js', { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('serves the viewer compressed if accepted, otherwise plain', async () => {
    const size = (encoding: string) =>
      new Promise<[string | undefined, number]>((resolve, reject) => {
        const headers = { 'accept-encoding': encoding };
        httpRequest(`${service.url}/docs/viewer.js`, { headers }, (response) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
          });
          response.on('error', reject);
          response.on('end', () => resolve([response.headers['content-encoding'], bytes]));
        })
          .on('error', reject)
          .end();
      });
    const [packed, plain] = [await size('gzip, br'), await size('identity')];
    expect([packed[0], plain[0]]).toEqual(['gzip', undefined]);
    expect(await size('gzip;q=0, identity')).toEqual(plain);
    expect(await size('*;q=0')).toEqual(plain);
    expect(packed[1]).toBeLessThan(plain[1] / 2);
  });

  it('returns 404 for other paths below it', async () => {
    const nothing = await get('/docs/nothing');
    expect(nothing.status).toBe(404);
    expect(await nothing.json()).toMatchObject({ error: 'not_found' });
  });
});
