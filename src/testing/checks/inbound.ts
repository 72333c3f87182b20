import { clock, type InboundEvent, type ReceiptReported } from '../../contract/index.js';
import { EVENT_CALL } from '../../contract/simulation/index.js';
import { type Bench, REFERENCE } from '../bench.js';
import type { CrashPoint } from '../reference-host.js';
import type { Check, Stage } from '../stage.js';
import { must, mustBecome, mustEqual, Skipped, settles } from '../verdict.js';
import { requestOf } from '../webhook-endpoint.js';
import { secretValues } from './definition.js';

const HURRY = ['one', 'two', 'three', 'four', 'five'];

export const redelivery: Check = {
  number: 6,
  title: 'An event that is delivered three times, out of order and concurrently, is one event',
  async run(stage) {
    const bench = await stage.open();
    await bench.start();
    const { faults } = bench.simulator;
    faults.set({ fault: { kind: 'duplicate', times: 3 }, call: EVENT_CALL, times: 2 });
    faults.set({ fault: { kind: 'reorder' }, call: EVENT_CALL });
    faults.set({ fault: { kind: 'duplicate', times: 3 }, call: EVENT_CALL, times: 2 });
    await Promise.all(HURRY.map((text) => bench.post(text)));
    for (const text of HURRY) await bench.hears(text);
    await again(bench);
    await bench.post('last');
    await bench.hears('last');
    const texts = [...(await bench.store.texts(bench.connection))].sort();
    mustEqual(texts, [...HURRY, 'last'].sort(), 'Each message takes effect once');
    const spoken = bench.events().flatMap((event) => (event.type === 'message' ? [event.content.text] : []));
    mustEqual(spoken.sort(), [...HURRY, 'last'].sort(), 'A redelivered event has the same key');
    await inOrder(stage);
    return undefined;
  },
};

/** Checks that events take effect in the platform's order, also if one response contains several events. */
async function inOrder(stage: Stage): Promise<void> {
  const bench = await stage.open();
  await bench.start();
  const orderly = bench.ingress !== 'webhook';
  for (const text of HURRY) {
    await bench.post(text);
    // Webhooks may arrive out of order.
    if (!orderly) await bench.hears(text);
  }
  for (const text of HURRY) await bench.hears(text);
  mustEqual(await bench.store.texts(bench.connection), HURRY, 'The order of messages');
  const lanes = bench.envelopes.flatMap((envelope) =>
    bench.adapter.decode(envelope).some(({ type }) => type === 'message') ? [envelope.lane] : [],
  );
  mustEqual(new Set(lanes).size, 1, 'The number of lanes of the messages of one chat');
}

/** Repeats the platform's requests, all at the same time. */
async function again({ endpoint, adapter }: Bench): Promise<void> {
  const answers = await Promise.all(
    [...endpoint.requests, ...endpoint.requests].map((request) => adapter.handle?.(requestOf(request))),
  );
  for (const answer of answers)
    must(
      answer === undefined || answer.ok,
      `The response to a repeated webhook has the status ${answer?.status}.`,
    );
}

export const crashes: Check = {
  number: 7,
  title: 'A crash between receipt, commit and acknowledgement: handled after the restart, once',
  async run(stage) {
    for (const crash of ['before commit', 'after commit'] as const) {
      const bench = await stage.open();
      await bench.start();
      const text = `crash ${crash}`;
      bench.host.crash = { when: crash, at: text };
      await bench.post(text);
      await mustBecome(() => bench.host.dead, 'The event reaches the bridge');
      await restart(bench);
      await bench.hears(text);
      await bench.post(`after the ${text}`);
      await bench.hears(`after the ${text}`);
      const texts = await bench.store.texts(bench.connection);
      mustEqual(texts.filter((each) => each === text).length, 1, `Number of messages after the ${text}`);
      await crashAmong(stage, crash);
    }
    return undefined;
  },
};

const TOGETHER = ['first of three', 'second of three', 'third of three'];

/** Checks that no event is lost or repeated if the process dies at the second of several events of one response. */
async function crashAmong(stage: Stage, when: CrashPoint): Promise<void> {
  const bench = await stage.open();
  await bench.start();
  bench.host.crash = { when, at: 'second of three' };
  for (const text of TOGETHER) await bench.post(text);
  await mustBecome(() => bench.host.dead, 'The second event reaches the bridge');
  await restart(bench);
  for (const text of TOGETHER) await bench.hears(text);
  const texts = [...(await bench.store.texts(bench.connection))].sort();
  mustEqual(texts, [...TOGETHER].sort(), `Messages after a crash ${when} among several`);
}

/** Simulates a new process that starts with the stored state. The sockets of the old process are closed. */
async function restart(bench: Bench): Promise<void> {
  const { adapter } = bench;
  bench.endpoint.hold();
  await bench.simulator.disconnect?.();
  must(await settles(adapter.stop(), STOP_MS), 'stop does not end while the bridge cannot store events.');
  await bench.connect();
  // The test process, which keeps running, pools the sockets. The first call may use one that was closed.
  await bench.start().catch(() => bench.start());
  bench.endpoint.reopen();
}

const STOP_MS = 5_000;

const rank: Readonly<Record<ReceiptReported['status'], number>> = {
  sent: 1,
  delivered: 2,
  read: 3,
  failed: 4,
};

