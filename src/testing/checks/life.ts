import { type Bench, ingressOf } from '../bench.js';
import type { Check, Stage } from '../stage.js';
import { must, mustBecome, mustEqual, mustFail, pause, Skipped, settles } from '../verdict.js';

const PROMPT_MS = 5_000;
/** Number of library timers that may remain because they end without `stop`. */
const SPARE_TIMERS = 3;
/** Observation time, long enough to detect an adapter that reconnects in a tight loop. */
const CALM_MS = 400;

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);

export const lifecycle: Check = {
  number: 18,
  title: 'start twice, stop twice, stop during start, many cycles: nothing leaks, one poller at a time',
  async run(stage) {
    if (!stage.hasNetwork) return withoutNetwork(stage);
    const bench = await stage.open();
    await bench.adapter.checkIngress?.();
    mustEqual(bench.simulator.connections ?? 0, 0, 'Sockets that checkIngress opens');
    await Promise.all([bench.start(), bench.adapter.start()]);
    await bench.post('heard once');
    await bench.hears('heard once');
    must(bench.host.inFlight <= 1, `${bench.host.inFlight} requests wait for events at the same time.`);
    must(
      (bench.simulator.connections ?? 0) <= 1,
      `${bench.simulator.connections} sockets are open at the same time.`,
    );
    mustEqual(
      bench.simulator.ledger.entries().filter(({ status }) => status === 409).length,
      0,
      'Conflicts between pollers',
    );
    await stopped(bench);
    const before = { timers: timers(), listeners: listeners() };
    const cycles = stage.full ? 100 : 5;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await bench.connect();
      const starting = bench.adapter.start().catch((error: unknown) => error);
      // Every second one is stopped while it starts.
      if (cycle % 2 === 0) await starting;
      await stopped(bench);
      must(await settles(starting, PROMPT_MS), 'start does not end after stop.');
    }
    await mustBecome(() => timers() <= before.timers + SPARE_TIMERS, 'Timers end with their connections');
    must(listeners() <= before.listeners, 'Listeners of the process remain.');
    return `${cycles} cycles`;
  },
};

async function withoutNetwork(stage: Stage): Promise<string> {
  if (stage.kit.offline !== undefined) throw new Skipped(stage.absence);
  const adapter = await stage.bare();
  await adapter.start();
  await adapter.start();
  await adapter.stop();
  await adapter.stop();
  return 'nothing to open';
}

async function stopped(bench: Bench): Promise<void> {
  const { adapter, host, simulator } = bench;
  must(await settles(Promise.all([adapter.stop(), adapter.stop()]), PROMPT_MS), 'stop does not end in time.');
  await mustBecome(
    () => host.inFlight === 0 && (simulator.connections ?? 0) === 0,
    'Requests and sockets end with stop',
  );
}

export const revocation: Check = {
  number: 19,
  title:
    'Token revoked while running: reported once, without a flood of retries; a new token works without a restart',
  async run(stage) {
    const bench = await stage.open();
    await bench.start();
    await bench.post('before');
    await bench.hears('before');
    const { simulator, host } = bench;
    if (simulator.revokeToken === undefined) throw new Skipped('the simulator can’t revoke its credentials');
    await simulator.revokeToken();
    if (bench.ingress !== 'webhook')
      await settles(
        mustBecome(() => reported(bench) > 0, 'reported', 2_000),
        3_000,
      );
    const error = await mustFail(bench.send('with a dead token'), 'A send with a dead token');
    mustEqual(error.problem.kind, 'unauthorized', 'The error for a dead token');
    must(reported(bench) <= 1, `Dead credentials are reported ${reported(bench)} times.`);
    simulator.ledger.clear();
    await pause(CALM_MS);
    must(
      simulator.ledger.entries().length <= 2,
      `${simulator.ledger.entries().length} calls with a dead token within ${CALM_MS} ms.`,
    );
    must(
      host.reports.every(({ code }) => code !== 'misconfigured'),
      'A dead token is reported as a setup error.',
    );
    await bench.adapter.stop();
    await bench.connect();
    await bench.start();
    await bench.send('with the new token');
    await bench.post('after');
    await bench.hears('after');
    return undefined;
  },
};

const reported = ({ host }: Bench) => host.reports.filter(({ code }) => code === 'bad_credentials').length;

export const liveness: Check = {
  number: 20,
  title: 'An idle connection stays healthy; a broken one is noticed, a silent one within two heartbeats',
  async run(stage) {
    const probe = await stage.open();
    if (ingressOf(stage.kit, probe.account) === 'webhook')
      throw new Skipped('webhooks keep no connection open');
    await probe.start();
    await pause(stage.full ? 3 * CALM_MS : CALM_MS);
    const unwell = probe.host.reports.filter(({ code }) => code !== 'ok' && code !== 'connecting');
    mustEqual(unwell, [], 'Health reports of an idle connection');
    await probe.simulator.disconnect?.();
    await probe.post('after the break');
    await probe.hears('after the break');
    const { heartbeatMs } = stage.kit;
    if (heartbeatMs === undefined || probe.simulator.freeze === undefined || !stage.full) return undefined;
    const reports = probe.host.reports.length;
    const connects = probe.simulator.ledger.entries().length;
    await probe.simulator.freeze(true);
    await mustBecome(
      () =>
        probe.host.reports.slice(reports).some(({ code }) => code !== 'ok') ||
        probe.simulator.ledger
          .entries()
          .slice(connects)
          .some(({ call }) => /connect|open/i.test(call)),
      'A silent line is noticed within two heartbeats',
      heartbeatMs * 2 + PROMPT_MS,
    );
    await probe.simulator.freeze(false);
    await probe.simulator.disconnect?.();
    await probe.post('after the silence');
    await probe.hears('after the silence');
    return 'with a silent line';
  },
};
