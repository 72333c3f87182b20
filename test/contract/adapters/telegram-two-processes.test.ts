import { lookup } from 'node:dns';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import { TelegramSimulator } from '../../../adapters/telegram/simulator/index.js';
import { Supervisor } from '../../../src/connections/supervisor.js';
import { Platforms } from '../../../src/core/platforms/catalogue.js';
import { MemoryConnections } from '../../support/fake-runtime.js';
import { recordingLog } from '../../support/log.js';
import { group } from './telegram-bench.js';

const PATIENT = { timeout: 10_000 };

let simulator: TelegramSimulator;
let runtime: MemoryConnections;
let received: string[];
let processes: Supervisor[];

beforeEach(async () => {
  simulator = new TelegramSimulator();
  await simulator.start();
  const { credentials, settings } = simulator.account();
  runtime = new MemoryConnections();
  runtime.add('t1', 'telegram', { credentials, settings: { ...settings, ingress: 'poll' } });
  received = [];
  processes = [gateway(), gateway()];
});

afterEach(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await simulator.stop();
});

function gateway(): Supervisor {
  const services = {
    runtime,
    receive: async (_id: string, { dedupeKey }: { dedupeKey: string }) => void received.push(dedupeKey),
    fetch,
    assertTarget: async () => lookup,
    openMedia: async () => undefined,
    log: recordingLog(),
    publicUrl: () => 'https://bridge.example',
  };
  return new Supervisor(new Platforms([telegramDefinition as never]), services, { ingress: true });
}

const polls = () => simulator.ledger.entries('getUpdates');
const conflicts = () => polls().filter(({ status }) => status === 409).length;

it('a process that has not noticed the loss of its lease does not stop the connection for all', async () => {
  const [first, second] = processes as [Supervisor, Supervisor];
  await first.start();
  await simulator.post({ chatId: group, sender: 'Ada', text: 'For the first' });
  await expect.poll(() => received.length, PATIENT).toBe(1);
  await second.start();
  // The first process was suspended for longer than its lease: the second one overtakes it and ends its poll.
  runtime.leases.clear();
  await second.poll();
  await expect.poll(conflicts, PATIENT).toBe(1);
  await first.poll();
  await simulator.post({ chatId: group, sender: 'Ada', text: 'For the second' });
  await expect.poll(() => received.length, PATIENT).toBe(2);
  expect(runtime.rows.get('t1')).toMatchObject({ status: 'connected', health: { code: 'ok' } });
  expect(runtime.moves.map(({ to }) => to)).not.toContain('error');
  // The process that no longer reads still sends, through an adapter that it creates again.
  await expect.poll(() => [first.find('t1'), second.find('t1')], PATIENT).not.toContain(undefined);
});
