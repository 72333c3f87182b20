import type { AccountRate } from '../../rates/rates.js';
import type { OpenAhead } from './attempt-opener.js';
import type { ConnectionRun } from './connection-run.js';

/** Concurrent writes per connection and process. This many may still arrive after the platform has refused the credentials. */
export const IN_FLIGHT = 50;
/** The same for an account with a higher rate, because each write takes about WRITE_MS. */
const MOST_IN_FLIGHT = 128;
const WRITE_MS = 125;
/** Tasks that are leased ahead of their write, so that claims and records are large batches. */
const AHEAD = 512;
/** Minimum batch size for a claim while other tasks wait. A small batch costs almost as much as a large one. */
const GROUP = 128;
/** Nothing is leased ahead for a platform whose writes take longer. */
const QUICK_MS = 500;
/** Lease-ahead of an account with a rate, as the time of its writes. A canceled broadcast waits for leased tasks. */
const AHEAD_MS = 700;
/** Additional leases for messages that a person waits for. */
const URGENT = 8;
/** Maximum number of attempts that are opened together. A batch costs little more than one attempt. */
const OPENED = 48;
/** The same for an account with a rate, as the time of its writes. Open attempts are uncertain when the process dies. */
const OPENED_MS = 100;

export function inFlightOf(account: AccountRate | null): number {
  if (account === null) return IN_FLIGHT;
  return Math.min(MOST_IN_FLIGHT, Math.max(IN_FLIGHT, Math.ceil((account.perSecond * WRITE_MS) / 1000)));
}

/** The number of sends that may be leased for a connection when they are stored. 0: its rate is too low to lease ahead. */
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

/** How many lanes to lease now. */
export interface Wanted {
  readonly most: number;
  readonly urgent: boolean;
}

/** Also sets `refillAt` of the run. */
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
