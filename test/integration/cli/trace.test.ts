import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage, ended } from '../../support/bridge.js';
import { CommandHost } from '../../support/command-line.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let dataDir: string;
let host: CommandHost;
let stage: BridgeStage;
let message: string;

beforeAll(async () => {
  host = new CommandHost();
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'trunkline-trace-'));
  stage = await bridgeStage(database.pool);
  const connection = await stage.connection('alpha');
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, 'chat-7');
  message = (await stage.send(conversation, 'Hello')).id;
  const hostile = {
    code: 'platform_error',
    message: 'No\u001b[31m\nway.',
    permanent: true,
    platform_code: '42',
  };
  await stage.deliveries.settle([
    { ...ended(await stage.claimOne(connection), 'failed', { error: hostile }), error: hostile } as never,
  ]);
});

afterAll(async () => {
  await host.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const trace = (...args: string[]) =>
  host.run(['trace', ...args], {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    // Libraries color the output for such a terminal.
    TERM: 'xterm-256color',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
  });

describe('trunkline trace', () => {
  it('prints the steps of a message as a table with their times', async () => {
    const { code, out } = await trace(message);
    expect(code).toBe(0);
    for (const text of ['Time', 'message accepted', 'delivery created', 'chat-7', 'send, revision 1'])
      expect(out).toContain(text);
    expect(out).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/);
    expect(out).toContain('platform_error: 42: No [31m way.');
    expect(out).not.toContain('\u001b');
  });

  it('prints a step per line as JSON', async () => {
    const { code, out } = await trace(message.toUpperCase(), '--json');
    const steps = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, steps[0].type]).toEqual([0, 'message_accepted']);
    expect(steps).toEqual((await stage.messages.trace(stage.workspaceId, message)).steps);
  });

  it('exits with 2 for an invalid id and with 1 for an unknown one', async () => {
    const wrong = await trace('7');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('The id of a message is a UUID.')]);
    const id = crypto.randomUUID();
    const unknown = await trace(id);
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining(`There is no message with the id ${id}.`),
    ]);
  });
});
