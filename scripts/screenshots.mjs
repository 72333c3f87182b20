// Writes docs/screenshots: each screen of the dashboard in both themes. `npm run screenshots`, or with names of screens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Draws maps without a graphics card. */
const ARGUMENTS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const FOLDER = join(ROOT, 'docs/screenshots');
const SIZE = { width: 1440, height: 900 };
const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };
const CSV = `Name;E-mail;Phone;City
Ada Lovelace;ada@example.com;+441632960001;London
Grace Hopper;grace@example.com;+12025550123;New York
Alan Turing;alan at example.com;+441632960002;Wilmslow
`;
/** Names and starting positions. */
const COURIERS = [
  ['Linus Courier', 52.1, 13.2],
  ['Margaret Courier', 48.4, 2.2],
];
const REPLIES = [
  'Hello, I am sorry about that. I have just called the courier.',
  'Your order arrives today before 18:00. You can follow it here: https://courier.example/4711',
];
/** The path of each screen. `ask` reads a path of the API, `post` uploads an import, and `send` posts a body. */
const SCREENS = {
  inbox: async (ask, _, send) => {
    const texts = (await ask('/openapi/messages?limit=100')).map(({ text }) => text);
    for (const text of REPLIES)
      if (!texts.includes(text)) await send('/openapi/messages', { data: { conversation_id: 1, text } });
    return '/inbox/1';
  },
  home: () => '/home',
  contacts: () => '/contacts',
  contact: async (ask) => `/contacts/${(await ask('/openapi/users?filter=kind:contact'))[0].id}`,
  imports: () => '/contacts/imports',
  import: async (_, post) => `/contacts/imports/${await post()}`,
  broadcast: async (ask, _, send) => {
    const users = await ask('/openapi/users?filter=kind:contact');
    const body = {
      name: 'Opening hours',
      text: 'We are open until 20:00 today.',
      recipient_ids: users.map(({ id }) => id),
    };
    return `/broadcasts/${(await send('/openapi/broadcasts', { data: body })).id}`;
  },
  broadcasts: () => '/broadcasts',
  'write-broadcast': async (ask, _, send) => {
    const users = await ask('/openapi/users?filter=kind:contact');
    const body = {
      name: 'Summer hours',
      text: 'Hello {{user.display_name}}, from {{day}} on we are open until 22:00.',
      variables: { day: 'Monday' },
      recipient_ids: users.map(({ id }) => id),
      draft: true,
    };
    return `/broadcasts/${(await send('/openapi/broadcasts', { data: body })).id}/edit`;
  },
  rehearsal: (...more) => SCREENS['write-broadcast'](...more),
  segments: async (ask, _, send) => {
    if ((await ask('/openapi/segments')).length > 0) return '/broadcasts/segments';
    const users = (await ask('/openapi/users?filter=kind:contact')).map(({ id }) => id);
    await send('/openapi/segments', { data: { name: 'Regular customers', user_ids: users } });
    await send('/openapi/segments', { data: { name: 'Gold', filter: 'metadata.plan:gold' } });
    return '/broadcasts/segments';
  },
  templates: async (ask, _, send) => {
    if ((await ask('/openapi/templates')).length > 0) return '/broadcasts/templates';
    const text = 'Hello {{user.display_name}}, your order {{number}} is on its way.';
    await send('/openapi/templates', { data: { name: 'On its way', text } });
    return '/broadcasts/templates';
  },
  calls: async (ask, _, send) => {
    if ((await ask('/openapi/calls')).length > 0) return '/calls';
    const conversations = await ask('/openapi/conversations');
    for (const [at, reason] of ['completed', 'declined', 'busy'].entries()) {
      const type = at === 1 ? 'video' : 'voice';
      const call = await send('/openapi/calls', { data: { type, conversation_id: conversations[at].id } });
      await send(`/openapi/calls/${call.id}/end`, { data: { reason } });
    }
    return '/calls';
  },
  locations: async (ask, _, send) => {
    if ((await ask('/openapi/locations/tracking')).length > 0) return '/locations';
    for (const [display_name, latitude, longitude] of COURIERS) {
      const user = await send('/openapi/users', { data: { display_name, consent: { tracking: 'granted' } } });
      await send('/openapi/locations/tracking', {
        data: { user_id: user.id, purpose: 'Delivery of order 4711' },
      });
      const points = Array.from({ length: 20 }, (_item, at) => ({
        latitude: latitude + at / 20,
        longitude: longitude + Math.sin(at / 4) / 3,
        recorded_at: new Date(Date.now() - (20 - at) * 60_000).toISOString(),
      }));
      await send('/openapi/locations', { data: { user_id: user.id, points } });
    }
    return '/locations';
  },
  analytics: () => '/analytics/conversations',
  simulators: () => '/simulators',
  platforms: () => '/platforms',
  connection: async (ask) => `/platforms/${(await ask('/openapi/platforms/connections'))[0].id}`,
  connect: () => '/platforms/new/slack',
  'connect-telegram': () => '/platforms/new/telegram',
  'connect-discord': () => '/platforms/new/discord',
  'connect-sms': () => '/platforms/new/sms',
  keys: () => '/developers/keys',
  apps: async (ask, _, send) => {
    if ((await ask('/oauth-apps')).length > 0) return '/developers/apps';
    const scopes = ['user.read', 'messages.read'];
    const app = { name: 'Shift planner', type: 'confidential', scopes };
    await send('/oauth-apps', { data: { ...app, redirect_uris: ['https://planner.example/callback'] } });
    return '/developers/apps';
  },
  requests: () => '/developers/requests',
  webhooks: async (ask, _, send) => {
    if ((await ask('/api/webhooks')).length > 0) return '/developers/webhooks';
    const events = ['message.created', 'message.sent'];
    const url = `http://127.0.0.1:${receiver.address().port}/hooks/trunkline`;
    await send('/api/webhooks', { data: { url, events, description: 'Orders' } });
    await send('/openapi/messages', { data: { conversation_id: 2, text: REPLIES[0] } });
    return '/developers/webhooks';
  },
  events: () => '/developers/events',
  reference: () => '/developers/reference',
  'sign-in': () => '/settings/sign-in',
  notifications: () => '/settings/notifications',
  members: () => '/settings/members',
  teams: async (ask, _, send) => {
    if ((await ask('/teams')).length > 0) return '/settings/teams';
    const members = (await ask('/members')).map(({ id }) => id);
    await send('/teams', { data: { name: 'Support', member_ids: members } });
    await send('/teams', { data: { name: 'Returns' } });
    return '/settings/teams';
  },
  workspace: () => '/settings/workspace',
  restrict: async (ask, _, send) => {
    const isThere = (await ask('/members')).some(({ user }) => user.email === 'agent@example.test');
    if (!isThere)
      await send('/members', {
        data: { email: 'agent@example.test', role: 'member', display_name: 'Agent' },
      });
    return '/settings/members';
  },
  call: async (ask, _, send) => {
    // A conversation has one call at a time, and the one of the light theme still rings.
    for (const { id, ended_at: endedAt } of await ask('/openapi/calls'))
      if (endedAt === null) await send(`/openapi/calls/${id}/end`, { data: { reason: 'canceled' } });
    const [{ id }] = await ask('/openapi/conversations?filter=type:direct');
    const call = await send('/openapi/calls', { data: { type: 'video', conversation_id: id } });
    return new URL(call.join_url).pathname;
  },
  'audit-log': () => '/settings/audit-log',
  welcome: () => '/welcome',
};

