import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { LookupQuery, PlatformError } from '../../contract/index.js';
import { type Fault, waitShapes } from '../../contract/simulation/index.js';
import { type Bench, newKey } from '../bench.js';
import type { Check, Stage } from '../stage.js';
import { must, mustBecome, mustEqual, mustFail, Skipped } from '../verdict.js';

const WAIT_MS = 4_000;
/** Tolerance for the time between a response and its reading, and for dates in whole seconds. */
const LESS_MS = 1_500;
const DAY_MS = 24 * 3_600_000;

export const rateLimits: Check = {
  number: 15,
  title:
    '429 in every form, of a chat and of the account: the wait is reported, no call is repeated, other chats continue',
  async run(stage) {
    for (const shape of waitShapes)
      for (const scope of stage.full ? (['chat', 'account'] as const) : (['chat'] as const))
        await oneLimit(stage, { kind: 'rate_limited', retryAfterMs: WAIT_MS, shape, scope });
    return `${waitShapes.length} shapes`;
  },
};

async function oneLimit(stage: Stage, fault: Extract<Fault, { kind: 'rate_limited' }>): Promise<void> {
  const bench = await stage.open();
  const call = await bench.createCall();
  const what = `A 429 of the ${fault.scope} with its wait as ${fault.shape}`;
  bench.simulator.faults.set({ fault, call });
  const error = await mustFail(bench.send('too fast'), what);
  const { problem } = error;
  must(problem.kind === 'rate_limited', `${what} is mapped to ${problem.kind}.`);
  mustEqual(error.dispatched, 'no', `${what}: dispatched`);
  mustEqual(bench.writes(call), 1, `${what}: number of requests`);
  const { retryAfterMs } = problem;
  const least = fault.shape === 'absent' ? 1 : WAIT_MS - LESS_MS;
  must(
    Number.isFinite(retryAfterMs) && retryAfterMs >= least && retryAfterMs <= DAY_MS,
    `${what}: retryAfterMs is ${retryAfterMs}, and the platform asked for ${WAIT_MS}.`,
  );
  const other = (await bench.simulator.chats()).find(({ id }) => id !== bench.chat)?.id;
  if (problem.scope !== 'account' && other !== undefined) await bench.send('elsewhere', other);
}

/** A port without a listener. */
async function unusedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

interface Loss {
  readonly name: string;
  readonly fault: Fault;
  /** Whether the message is written. */
  readonly written: boolean;
}

const losses: readonly Loss[] = [
  { name: '408', fault: { kind: 'status', status: 408 }, written: false },
  { name: '500', fault: { kind: 'status', status: 500 }, written: false },
  { name: '502', fault: { kind: 'status', status: 502 }, written: false },
  { name: '503', fault: { kind: 'status', status: 503 }, written: false },
  { name: '502 after the write', fault: { kind: 'status', status: 502, written: true }, written: true },
  { name: 'a reset before the write', fault: { kind: 'drop_before' }, written: false },
  { name: 'a reset in the answer', fault: { kind: 'drop_during' }, written: true },
  { name: 'a reset after the write', fault: { kind: 'drop_after' }, written: true },
  { name: 'an answer that comes too late', fault: { kind: 'delay', ms: 1_500 }, written: true },
];
const LATE_MS = 200;

export const certainty: Check = {
  number: 16,
  title:
    '408, 5xx, resets before, during and after the write: the reported certainty is right, nothing is written twice',
  async run(stage) {
    const bench = await stage.open();
    const call = await bench.createCall();
    let found = 0;
    for (const loss of losses) if (await oneLoss(bench, call, loss)) found += 1;
    must(
      found > 0 || !stage.kit.definition.lookup,
      'The definition claims that lost writes can be looked up, and lookup found none that was written.',
    );
    const { credentials, settings } = bench.account;
    const address = new URL(settings.api_base_url ?? '');
    address.port = await unusedPort();
    await bench.connect({ credentials, settings: { ...settings, api_base_url: address.href } });
    const refused = await mustFail(bench.send('no listener'), 'A platform that does not listen');
    mustEqual([refused.problem.kind, refused.dispatched], ['unavailable', 'no'], 'A refused connection');
    return `${losses.length} losses`;
  },
};

