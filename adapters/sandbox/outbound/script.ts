import type { LookupResult, ReceiptReported } from '../../../src/contract/index.js';
import type { ScriptedFailure } from '../client/errors.js';

/** An event that happens some time after the write. */
export interface LaterEvent {
  readonly afterMs: number;
  readonly happens: ReceiptReported['status'] | { readonly answer: 'same text' | 'STOP' | 'START' };
}

/** The scripted outcome of a message. */
export interface Script {
  /** Every attempt fails with this error. */
  readonly fails?: ScriptedFailure;
  /** The first attempt of a write fails with this error, and the second succeeds. */
  readonly firstTryFails?: ScriptedFailure;
  readonly later?: readonly LaterEvent[];
  /** The result of a lookup of a lost write. */
  readonly lookup: LookupResult['outcome'];
}

const received: readonly LaterEvent[] = [
  { afterMs: 200, happens: 'delivered' },
  { afterMs: 400, happens: 'read' },
];
const answering = (answer: 'same text' | 'STOP' | 'START'): Script => ({
  later: [...received, { afterMs: 400, happens: { answer } }],
  lookup: 'absent',
});

const deliver: Script = { later: received, lookup: 'absent' };

/** CONTRACT section 14. */
const scripts: ReadonlyMap<string, Script> = new Map<string, Script>([
  ['deliver', deliver],
  ['sent', { lookup: 'absent' }],
  ['fail', { fails: 'content_rejected', lookup: 'absent' }],
  ['gone', { fails: 'recipient_gone', lookup: 'absent' }],
  ['block', { fails: 'blocked_by_recipient', lookup: 'absent' }],
  ['late', { later: [{ afterMs: 200, happens: 'failed' }], lookup: 'absent' }],
  ['flaky', { firstTryFails: 'unreachable', later: received, lookup: 'absent' }],
  ['ratelimit', { firstTryFails: 'rate_limited', lookup: 'absent' }],
  ['uncertain', { fails: 'answer_lost', lookup: 'found' }],
  ['unknown', { fails: 'answer_lost', lookup: 'undecidable' }],
  ['echo', answering('same text')],
  ['stop', answering('STOP')],
  ['start', answering('START')],
]);

/** The script of an address. The part after a `+` is ignored, so a script can have any number of addresses. */
export function scriptOf(address: string): Script {
  const [name = ''] = address.split('+', 1);
  return scripts.get(name) ?? deliver;
}
