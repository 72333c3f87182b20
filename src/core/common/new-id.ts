import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { clock } from '../../contract/clock.js';

const SEQUENCES = 2 ** 31;

let at = 0;
let sequence = 0;

/** Generates an id that contains its creation time by the clock of the database. Ids of one process are strictly increasing. */
export function newId(): string {
  const now = clock.now();
  sequence = now > at ? randomInt(SEQUENCES) : (sequence + 1) % SEQUENCES;
  if (now > at) at = now;
  else if (sequence === 0) at += 1;
  return v7({ msecs: at, seq: sequence });
}