/** Actions on a page before its picture is taken. */
const OPENED = {
  inbox: async (page) =>
    page
      .getByText('sent', { exact: false })
      .nth(REPLIES.length - 1)
      .waitFor(),
  broadcast: async (page) => {
    await page.getByText('Completed').first().waitFor();
    await page.waitForFunction(() => !/Being sent|Pending/.test(document.body.innerText));
  },
  rehearsal: async (page) => {
    await page.getByRole('button', { name: 'Rehearse' }).click();
    const phones = page.locator('figure').first();
    await phones.waitFor();
    await phones.scrollIntoViewIfNeeded();
  },
  restrict: async (page) => {
    await page.getByRole('button', { name: 'Actions of Agent' }).click();
    await page.getByRole('menuitem', { name: 'Show only own teams' }).click();
    await page.getByRole('dialog').getByText('in no team').waitFor();
  },
};

const names = process.argv.slice(2);
const chosen = Object.entries(SCREENS).filter(([name]) => names.length === 0 || names.includes(name));

/** Receives the events of a webhook. */
const receiver = createServer((request, response) => request.resume().once('end', () => response.end()));
await once(receiver.listen(0, '127.0.0.1'), 'listening');

const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-screenshots-'));
const service = spawn(process.execPath, [join(ROOT, 'bin/trunkline.mjs'), 'start', '--simulators'], {
  env: {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDir,
    TRUNKLINE_BOOTSTRAP_EMAIL: OWNER.email,
    TRUNKLINE_BOOTSTRAP_PASSWORD: OWNER.password,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(service, 'close');
try {
  const url = await Promise.race([
    addressOf(service),
    ended.then(() => Promise.reject(new Error('The service ended.'))),
  ]);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  await mkdir(FOLDER, { recursive: true });
  for (const theme of ['light', 'dark']) await picture(browser, url, theme);
  await browser.close();
} finally {
  service.kill('SIGTERM');
  await ended;
  receiver.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** Resolves with the address that the service prints. */
async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    child.stdout.resume();
    return url;
  }
  throw new Error('The service did not listen.');
}

async function picture(browser, url, theme) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: theme });
  await page.goto(`${url}/dashboard/login`);
  await page.getByLabel('E-mail address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard/inbox');
  const ask = async (path) => (await (await page.request.get(`${url}/dashboard/api${path}`)).json()).data;
  // Simulated people send messages in the first seconds.
  while ((await ask('/openapi/conversations')).length < 4) await page.waitForTimeout(200);
  const send = async (path, options) => {
    const { csrf_token: token } = await (await page.request.get(`${url}/dashboard/api/session`)).json();
    const headers = { 'x-csrf-token': token };
    return (await page.request.post(`${url}/dashboard/api${path}`, { ...options, headers })).json();
  };
  const post = async () => {
    const multipart = { file: { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) } };
    return (await send('/contact-imports', { multipart })).id;
  };
  for (const [name, pathOf] of chosen) {
    const path = await pathOf(ask, post, send);
    await page.goto(path.startsWith('/join/') ? url + path : `${url}/dashboard${path}`);
    await page.getByRole('heading').first().waitFor();
    await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
    await OPENED[name]?.(page);
    if (name === 'locations') await page.locator('[data-ready="true"] canvas').waitFor();
    await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`), animations: 'disabled' });
    console.log(`docs/screenshots/${name}-${theme}.png`);
  }
  await page.close();
}
