import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { axeFindings } from '../support/axe.js';
import { invite, ownerBrowser } from '../support/browser.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { formOf } from '../support/forms.js';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The screens run one after the other, on a loaded machine. */
const MANY_SCREENS_MS = 240_000;
/** Longer than any space for it, with right-to-left text and stacked marks. */
const HOSTILE = `${'W'.repeat(60)}\u202Egnp.exe<img src=x onerror=alert(1)>${'e\u0301\u0323'.repeat(6)}`;

/** A screen by its address, or by the action that opens it. Buttons are found by their icons, in every language. */
interface Screen {
  readonly path: string;
  readonly open?: (page: Page) => Promise<unknown>;
}

/** What a finger presses and is smaller than 40 px. The boxes that select rows have a larger area than their picture. */
const SMALL = `[...document.querySelectorAll('button, input, textarea, summary, [role="tab"], nav a')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => each.ariaHidden !== 'true' && each.role !== 'checkbox')
  .filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return width > 1 && height > 1 && Math.min(width, height) < 39.5;
  })
  .map((each) => each.ariaLabel ?? each.innerText)`;

const screen = (path: string, open?: Screen['open']): Screen => ({ path, ...(open && { open }) });

const nameOf = ({ path, open }: Partial<Screen>): string =>
  `${path}${open === undefined ? '' : ` ${open.name}`}`;

/** Opens the rehearsal of a draft, with its phones. */
async function rehearse(page: Page): Promise<void> {
  await page.locator('button:enabled:has(.lucide-timer)').click();
  await page.locator('figure strong').first().waitFor();
}

async function askToRestrict(page: Page): Promise<void> {
  await page.locator('td button:has(.lucide-ellipsis)').first().click();
  await page.locator('[role="menuitem"]:has(.lucide-eye-off)').click();
  await page.getByRole('dialog').waitFor();
}

describe.skipIf(!hasChromium())('Every screen of the dashboard', () => {
  const telegram = new TelegramSimulator();
  let stage: DashboardStage;
  let screens: Screen[];

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
    const rehearsed = await api.must(201, 'POST', '/openapi/broadcasts', {
      name: HOSTILE,
      text: `**${HOSTILE}** [${HOSTILE}](https://example.test/${'w'.repeat(80)}) ${HOSTILE.repeat(60)}`,
      content_type: 'markdown',
      draft: true,
      // A chat that the first broadcast did not mark as unknown.
      audience: {
        recipients: [{ platform: 'telegram', address: telegram.address(7) }],
        user_ids: [contact.id],
      },
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
    await invite(stage.service, owner, 'agent');
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
    ].map((path) => screen(path));
    screens.push(
      screen(`/broadcasts/${rehearsed.id}/edit`, rehearse),
      screen('/settings/members', askToRestrict),
      screen('/calls', (page) => openCall(page, String(conversation.id))),
    );
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await telegram.stop();
  });

  /** The page of an unanswered call. It is the only call of its conversation. */
  async function openCall(page: Page, conversation: string): Promise<void> {
    const api = stage.service.client();
    const body = { type: 'video', conversation_id: conversation };
    const call = await api.must(201, 'POST', '/openapi/calls', body);
    await page.goto(String(call.join_url));
    await page.getByRole('heading').first().waitFor();
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`, { reason: 'canceled' });
  }

  async function visitAll(page: Page, look: (name: string) => Promise<unknown>): Promise<unknown[]> {
    await page.waitForURL('**/dashboard/inbox');
    const found: unknown[] = [];
    for (const { path, open } of screens) {
      await page.goto(`${stage.service.url}/dashboard${path}`);
      await page.getByRole('heading').first().waitFor();
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
      await open?.(page);
      found.push(await look(nameOf({ path, open })));
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
      const findings = await visitAll(page, async (name) => ({ name, findings: await axeFindings(page) }));
      expect(findings).toEqual(screens.map((each) => ({ name: nameOf(each), findings: [] })));
    },
    MANY_SCREENS_MS,
  );

  it(
    'gives fingers at least 40 px on a phone',
    async () => {
      const page = await stage.open('/inbox', { viewport: PHONE, hasTouch: true, isMobile: true });
      const small = await visitAll(page, async (name) => ({ name, small: await page.evaluate(SMALL) }));
      expect(small).toEqual(screens.map((each) => ({ name: nameOf(each), small: [] })));
    },
    MANY_SCREENS_MS,
  );

  it.each(['en', 'es', 'zh-CN'])(
    'fits the width of a phone with hostile names, in %s',
    async (locale) => {
      const page = await stage.open('/inbox', { viewport: PHONE, locale });
      const widths = await visitAll(page, async (name) => ({
        name,
        width: await page.evaluate('document.documentElement.scrollWidth'),
      }));
      expect(widths).toEqual(screens.map((each) => ({ name: nameOf(each), width: PHONE.width })));
    },
    MANY_SCREENS_MS,
  );
});
