import { ids } from '../../src/http/openapi/examples/ids.js';
import type { Schema } from './description.js';
import type { Draft } from './draft.js';
import { mutations } from './mutations.js';
import { sessionFlood } from './oddities.js';
import type { Random } from './random.js';
import { textOf, treeOf } from './tree.js';

/** A frame that is sent through an open socket. */
export interface Frame {
  readonly bytes: Buffer;
  readonly binary: boolean;
}

const TYPES = ['offer', 'answer', 'candidate', 'join', 'leave', 'decline', 'bye', 'ping'];
const id: Schema = { type: 'string', format: 'uuid' };
const schema: Schema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: TYPES },
    call_id: id,
    to: id,
    payload: { type: 'object', additionalProperties: {} },
    ref: { type: 'string', minLength: 1, maxLength: 64 },
  },
};
const OF_VALUES = mutations.filter(({ name }) =>
  /^(type|bounds|unicode|surrogate|nul|nesting|duplicate|number|hidden name|missing|unknown|other record)$/.test(
    name,
  ),
);

/** Frames of one socket, and the names of their defects. */
export function framesOf(random: Random, draft: Draft): { frames: Frame[]; mutations: string[] } {
  if (random.chance(0.05)) return { frames: repeated(random), mutations: ['frame flood'] };
  const names = new Set<string>();
  const frames = Array.from({ length: random.int(1, 8) }, (_, at) => frameOf(random, draft, at, names));
  return { frames, mutations: [...names] };
}

function frameOf(random: Random, draft: Draft, at: number, names: Set<string>): Frame {
  const way = random.next();
  if (way < 0.03) {
    names.add('binary frame');
    return { bytes: Buffer.from(random.hex(40), 'hex'), binary: true };
  }
  if (way < 0.1) {
    names.add('frame bytes');
    const text = random.pick([
      '',
      ' ',
      '{',
      'null',
      '[]',
      '"a"',
      '{}',
      '\u0000',
      'a'.repeat(65_536),
      'a'.repeat(65_537),
      '\ufeff{}',
    ]);
    return { bytes: Buffer.from(text), binary: false };
  }
  const payload = way < 0.2 ? { sdp: sessionFlood(random) } : { sdp: 'v=0' };
  if (way < 0.2) names.add('session flood');
  const body = {
    schema,
    tree: treeOf({ type: random.pick(TYPES), call_id: ids.call, to: ids.contact, payload, ref: `r${at}` }),
  };
  if (random.chance(0.7)) {
    const mutation = random.pick(OF_VALUES);
    names.add(mutation.name);
    mutation.apply({ ...draft, body }, random);
  }
  return { bytes: Buffer.from(textOf(body.tree)), binary: false };
}

/** More than a socket may send in a second. */
function repeated(random: Random): Frame[] {
  const frame = { bytes: Buffer.from('{"type":"ping","ref":"r"}'), binary: false };
  return Array.from({ length: random.pick([49, 60, 400]) }, () => frame);
}
