import { setImmediate as nextTurn } from 'node:timers/promises';
import { clock } from '../../../contract/clock.js';
import type { DryRunResult, NewBroadcast } from '../ports.js';
import type { Call } from './connection-run.js';
import { ConnectionTally } from './connection-tally.js';
import {
  callsOf,
  type PlannedContent,
  type PlannerServices,
  RehearsalPlanner,
  type Stand,
} from './planner.js';
import type { RehearsalAudience, RehearsalSetup, RehearsedRecipient } from './ports.js';
import { PreviewChoice } from './previews.js';
import type { SimulatedBroadcast } from './simulate.js';

/** Maximum time spent planning before this process does other work. */
const SLICE_MS = 10;

/**
 * Collects the audience of a rehearsal. Recipients with the same calls share a kind; only its number is kept for each
 * recipient.
 */
export class PlayedAudience implements RehearsalAudience {
  readonly startedAt = performance.now();
  preparationMs = 0;
  found: DryRunResult | undefined;
  setup: RehearsalSetup | undefined;
  planner: RehearsalPlanner | undefined;
  readonly previews = new PreviewChoice();
  readonly tallies: ConnectionTally[] = [];
  /** Recipients whose chat accepts no messages. */
  closed = 0;
  readonly #places = new Map<Stand, ConnectionTally>();
  readonly #kinds: { readonly connection: number; readonly calls: readonly Call[] }[] = [];
  readonly #kindsByName = new Map<string, number>();
  readonly #recipients: number[] = [];
  readonly #dueAt: number[] = [];
  #seen = 0;

  constructor(
    private readonly services: PlannerServices,
    private readonly broadcast: NewBroadcast,
    private readonly onProgress: (done: number, total: number) => void,
    private readonly signal: AbortSignal,
  ) {}

  begin(found: DryRunResult, setup: RehearsalSetup): void {
    this.preparationMs = performance.now() - this.startedAt;
    this.found = found;
    this.setup = setup;
    const category = this.broadcast.category === 'transactional' ? 'transactional' : 'marketing';
    this.planner = new RehearsalPlanner(this.services, setup, found.content_type, category);
    this.onProgress(0, setup.total);
  }

  async see(recipients: readonly RehearsedRecipient[]): Promise<boolean> {
    const { planner } = this;
    if (planner === undefined) return false;
    let since = performance.now();
    for (const recipient of recipients) {
      this.#take(recipient, planner);
      if (performance.now() - since < SLICE_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    this.#seen += recipients.length;
    this.onProgress(this.#seen, this.setup?.total ?? 0);
    return !this.signal.aborted;
  }

  #take(recipient: RehearsedRecipient, planner: RehearsalPlanner): void {
    if (recipient.chat === null) {
      this.closed += 1;
      return;
    }
    const stand = planner.standOf(recipient);
    const planned = planner.plan(recipient, stand);
    const tally = this.#tallyOf(stand);
    tally.add(recipient, planned);
    this.previews.consider(recipient, planned);
    this.#recipients.push(this.#kindOf(recipient, planned, tally));
    if (this.setup?.is_local === true) this.#dueAt.push(recipient.due_at?.getTime() ?? 0);
  }

  #tallyOf(stand: Stand): ConnectionTally {
    const known = this.#places.get(stand);
    if (known !== undefined) return known;
    const tally = new ConnectionTally(this.tallies.length, stand);
    this.tallies.push(tally);
    this.#places.set(stand, tally);
    return tally;
  }

  #kindOf(recipient: RehearsedRecipient, planned: PlannedContent, { place, stand }: ConnectionTally): number {
    const calls = callsOf(recipient, planned, stand);
    const name = JSON.stringify([place, calls]);
    const known = this.#kindsByName.get(name);
    if (known !== undefined) return known;
    const kind = this.#kinds.push({ connection: place, calls }) - 1;
    this.#kindsByName.set(name, kind);
    return kind;
  }

  /** The collected audience, as input of the simulation. */
  get simulated(): SimulatedBroadcast {
    const perMinute = (this.broadcast.throttle as { per_minute?: number } | null | undefined)?.per_minute;
    // The broadcast starts when the first recipient is due. Recipients whose time has passed are due immediately.
    const start = Math.max(clock.now(), this.#dueAt[0] ?? 0);
    return {
      connections: this.tallies.map(({ stand: { account, connection } }) => ({
        account,
        pausedMs: connection?.paused_ms ?? 0,
      })),
      kinds: this.#kinds,
      recipients: this.#recipients,
      ...(this.setup?.is_local === true ? { dueMs: this.#dueAt.map((at) => Math.max(0, at - start)) } : {}),
      ...(perMinute === undefined ? {} : { perMinute }),
    };
  }
}