export const receipts: Check = {
  number: 26,
  title: 'Delivery updates in any order and repetition end in the same state',
  async run(stage) {
    if (stage.kit.definition.capabilities.ops.delivered !== 'native')
      throw new Skipped('the definition claims no delivery updates');
    const bench = await stage.open();
    await bench.start();
    bench.simulator.faults.set({ fault: { kind: 'duplicate', times: 3 }, call: EVENT_CALL });
    bench.simulator.faults.set({ fault: { kind: 'reorder' }, call: EVENT_CALL });
    const [receipt] = await bench.send('to be delivered');
    const reported = () => bench.events().filter(isReceipt);
    await mustBecome(
      () => reported().some(({ status }) => status === 'delivered') && reported().length >= 2,
      'The delivery is reported',
    );
    namesItsReference(bench);
    for (const { messageId } of reported())
      mustEqual(String(messageId), String(receipt?.remoteId), 'The message of a delivery update');
    const all = reported();
    for (const order of shuffles(all)) mustEqual(finalState(order), 'delivered', 'The final state');
    return `${all.length} updates`;
  },
};

/** Checks that reports return the reference of the create, if the adapter gave it to the platform. */
function namesItsReference(bench: Bench): void {
  const gave = JSON.stringify(bench.simulator.ledger.entries().map(({ request }) => request)).includes(
    REFERENCE,
  );
  for (const event of bench.events())
    if (gave && isReceipt(event))
      mustEqual(event.reference, REFERENCE, 'The reference in a delivery update, which the create named');
}

const isReceipt = (event: InboundEvent): event is ReceiptReported => event.type === 'receipt';

/** The final state as the bridge computes it. A state never goes back. */
function finalState(all: readonly ReceiptReported[]): string {
  return [...all].sort((a, b) => rank[b.status] - rank[a.status])[0]?.status ?? 'none';
}

function shuffles<T>(all: readonly T[]): T[][] {
  return all.map((_, start) => [...all.slice(start), ...all.slice(0, start)]);
}

export const signatures: Check = {
  number: 5,
  title: 'Signatures: valid 200; wrong key, stale or future, altered or missing 401 and nothing stored',
  async run(stage) {
    const { definition, signature } = stage.kit;
    if (!definition.ingress.includes('webhook')) throw new Skipped('the definition has no webhook ingress');
    must(signature !== undefined, 'The kit does not say how webhooks are signed.');
    const bench = await stage.open();
    if (bench.ingress !== 'webhook') throw new Skipped(`the ingress of this connection is ${bench.ingress}`);
    await signedRequests(bench, stage, signature);
    return signature.timestampHeader === undefined ? 'the platform’s signature carries no time' : undefined;
  },
};

async function signedRequests(
  bench: Bench,
  stage: Stage,
  { header, timestampHeader, coversBody }: NonNullable<Stage['kit']['signature']>,
): Promise<void> {
  await bench.start();
  await bench.post('signed');
  await bench.hears('signed');
  const valid = bench.endpoint.requests.at(-1);
  must(valid?.headers[header] !== undefined, `The platform's request has no header ${header}.`);
  const { host } = bench;
  const before = host.received;
  const refuse = async (what: string, change: object, adapter = bench.adapter) => {
    const answer = await adapter.handle?.(requestOf({ ...valid, ...change }));
    mustEqual(answer?.status, 401, `The status of the response to a webhook with ${what}`);
    mustEqual(host.received, before, `Number of events stored from a webhook with ${what}`);
    await showsNoSecret(bench, answer);
  };
  const { [header]: _, ...unsigned } = valid.headers;
  await refuse('no signature', { headers: unsigned });
  await refuse('an empty signature', { headers: { ...unsigned, [header]: '' } });
  await refuse('a changed signature', {
    headers: { ...valid.headers, [header]: `${valid.headers[header]}0` },
  });
  if (coversBody) await refuse('an altered byte', { body: altered(valid.body) });
  if (timestampHeader !== undefined)
    for (const shift of [-TEN_MINUTES_MS, TEN_MINUTES_MS])
      await atAnotherTime(shift, () => refuse(`a time ${shift / 60_000} minutes off`, {}));
  await bench.connect(withOtherSecrets(bench, stage));
  const impostor = bench.adapter;
  await refuse('another key', {}, impostor);
  mustEqual(bench.host.received, 0, 'Number of events stored from a webhook with another key');
}

/** Anybody can read the response to a request without a valid signature. */
async function showsNoSecret(bench: Bench, answer: Response | undefined): Promise<void> {
  const shown = JSON.stringify([await answer?.text(), ...(answer?.headers ?? [])]);
  for (const value of secretValues(bench))
    must(!shown.includes(value), 'The response to an unsigned webhook contains a secret.');
}

const TEN_MINUTES_MS = 600_000;

function altered(body: Buffer): Buffer {
  const copy = Buffer.from(body);
  const at = copy.indexOf('signed');
  copy[at] = 'S'.charCodeAt(0);
  return copy;
}

/** Every credential with its last character changed. */
function withOtherSecrets({ account }: Bench, { kit }: Stage) {
  const turned = Object.entries(account.credentials).map(([name, value]) => {
    const last = value.at(-1) === '0' ? '1' : '0';
    return [name, `${value.slice(0, -1)}${last}`];
  });
  const credentials = Object.fromEntries(turned) as Record<string, string>;
  const parsed = kit.definition.credentials.safeParse(credentials);
  return { ...account, credentials: parsed.success ? credentials : account.credentials };
}

/** Runs the function with all clocks shifted. */
async function atAnotherTime(shiftMs: number, act: () => Promise<void>): Promise<void> {
  const { now } = Date;
  const shift = (ms: number) => {
    const at = performance.now();
    clock.agree(clock.now() + ms, at, at);
  };
  Date.now = () => now() + shiftMs;
  shift(shiftMs);
  try {
    await act();
  } finally {
    Date.now = now;
    shift(-shiftMs);
  }
}