/** Whether `lookup` found the message. */
async function oneLoss(bench: Bench, call: string, { name, fault, written }: Loss): Promise<boolean> {
  bench.simulator.ledger.clear();
  bench.simulator.faults.set({ fault, call });
  const operation = bench.operation(`lost by ${name}`);
  const [step] = bench.plan(operation).steps;
  must(step !== undefined, 'The plan of a text has no step.');
  const key = newKey();
  const startedAt = new Date().toISOString();
  const known = (await bench.own()).map(({ id }) => id);
  // AbortSignal.timeout is not used: linked to another signal and not referenced, it is lost at the next garbage collection.
  const late = new AbortController();
  if (fault.kind === 'delay')
    setTimeout(() => late.abort(new DOMException('Too late.', 'TimeoutError')), LATE_MS);
  const error = await mustFail(
    bench.execute(step, operation.to, key, late.signal),
    `A create that ends with ${name}`,
  );
  mustEqual(error.problem.kind, 'unavailable', `The kind of problem for ${name}`);
  const query = { to: operation.to, key, step, startedAt };
  if (fault.kind === 'delay') await mayStillAppear(bench, query, call);
  mustEqual(error.dispatched, 'unknown', `dispatched for ${name}`);
  await mustBecome(() => bench.writes(call) > 0, 'The simulator records the request');
  const requests = fault.kind === 'delay' ? [1, 2] : [1];
  must(
    requests.includes(bench.writes(call)),
    `Requests of a create that ends with ${name}: ${bench.writes(call)}.`,
  );
  const shown = (await bench.own()).filter(({ id }) => !known.includes(id));
  mustEqual(shown.length, written ? 1 : 0, `Messages after ${name}`);
  bench.simulator.faults.clear();
  const found = await bench.adapter.lookup?.(query);
  if (found?.outcome === 'found')
    mustEqual(String(found.remoteId), shown[0]?.id, `The id that lookup returns after ${name}`);
  if (found?.outcome === 'absent')
    must(!written, `lookup returns absent, but the message was written (${name}).`);
  return found?.outcome === 'found';
}

/** Checks that a resend that `lookup` allows makes no second message while the aborted request is still in progress. */
async function mayStillAppear(bench: Bench, query: LookupQuery, call: string): Promise<void> {
  const answer = await bench.adapter.lookup?.({ ...query, closedAt: new Date().toISOString() });
  if (answer?.outcome !== 'absent' || answer.resend === undefined) return;
  await bench.execute(query.step, query.to, query.key);
  await mustBecome(() => bench.writes(call) > 1, 'The simulator ends the delayed request');
}

const ODD_CODE = 91_919;

