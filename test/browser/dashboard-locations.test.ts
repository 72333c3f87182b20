import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { pmtiles } from '../support/pmtiles.js';

const PATIENT = { timeout: 30_000 };
const MINUTE_MS = 60_000;
/** A route through Valencia, oldest first. */
const WAY = [
  [39.4699, -0.3763],
  [39.4752, -0.3701],
  [39.4811, -0.3644],
] as const;

describe.skipIf(!hasChromium())('The locations of the dashboard', () => {
  let stage: DashboardStage;
  let api: ApiClient;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trunkline-map-'));
    const file = join(folder, 'city.pmtiles');
    const layers = ['earth', 'water', 'roads', 'elsewhere'];
    await writeFile(file, pmtiles({ layers, attribution: '<b>Cartographers</b> & <i>friends</i>' }));
    stage = await DashboardStage.startService({ env: { MAP_FILE: file } });
    api = stage.service.client();
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const contact = (display_name: string, tracking = 'granted') =>
    api.must(201, 'POST', '/openapi/users', { display_name, consent: { tracking } });
  const track = (user: Json, purpose: string) =>
    api.must(201, 'POST', '/openapi/locations/tracking', { user_id: user.id, purpose });
  const record = (user: Json, [latitude, longitude]: readonly [number, number], minutesAgo: number) =>
    api.must(201, 'POST', '/openapi/locations', {
      user_id: user.id,
      latitude,
      longitude,
      accuracy: 12,
      recorded_at: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString(),
    });
  const shown = (page: Page, name: string) =>
    page.getByRole('button', { name: `Show the session of ${name}` });
  const mapIsDrawn = (page: Page) => page.locator('[data-ready="true"] canvas').waitFor(PATIENT);

  it('show a live session on the map, its positions in a table, and new positions as they arrive', async () => {
    const ada = await contact('Ada Rider');
    await track(ada, 'Delivery of order 1234');
    for (const [index, place] of WAY.entries()) await record(ada, place, 30 - 10 * index);
    const page = await stage.open('/locations');
    await mapIsDrawn(page);
    await shown(page, 'Ada Rider').click();
    const table = page.getByRole('table', { name: 'Positions of Ada Rider' });
    await table.getByText('39.48110, -0.36440').waitFor();
    await expect.poll(() => table.getByRole('row').count(), PATIENT).toBe(1 + WAY.length);
    await record(ada, [39.4875, -0.3591], 0);
    await table.getByText('39.48750, -0.35910').waitFor(PATIENT);
  });

  it('are drawn on the map that the operator provides, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await stage.open('/home', { colorScheme });
      const tiles: string[] = [];
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.includes('/map/tiles/')) tiles.push(`${response.status()} ${pathname}`);
      });
      await page.getByRole('link', { name: 'Locations' }).click();
      await mapIsDrawn(page);
      await page.getByText('Cartographers & friends | Natural Earth').waitFor();
      expect(tiles).toContain('200 /dashboard/api/map/tiles/1/0/0');
    }
  });

  it('load the library of the map only on their page, and nothing from another origin', async () => {
    const page = await stage.open('/home');
    const libraries: string[] = [];
    const origins = new Set<string>();
    page.on('response', async (response) => {
      const { origin, pathname, protocol } = new URL(response.url());
      if (protocol.startsWith('http')) origins.add(origin);
      if (pathname.endsWith('.js') && (await response.text()).includes('maplibregl-canvas'))
        libraries.push(pathname);
    });
    for (const screen of ['Inbox', 'Contacts', 'Calls', 'Broadcasts', 'Analytics', 'Home']) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      await page.waitForURL(`**/dashboard/${screen.toLowerCase()}**`);
      await page.getByRole('heading').first().waitFor();
    }
    expect(libraries).toEqual([]);
    await page.getByRole('link', { name: 'Locations' }).click();
    await mapIsDrawn(page);
    await expect.poll(() => libraries.length, PATIENT).toBe(1);
    expect([...origins]).toEqual([new URL(stage.service.url).origin]);
  });

  it('share the last position in a conversation once', async () => {
    const grace = await contact('Grace Walker');
    await track(grace, 'Pick-up');
    await record(grace, WAY[0], 1);
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      title: 'With Grace',
      participant_ids: [grace.id],
    });
    const page = await stage.open('/locations');
    await shown(page, 'Grace Walker').click();
    await page.getByRole('button', { name: 'Share the position' }).click();
    await page.getByRole('button', { name: 'With Grace' }).click();
    await page.getByText('The position was sent.').first().waitFor();
    const path = `/openapi/messages?conversation_id=${conversation.id}`;
    const { data } = (await api.must(200, 'GET', path)) as unknown as { data: Json[] };
    expect(data.map(({ attachments }) => attachments)).toMatchObject([
      [{ type: 'location', latitude: WAY[0][0], longitude: WAY[0][1] }],
    ]);
  });

  it('start with a contact, wait for consent, and end when they are stopped', async () => {
    await contact('Linus Courier', 'unknown');
    const page = await stage.open('/locations');
    await page.getByRole('button', { name: 'Start a session' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Contact').fill('Linus');
    await dialog.getByRole('button', { name: 'Linus Courier' }).click();
    await dialog.getByLabel('Purpose').fill('Way home');
    await dialog.getByRole('button', { name: 'Start a session' }).click();
    await shown(page, 'Linus Courier').getByText('Waits for consent').waitFor(PATIENT);
    await shown(page, 'Linus Courier').click();
    await page.getByRole('button', { name: 'Record consent' }).click();
    await shown(page, 'Linus Courier').getByText('Live').waitFor(PATIENT);
    await page.getByRole('button', { name: 'Stop the session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the session' }).click();
    await shown(page, 'Linus Courier').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Ended' }).click();
    await shown(page, 'Linus Courier').getByText('Stopped').waitFor(PATIENT);
  });

  it('stay usable in a browser without WebGL', async () => {
    const bob = await contact('Bob Driver');
    await track(bob, 'Tour');
    const page = await stage.open('/locations');
    await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null;');
    await shown(page, 'Bob Driver').waitFor();
    await page.reload();
    await page.getByText('This browser cannot draw the map').waitFor(PATIENT);
    await shown(page, 'Bob Driver').click();
    await page.getByRole('heading', { name: 'Positions of Bob Driver' }).waitFor();
  });
});
