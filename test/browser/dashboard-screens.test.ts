import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { axeFindings } from '../support/axe.js';
import { ownerBrowser } from '../support/browser.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { formOf } from '../support/forms.js';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** One after the other, on a machine that is loaded. */
const MANY_SCREENS_MS = 240_000;
/** Longer than any place for it, from right to left, and with marks on marks. */
const HOSTILE = `${'W'.repeat(60)}\u202Egnp.exe<img src=x onerror=alert(1)>${'e\u0301\u0323'.repeat(6)}`;

describe.skipIf(!hasChromium())('Every screen of the dashboard', () => {
  const telegram = new TelegramSimulator();
  let stage: DashboardStage;
  let screens: string[];

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start()]);
    const api = stage.service.client();
    const contact = await api.must(201, 'POST', '/openapi/users', { display_name: HOSTILE });
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      title: HOSTILE,
      participant_ids: [contact.id],
      message: { text: HOSTILE.repeat(20) },
    });
    const connection = await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: HOSTILE,
      ...telegram.account(),
    });
    const broadcast = await api.must(201, 'POST', '/openapi/broadcasts', {
      name: HOSTILE,
      text: HOSTILE,
      audience: { recipients: [{ platform: 'telegram', address: '77112233' }], user_ids: [contact.id] },
    });
    const draft = await api.must(201, 'POST', '/openapi/broadcasts', {
      name: HOSTILE,
      text: `${HOSTILE} {{${'v'.repeat(60)}}}`,
      draft: true,
      audience: { recipients: [{ platform: 'telegram', address: '77112233' }], user_ids: [contact.id] },
    });
    await api.must(201, 'POST', '/openapi/segments', {
      name: HOSTILE,
      filter: `metadata.x:"${'W'.repeat(200)}"`,
    });
    await api.must(201, 'POST', '/openapi/templates', {
      name: HOSTILE,
      text: `${HOSTILE} {{${'v'.repeat(60)}}}`,
    });
    const webhook = await api.must(201, 'POST', '/api/webhooks', {
      url: `https://shop.example/${'w'.repeat(200)}`,
      events: ['*'],
      description: HOSTILE,
    });
    const owner = await ownerBrowser(stage.service);
    const upload = await owner.send(
      'POST',
      '/contact-imports',
      formOf(`${HOSTILE},E-mail\n${HOSTILE},x\nAda,ada@example.com\n`),
    );
    const done = await owner.send(
      'POST',
      '/contact-imports',
      formOf(`Name,E-mail\n${HOSTILE},x\nAda,ada@example.com\n`),
    );
    const mapping = { columns: ['display_name', 'email'] };
    await owner.must(200, 'POST', `/contact-imports/${done.body.id}/start`, mapping);
    screens = [
      '/home',
      `/inbox/${conversation.number}`,
      '/contacts',
      `/contacts/${contact.id}`,
      '/contacts/imports',
      `/contacts/imports/${upload.body.id}`,
      `/contacts/imports/${done.body.id}`,
      '/broadcasts',
      `/broadcasts/${broadcast.id}`,
      '/broadcasts/segments',
      '/broadcasts/templates',
      '/broadcasts/new',
      `/broadcasts/${draft.id}/edit`,
      '/calls',
      '/locations',
      '/analytics/messages',
      '/analytics/conversations',
      '/analytics/calls',
      '/analytics/broadcasts',
      '/analytics/webhooks',
      '/platforms',
      `/platforms/${connection.id}`,
      '/platforms/new/slack',
      '/developers/keys',
      '/developers/apps',
      '/developers/requests',
      '/developers/webhooks',
      `/developers/webhooks/${webhook.id}`,
      '/developers/events',
      '/developers/reference',
      '/settings/profile',
      '/settings/sign-in',
      '/settings/notifications',
      '/settings/members',
      '/settings/teams',
      '/settings/workspace',
      '/settings/audit-log',
      '/welcome',
    ];
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await telegram.stop();
  });

  async function visitAll(page: Page, look: (path: string) => Promise<unknown>): Promise<unknown[]> {
    await page.waitForURL('**/dashboard/inbox');
    const found: unknown[] = [];
    for (const path of screens) {
      await page.goto(`${stage.service.url}/dashboard${path}`);
      await page.getByRole('heading').first().waitFor();
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
      found.push(await look(path));
    }
    return found;
  }

  it.each([
    { colorScheme: 'light', viewport: DESKTOP },
    { colorScheme: 'dark', viewport: PHONE },
  ] as const)(
    'has no serious axe finding: $colorScheme, $viewport.width px',
    async (options) => {
      const page = await stage.open('/inbox', options);
      const findings = await visitAll(page, async (path) => ({ path, findings: await axeFindings(page) }));
      expect(findings).toEqual(screens.map((path) => ({ path, findings: [] })));
    },
    MANY_SCREENS_MS,
  );

  it.each(['en', 'es', 'zh-CN'])(
    'fits the width of a phone with hostile names, in %s',
    async (locale) => {
      const page = await stage.open('/inbox', { viewport: PHONE, locale });
      const widths = await visitAll(page, async (path) => ({
        path,
        width: await page.evaluate('document.documentElement.scrollWidth'),
      }));
      expect(widths).toEqual(screens.map((path) => ({ path, width: PHONE.width })));
    },
    MANY_SCREENS_MS,
  );
});
