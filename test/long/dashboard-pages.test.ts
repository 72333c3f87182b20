import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setupTokenFor } from '../../src/app/access/setup-token.js';
import { loadMasterKey } from '../../src/store/secrets/master-key.js';
import type { Json } from '../support/api-client.js';
import { Browser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { type Service, startService } from '../support/service.js';

const PUBLIC_URL = 'https://bridge.example';
const EMAIL = 'first@example.test';

let dataDir: string;
let service: Service;
let owner: Browser;

/** Without bootstrap values, and with an https address as its public URL. */
const start = async () =>
  startService({
    dataDir,
    port: await freePort(),
    env: {
      PUBLIC_URL,
      TRUNKLINE_BOOTSTRAP_EMAIL: '',
      TRUNKLINE_BOOTSTRAP_PASSWORD: '',
      TRUNKLINE_BOOTSTRAP_API_KEY: '',
    },
  });

async function page(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(service.url + path, { redirect: 'manual', headers });
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    headers: answer.headers,
    text: await answer.text(),
  };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trunkline-pages-'));
  service = await start();
  owner = new Browser(service);
});
afterAll(async () => {
  await service?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the first run', () => {
  it('redirects from every page to the setup page', async () => {
    expect((await page('/')).location).toBe('/dashboard');
    expect((await page('/dashboard/login')).location).toBe('/dashboard/setup');
    expect((await page('/dashboard/login?return_to=%2Fx')).location).toBe('/dashboard/setup?return_to=%2Fx');
    const setup = await page('/dashboard/setup');
    expect([setup.status, setup.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(setup.text).toContain('data-action="/dashboard/api/setup"');
    expect(setup.text).toContain('name="setup_token"');
  });

  it('asks for the setup token if other machines can reach the service', async () => {
    const body = { email: EMAIL, password: 'first password', display_name: 'First' };
    const missing = await new Browser(service).post('/setup', body);
    expect([missing.status, missing.body]).toMatchObject([
      400,
      { details: { fields: [{ field: 'setup_token', code: 'required' }] } },
    ]);
    const wrong = await new Browser(service).post('/setup', { ...body, setup_token: 'guessed' });
    expect([wrong.status, wrong.body]).toMatchObject([401, { error: 'unauthorized' }]);
  });

  it('creates the first user, who is owner, operator and signed in; exactly one of parallel requests succeeds', async () => {
    const masterKey = await loadMasterKey({ configured: undefined, dataDir });
    const body = {
      email: EMAIL,
      password: 'first password',
      display_name: 'First',
      setup_token: setupTokenFor({ host: '127.0.0.1', publicUrl: PUBLIC_URL }, masterKey),
    };
    const answers = await Promise.all(
      [owner, new Browser(service)].map((browser) => browser.post('/setup', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const made = answers.find(({ status }) => status === 200);
    expect(made?.body).toMatchObject({
      user: { email: EMAIL, username: 'first', display_name: 'First', status: 'active' },
      workspace: { name: 'Default', plan: 'unlimited' },
      role: 'owner',
      operator: true,
    });
    expect((await page('/dashboard/setup')).location).toBe('/dashboard/login');
    await owner.signIn(EMAIL, body.password);
  });
});

describe('the dashboard behind https', () => {
  it('binds the cookie to the host and to https', async () => {
    const { headers } = await new Browser(service).post('/session', {
      email: EMAIL,
      password: 'first password',
    });
    const [value = '', ...attributes] = (headers['set-cookie']?.[0] ?? '').split('; ');
    expect(value).toMatch(/^__Host-tl_session=tl_ss_/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
  });

  it('accepts requests only from the origin of the public address or of the requested host', async () => {
    const status = async (origin: string) =>
      (await owner.send('GET', '/session', { headers: { origin } })).status;
    expect([
      await status(PUBLIC_URL),
      await status(service.url),
      await status('https://evil.example'),
    ]).toEqual([200, 200, 403]);
  });

  it('uses the public address in invitations', async () => {
    const { invite_url: url } = await owner.must<Json>(201, 'POST', '/members', {
      email: 'a@example.test',
      role: 'member',
    });
    expect(url).toMatch(/^https:\/\/bridge\.example\/dashboard\/invitations\/tl_in_/);
    const token = String(url).split('/').at(-1);
    const open = await page(`/dashboard/invitations/${token}`);
    expect([open.status, open.text]).toEqual([
      200,
      expect.stringContaining(`/dashboard/api/invitations/${token}`),
    ]);
    expect((await page('/dashboard/invitations/nothing')).status).toBe(404);
  });
});

describe('the sign-in page', () => {
  it('loads nothing from other origins and can’t be framed', async () => {
    const { headers, text } = await page('/dashboard/login');
    const policy = headers.get('content-security-policy');
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/(src|href)="(?!\/dashboard\/)|<script>|<style| style=| on\w+=/);
    for (const [, path = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const asset = await page(path);
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers.get('content-type')).toMatch(
        /^(text\/(css|javascript)|image\/svg\+xml); charset=utf-8$/,
      );
    }
  });

  it('redirects back to a path of this origin only', async () => {
    const target = async (asked: string) => {
      const { text } = await page(`/dashboard/login?return_to=${encodeURIComponent(asked)}`);
      return /data-return-to="([^"]*)"/.exec(text)?.[1];
    };
    expect(await target('/oauth/authorize?a=1&b=2')).toBe('/oauth/authorize?a=1&amp;b=2');
    for (const asked of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/..//evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      'x',
      '',
    ])
      expect([asked, await target(asked)]).toEqual([asked, '/dashboard']);
    expect(await target('/"><script>alert(1)</script>')).not.toContain('<');
    expect((await page('/dashboard/login?return_to=/a&return_to=/b')).text).toContain(
      'data-return-to="/dashboard"',
    );
  });

  it('redirects a signed-in user, and otherwise shows who is signed in', async () => {
    const cookie = String(owner.cookie);
    expect((await page('/dashboard/login?return_to=/somewhere', { cookie })).location).toBe('/somewhere');
    const { text } = await page('/dashboard/login', { cookie });
    expect(text).toContain('First');
    expect(text).toContain('Sign out');
  });

  it('is in the language that the browser prefers, and in English where there is none', async () => {
    const shown = async (wanted: string) => {
      const { text } = await page('/dashboard/login', { 'accept-language': wanted });
      return [/<html lang="([^"]+)"/.exec(text)?.[1], /<h1>(.*?)<\/h1>/.exec(text)?.[1]];
    };
    expect(await shown('en-GB,en;q=0.9')).toEqual(['en', 'Sign in']);
    expect(await shown('es-MX,es;q=0.9,en;q=0.8')).toEqual(['es', 'Iniciar sesión']);
    expect(await shown('zh-TW,zh;q=0.9,en;q=0.8')).toEqual(['zh-CN', '登录']);
    expect(await shown('fr,es;q=0.3,zh;q=0.7')).toEqual(['zh-CN', '登录']);
    for (const other of ['fr', '*', '', ';;q=', `es,${'x'.repeat(5_000)}`])
      expect([other, await shown(other)]).toEqual([other, ['en', 'Sign in']]);
  });

  it('escapes the names of people', async () => {
    await owner.must(200, 'PATCH', '/openapi/users/me', { display_name: '<img src=x onerror=alert(1)>' });
    const { text } = await page('/dashboard/login', { cookie: String(owner.cookie) });
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});

describe('the dashboard', () => {
  it('serves every screen with one page that runs only scripts and styles of this service', async () => {
    for (const path of ['/dashboard', '/dashboard/inbox', '/dashboard/inbox/12']) {
      const { status, headers, text } = await page(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(text).not.toMatch(/<script>|<style| style=| on\w+=|(src|href)="(?!\/dashboard\/)/);
    }
  });

  it('lets browsers cache files with a hash in their names, compressed', async () => {
    const { text } = await page('/dashboard');
    const [, path = ''] = /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const { status, headers } = await page(path, { 'accept-encoding': 'gzip' });
    expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('serves a service worker that is always revalidated, the files that it lists, and a manifest', async () => {
    const worker = await page('/dashboard/service-worker.js');
    expect([worker.status, worker.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect(worker.headers.get('service-worker-allowed')).toBe('/dashboard');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect(worker.headers.get('content-security-policy')).toContain("connect-src 'self'");
    const [, release = ''] = /JSON\.parse\('(.+)'\)/.exec(worker.text) ?? [];
    const { files } = JSON.parse(release);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect((await page(`/dashboard/${file}`)).status).toBe(200);
    const manifest = await page('/dashboard/manifest.webmanifest');
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    expect(manifest.headers.get('service-worker-allowed')).toBeNull();
  });

  it('returns JSON errors for unknown files and for the interface', async () => {
    for (const path of ['/dashboard/assets/none.js', '/dashboard/api/none']) {
      const { status, headers } = await page(path);
      expect([path, status === 404 || status === 401, headers.get('content-type')]).toEqual([
        path,
        true,
        'application/json; charset=utf-8',
      ]);
    }
  });
});
