import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discordDefinition } from '../../../../../adapters/discord/definition.js';
import { DiscordSimulator } from '../../../../../adapters/discord/simulator/index.js';
import { slackDefinition } from '../../../../../adapters/slack/definition.js';
import { SlackSimulator } from '../../../../../adapters/slack/simulator/index.js';
import { smsDefinition } from '../../../../../adapters/sms/definition.js';
import { TwilioSimulator } from '../../../../../adapters/sms/simulator/index.js';
import { telegramDefinition } from '../../../../../adapters/telegram/definition.js';
import { TelegramSimulator } from '../../../../../adapters/telegram/simulator/index.js';
import { type Adapter, type AdapterDefinition, remoteChatId } from '../../../../../src/contract/index.js';
import { callsOf, RehearsalPlanner } from '../../../../../src/core/broadcasts/rehearsal/planner.js';
import { shownTexts } from '../../../../../src/core/broadcasts/rehearsal/shown-texts.js';
import { planTask } from '../../../../../src/core/deliveries/send/plan-task.js';
import { contentFromMarkdown } from '../../../../../src/core/formatting/markdown.js';
import { RecordingHost } from '../../../../support/adapter-host.js';
import { deliveryTask } from '../../../../support/delivery-task.js';

const WORD = 'A **bold** word and a [link](https://example.test/). ';
const TEXTS = { short: WORD, long: WORD.repeat(150), plain: 'x'.repeat(9_000) };

describe.each([
  [telegramDefinition, new TelegramSimulator({ limits: 'none' })],
  [discordDefinition, new DiscordSimulator({ limits: 'none' })],
  [slackDefinition, new SlackSimulator({ limits: 'none' })],
  [smsDefinition, new TwilioSimulator({ limits: 'none' })],
] as const)('a broadcast on a platform', (typed, simulator) => {
  const definition = typed as unknown as AdapterDefinition;
  let adapter: Adapter;

  beforeAll(async () => {
    await simulator.start();
    const { credentials, settings } = simulator.account();
    const config = {
      credentials: definition.credentials.parse(credentials),
      settings: {
        ingress: definition.ingress[0],
        ...(definition.settings.parse(settings) as object),
        ...settings,
      },
    };
    adapter = await definition.create(config as never, new RecordingHost());
  });
  afterAll(async () => {
    await adapter?.stop();
    await simulator.stop();
  });

  const recipient = (index: number, text: string) => ({
    id: String(index),
    user_id: String(index),
    platform: simulator.platform,
    variant: null,
    due_at: null,
    text,
    connection_id: 'c',
    chat: simulator.address(index),
    address: simulator.address(index),
    is_new: true,
  });

  it('is previewed with the formats that the platform shows', () => {
    const [shown] = shownTexts(contentFromMarkdown('A **bold** [link](https://example.test/).'), definition);
    const { link, bold } = definition.capabilities.text.formats;
    expect(shown?.text).toBe(link === 'native' ? 'A bold link.' : 'A bold link (https://example.test/).');
    expect(shown?.spans.map(({ mark }) => mark)).toEqual([
      ...(bold === 'native' ? ['bold'] : []),
      ...(link === 'native' ? ['link'] : []),
    ]);
  });

  it('is previewed with a link in one message', () => {
    const { max, formats } = definition.capabilities.text;
    const text = `${'x '.repeat(Number(max) / 2 - 10)}[link](https://example.test/with/a/long/path)`;
    const link = formats.link === 'native' ? 'link' : 'link (https://example.test/with/a/long/path)';
    const last = shownTexts(contentFromMarkdown(text), definition).at(-1)?.text;
    expect(last?.slice(-link.length)).toBe(link);
  });

  it.each(Object.entries(TEXTS))('has the same plan and the same calls in every chat: %s', (_, text) => {
    const connection = {
      adapter,
      capabilities: adapter.capabilities(),
      platform: simulator.platform,
      account: null,
      rate: (step: never, to: never) => adapter.rate?.(step, to) ?? { buckets: [] },
    };
    const services = { connections: { find: () => connection }, platforms: { find: () => definition } };
    const kinds = [1, 2, 77].map((index) => {
      const setup = {
        is_local: false,
        total: 3,
        connections: [
          {
            id: 'c',
            platform: simulator.platform,
            name: 'C',
            settings: { rate_per_second: null, chat_pacing: null },
            paused_ms: null,
          },
        ],
        contents: [{ variant: null, attachments: [] }],
        lacking: [],
      };
      const planner = new RehearsalPlanner(services as never, setup, 'markdown', 'marketing');
      const one = recipient(index, text);
      const stand = planner.standOf(one);
      const planned = planner.plan(one, stand);
      const task = deliveryTask(
        {
          link: {
            id: '1',
            external_id: one.chat,
            external_thread_id: null,
            address: null,
            attribution: 'none',
          },
        },
        { text, content_type: 'markdown', category: 'marketing' },
      );
      expect(planned.steps.length).toBe(planTask(task, connection, remoteChatId(one.chat)).steps.length);
      return JSON.stringify([planned.parts, planned.billed, callsOf(one, planned, stand)]);
    });
    expect(new Set(kinds).size).toBe(1);
  });
});
