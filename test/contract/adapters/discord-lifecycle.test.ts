import { lookup } from 'node:dns';
import { afterEach, describe, expect, it } from 'vitest';
import { GatewayConnection } from '../../../adapters/discord/ingress/gateway-connection.js';
import type { DiscordSimulatorOptions } from '../../../adapters/discord/simulator/index.js';
import { DiscordBench } from '../../support/discord.js';

let bench: DiscordBench;
const open = async (options: DiscordSimulatorOptions = {}) => {
  bench = await DiscordBench.open(options);
  return bench;
};
afterEach(() => bench.close());

const post = (text: string, chatId = bench.chat()) => bench.simulator.post({ chatId, sender: 'Ada', text });

describe('the stop of the Discord adapter', () => {
  it('is idempotent, closes the socket and keeps the session for the successor', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    await Promise.all([adapter.stop(), adapter.stop()]);
    await host.until(() => simulator.gateway.connections === 0);
    await post('while stopped');
    const successor = await bench.started();
    await host.until(() => host.envelopes.length === 1);
    expect(bench.texts(successor)).toEqual(['while stopped']);
  });

  it('ends a running start at any moment and leaves no connection', async () => {
    const { host, simulator } = await open();
    for (let turns = 0; turns < 12; turns += 1) {
      const adapter = await bench.adapter();
      const starting = adapter.start();
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      await adapter.stop();
      await starting;
    }
    await host.until(() => simulator.gateway.connections === 0);
  });

  it('ends a dial in progress before any login', async () => {
    const { simulator } = await open();
    const url = String(simulator.account().settings.api_base_url).replace('http', 'ws');
    let ended = 0;
    const ignore = () => undefined;
    const events = {
      ready: ignore,
      resumed: ignore,
      dispatch: ignore,
      unreadable: ignore,
      ending: () => {
        ended += 1;
      },
    };
    const dial = () =>
      new GatewayConnection({ token: 't', url, lookup, intents: 1, session: () => undefined, events });
    await dial().destroy('stopped');
    dial();
    await bench.host.until(() => ended === 2);
    expect(bench.count('gateway.identify')).toBe(1);
  });

  it('allows another start', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    await adapter.stop();
    await adapter.start();
    await post('again');
    await host.until(() => host.envelopes.length === 1);
    expect(bench.texts(adapter)).toEqual(['again']);
  });

  it('is canceled by another start, unless it is stopped once more', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    const stopping = adapter.stop();
    await Promise.all([stopping, adapter.start()]);
    await post('again');
    await host.until(() => host.envelopes.length === 1);
    expect(simulator.gateway.connections).toBe(1);
    await Promise.all([adapter.stop(), adapter.start(), adapter.stop()]);
    await host.until(() => simulator.gateway.connections === 0);
  });

  it('is prompt while a commit hangs', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    let hangs = false;
    host.receive = () => {
      hangs = true;
      return new Promise<void>(() => undefined);
    };
    await post('hangs');
    await host.until(() => hangs);
    const began = Date.now();
    await adapter.stop();
    expect(Date.now() - began).toBeLessThan(2_500);
  });
});