export const errorKinds: Check = {
  number: 17,
  title: 'Each kind of error can occur; an unknown error keeps its raw code',
  async run(stage) {
    const bench = await stage.open();
    const call = await bench.createCall();
    const provoke = (fault: Fault): Promise<PlatformError> => {
      bench.simulator.faults.set({ fault, call });
      return mustFail(bench.send('provoked'), `A create with the fault ${fault.kind}`);
    };
    const odd = await provoke({ kind: 'refused', code: ODD_CODE });
    must(odd.code?.includes(String(ODD_CODE)), `An unknown error has the code ${odd.code}.`);
    mustEqual([odd.problem.kind, odd.dispatched], ['rejected', 'no'], 'An unknown error');
    // Another reason would state what is not known, such as that the person is gone.
    if (odd.problem.kind === 'rejected')
      mustEqual(odd.problem.reason, 'platform_error', 'The reason of an unknown error');
    const down = await provoke({ kind: 'status', status: 503 });
    mustEqual(down.problem.kind, 'unavailable', 'A platform that is down');
    const limited = await provoke({ kind: 'rate_limited', retryAfterMs: 1 });
    mustEqual(limited.problem.kind, 'rate_limited', 'A 429');
    const fresh = await stage.open();
    fresh.simulator.faults.set({ fault: { kind: 'revoked' }, times: Number.POSITIVE_INFINITY });
    const dead = await mustFail(fresh.send('with a dead token'), 'A create with dead credentials');
    mustEqual([dead.problem.kind, dead.dispatched], ['unauthorized', 'no'], 'Dead credentials');
    mustEqual(
      (await mustFail(fresh.adapter.identify(), 'identify')).problem.kind,
      'unauthorized',
      'identify',
    );
    if (fresh.adapter.checkIngress !== undefined)
      mustEqual(
        (await mustFail(fresh.adapter.checkIngress(), 'checkIngress')).problem.kind,
        'unauthorized',
        'checkIngress',
      );
    for (const { message } of [odd, down, limited, dead])
      must(message.length > 0, 'An error has no message.');
    return undefined;
  },
};

export const migration: Check = {
  number: 24,
  title: 'A chat that moved: the error has the new id, an event reports it, later sends reach it',
  async run(stage) {
    const bench = await stage.open();
    const { simulator } = bench;
    if (simulator.migrate === undefined) throw new Skipped('chats of the platform keep their ids');
    await bench.start();
    const old = bench.chat;
    const moved = await simulator.migrate(old);
    const error = await mustFail(bench.send('to the old id', old), 'A send to the old id');
    const { problem } = error;
    const reported = problem.kind === 'moved' ? problem.toChatId : problem.kind;
    mustEqual(reported, moved, 'The new id in the error for the old id');
    mustEqual(error.dispatched, 'no', 'dispatched for the old id');
    await bench.send('to the new id', moved);
    mustEqual(
      (await bench.own(moved)).map(({ text }) => text),
      ['to the new id'],
      'Messages under the new id',
    );
    await mustBecome(
      () => bench.events().some((event) => event.type === 'chat_moved' && event.toChatId === moved),
      'An event reports the move',
    );
    return undefined;
  },
};

export const isolation: Check = {
  number: 25,
  title: 'Two connections in one process never share tokens, ids or waits',
  async run(stage) {
    const [left, right] = [await stage.open('left'), await stage.open('right')];
    await right.simulator.revokeToken?.();
    await right.connect();
    await Promise.all([left.start(), right.start()]);
    await Promise.all(
      [left, right].flatMap((bench) => [
        bench.post('same words'),
        bench.post(`from the ${bench.connection}`),
      ]),
    );
    for (const bench of [left, right]) {
      await bench.hears('same words');
      await bench.hears(`from the ${bench.connection}`);
      mustEqual((await stage.store.texts(bench.connection)).length, 2, `Messages of the ${bench.connection}`);
    }
    await Promise.all(
      [left, right].flatMap((bench) => [1, 2, 3].map((turn) => bench.send(`${bench.connection} ${turn}`))),
    );
    for (const bench of [left, right])
      must(
        (await bench.own()).length === 3 &&
          (await bench.own()).every(({ text }) => text.startsWith(bench.connection)),
        `A message of the ${bench.connection} was sent to another account.`,
      );
    const call = left.simulator.ledger.entries().findLast(({ committed }) => committed)?.call ?? '';
    left.simulator.faults.set({
      fault: { kind: 'rate_limited', retryAfterMs: 60_000, scope: 'account' },
      call,
    });
    await mustFail(left.send('limited'), 'A limited send');
    await right.send('right goes on');
    for (const bench of [left, right]) {
      const refused = bench.simulator.ledger.entries().filter(({ status }) => status === 401);
      mustEqual(refused.length, 0, `Calls to the ${bench.connection} with another token`);
    }
    return undefined;
  },
};
