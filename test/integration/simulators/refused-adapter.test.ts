import { expect, it } from 'vitest';
import { slackDefinition } from '../../../adapters/slack/definition.js';
import { SlackSimulator } from '../../../adapters/slack/simulator/index.js';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import { TelegramSimulator } from '../../../adapters/telegram/simulator/index.js';
import { SimulatorControl } from '../../../src/cli/simulators/simulator-control.js';
import type { AnyAdapterDefinition } from '../../../src/contract/index.js';
import { Platforms } from '../../../src/core/platforms/catalogue.js';
import { ReadPlatforms } from '../../../src/core/platforms/use-cases.js';
import { PlaySimulators } from '../../../src/core/simulators/use-cases.js';
import { PostgresConnections } from '../../../src/store/platforms/connections.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { callerIn } from '../../support/stream-stage.js';

let stage: Awaited<ReturnType<typeof bridgeStage>>;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
});

it('the list of simulators shows all of them when the adapter of one is refused', async () => {
  const desks = await Promise.all([new TelegramSimulator(), new SlackSimulator()].map(deskOf));
  const refused = { ...slackDefinition, contractVersion: 99 } as unknown as AnyAdapterDefinition;
  const definitions = [telegramDefinition, refused] as ConstructorParameters<typeof Platforms>[0];
  const store = new PostgresConnections(stage.pool, new AesSecretBox(Buffer.alloc(32, 7)));
  const play = new PlaySimulators(desks, new ReadPlatforms(new Platforms(definitions), store));
  const { data } = await play.list(callerIn(stage.workspaceId));
  const [telegram, slack] = data;
  expect(data.map(({ platform }) => platform)).toEqual(['telegram', 'slack']);
  expect(telegram?.abilities).toEqual(expect.arrayContaining(['edit', 'reply', 'file']));
  // What people can do by themselves needs no adapter.
  expect(slack?.abilities).toContain('edit');
  expect(slack?.abilities).not.toContain('reply');
});

async function deskOf(simulator: TelegramSimulator | SlackSimulator): Promise<SimulatorControl> {
  const { platform } = simulator;
  const connectionId = await stage.connection(platform);
  const played = { platform, name: platform, createCall: '', simulator, connectionId };
  return new SimulatorControl(played, async () => undefined);
}
