import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentClients, callTool } from '../support/agent-client.js';
import { axeFindings } from '../support/axe.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('The list of agents on the screen of API keys', () => {
  let stage: DashboardStage;
  const clients = new AgentClients();

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await clients.close();
    await stage?.stop();
  });

  it('shows how many conversations an agent has read, and lets it send elsewhere after a release', async () => {
    const api = stage.service.client();
    const [own, other] = await Promise.all(
      [1, 2].map(() => api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] })),
    );
    const agent = await clients.overHttp(stage.service.url, stage.service.key);
    const send = () => callTool(agent, 'send_message', { conversation: String(other?.id), text: 'Hello' });
    await callTool(agent, 'read_conversation', { conversation: String(own?.id) });
    expect((await send()).isError).toBe(true);
    const page = await stage.open('/developers/keys');
    const agents = page.getByRole('region', { name: 'Agents' });
    await agents.getByText('1 conversation').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await agents.getByRole('button', { name: /^Release / }).click();
    await agents.getByText('Nothing').waitFor();
    expect((await send()).isError).toBe(false);
  });
});
