import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentClients, callTool } from '../support/agent-client.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { axeFindings } from '../support/axe.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('A message that an agent proposes', () => {
  let stage: DashboardStage;
  let api: ApiClient;
  const clients = new AgentClients();

  beforeAll(async () => {
    stage = await DashboardStage.start();
    api = stage.service.client();
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await clients.close();
    await stage?.stop();
  });

  async function conversation(): Promise<Json> {
    const guest = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ada' });
    return api.must(201, 'POST', '/openapi/conversations', { participant_ids: [guest.id] });
  }

  async function propose({ id }: Json, text: string): Promise<void> {
    const client = await clients.overHttp(stage.service.url, stage.service.key);
    const { isError } = await callTool(client, 'draft_message', { conversation: String(id), text });
    expect(isError).toBe(false);
  }

  async function open({ number }: Json): Promise<Page> {
    const page = await stage.open(`/inbox/${number}`);
    await page.getByLabel('Write a message').waitFor();
    return page;
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const card = (page: Page) => page.getByRole('region', { name: 'Proposed message' });

  it('appears without a reload, and becomes a message of the conversation when it is approved', async () => {
    const about = await conversation();
    const page = await open(about);
    await propose(about, 'It is on its way.');
    await card(page).getByText('It is on its way.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Approve and send').click();
    await page.getByRole('article').filter({ hasText: 'It is on its way.' }).waitFor();
    await card(page).waitFor({ state: 'detached' });
  });

  it('can be edited before it is sent, and is followed by the next proposal', async () => {
    const about = await conversation();
    await propose(about, 'Tomorrow');
    await propose(about, 'Another one');
    const page = await open(about);
    await card(page).getByText('1 more proposal waits.').waitFor();
    await button(page, 'Edit the proposal').click();
    await page.getByLabel('Text of the proposed message').fill('Today');
    await button(page, 'Send the edited text').click();
    await page.getByRole('article').filter({ hasText: 'Today' }).waitFor();
    await card(page).getByText('Another one').waitFor();
    await button(page, 'Refuse the proposal').click();
    await card(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(1);
  });
});
