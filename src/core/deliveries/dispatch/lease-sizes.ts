import type { AccountRate } from '../../rates/rates.js';
import type { OpenAhead } from './attempt-opener.js';
import type { ConnectionRun } from './connection-run.js';

/** Writes under way at once per connection and process: so many may still arrive after the platform has refused the credentials. */
export const IN_FLIGHT = 50;
/** Of an account that may write faster: a platform needs some time for each write. */
const MOST_IN_FLIGHT = 128;
const WRITE_MS = 125;
/** Leased ahead, so that claiming and recording happen in large groups while others are being written. */
const AHEAD = 512;
/** So many are leased at once at least, while others wait for their turn: a group costs what many of its rows do. */
const GROUP = 128;
/** A platform that takes longer for a write gets nothing leased ahead. */
const QUICK_MS = 500;
/** Of a paced account so much is leased ahead: who cancels a broadcast should not wait for what is in hand. */
const AHEAD_MS = 700;
/** Leased in addition for messages that a person waits for. */
const URGENT = 8;
/** Attempts that are opened together at most: a group costs little more than one. */
const OPENED = 48;
/** Of a paced account those of so much time: what is open when a process dies is uncertain. */
const OPENED_MS = 100;

export function inFlightOf(account: AccountRate | null): number {
  if (account === null) return IN_FLIGHT;
  return Math.min(MOST_IN_FLIGHT, Math.max(IN_FLIGHT, Math.ceil((account.perSecond * WRITE_MS) / 1000)));
}

/** So many sends a connection can be given at once, without one by one being claimed; 0: it is paced too slowly for that. */
export function roomAhead(round: ConnectionRun | undefined, account: AccountRate | null): number {
  const inFlight = round?.inFlight ?? inFlightOf(account);
  const whole = inFlight + ((round?.writeMs ?? 0) < QUICK_MS ? AHEAD : 0);
  const room = whole - (round?.underWay ?? 0);
  if (account === null) return Math.max(0, room);
  const ahead = Math.ceil((account.perSecond * AHEAD_MS) / 1000);
  return ahead < AHEAD ? 0 : Math.max(0, Math.min(room, ahead - (round?.awaiting ?? 0)));
}

export function openAheadOf(account: AccountRate | null): OpenAhead {
  const together =
    account === null ? OPENED : Math.min(OPENED, Math.ceil((account.perSecond * OPENED_MS) / 1000));
  return { together, low: Math.floor(together / 2) };
}

/** How many lanes are worth being leased now. */
export interface Wanted {
  readonly most: number;
  readonly urgent: boolean;
}

/** Also sets below how many that wait the round looks again. */
export function wanted(round: ConnectionRun, account: AccountRate | null): Wanted {
  const whole = round.inFlight + (round.writeMs < QUICK_MS ? AHEAD : 0);
  const room = whole - round.underWay;
  if (account === null) {
    const worthwhile = round.reminded || round.underWay <= Math.max(round.inFlight, whole - GROUP);
    return { most: worthwhile ? room : 0, urgent: false };
  }
  const ahead = Math.max(1, Math.ceil((account.perSecond * AHEAD_MS) / 1000));
  round.refillAt = Math.floor(ahead / 2);
  const free = Math.min(room, ahead - round.awaiting);
  if (free <= 0) return { most: round.reminded ? URGENT : 0, urgent: true };
  return { most: round.reminded || round.awaiting <= round.refillAt ? free : 0, urgent: false };
}
