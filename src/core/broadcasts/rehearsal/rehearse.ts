import type { Caller } from '../../access/caller.js';
import { unavailable } from '../../common/errors.js';
import { FairShares } from '../../shares/fair-shares.js';
import type { Audiences } from '../audience.js';
import type { CreateBroadcastBody } from '../bodies.js';
import type { NewBroadcast } from '../ports.js';
import { type CreateBroadcast, namedAsSent } from '../use-cases.js';
import type { PlannerServices } from './planner.js';
import { PlayedAudience } from './played-audience.js';
import type { RehearsalStore } from './ports.js';
import {
  MAX_PREVIEWS,
  type RehearsalPreview,
  type RehearsalProgress,
  type RehearsalRecord,
} from './record.js';
import type { ShownText } from './shown-texts.js';
import { type SimulatedEnd, simulate } from './simulate.js';

/** Rehearsals that run at once. Each one keeps a transaction open and a CPU core busy. */
const AT_ONCE = 2;
/** Per workspace. */
const MAX_WAITING = 10;
/** Maximum number of texts in a preview. */
const MAX_TEXTS = 50;

export interface RehearsalServices extends PlannerServices {
  readonly store: RehearsalStore;
  readonly audiences: Pick<Audiences, 'filtersOf'>;
  readonly create: Pick<CreateBroadcast, 'broadcastOf'>;
}

export interface RehearsalWatch {
  readonly signal: AbortSignal;
  onProgress(progress: RehearsalProgress): void;
}

/**
 * Simulates a broadcast from its audience to the last call, within the documented limits of its platforms, on a
 * simulated clock. Nothing is stored and no platform is called.
 */
export class RehearseBroadcast {
  readonly #shares = new FairShares({ capacity: AT_ONCE, maxWaiting: MAX_WAITING });

  constructor(private readonly services: RehearsalServices) {}

  /** Raises the same errors as a dry run, and `unavailable` when too many rehearsals wait. */
  async execute(
    caller: Caller,
    body: CreateBroadcastBody,
    resourceId: string,
    watch: RehearsalWatch,
  ): Promise<RehearsalRecord> {
    const broadcast = await this.services.create.broadcastOf(caller, { ...body, draft: true }, resourceId);
    const played = await this.#shares
      .within(caller.workspaceId, () => this.#play(caller, broadcast, watch))
      .catch((cause: unknown) => {
        throw namedAsSent(cause, body);
      });
    if (played !== undefined) return played;
    throw unavailable('backlog', 'Too many rehearsals are under way. Try again in a minute.');
  }

  async #play(
    caller: Caller,
    broadcast: NewBroadcast,
    { signal, onProgress }: RehearsalWatch,
  ): Promise<RehearsalRecord> {
    const filters = await this.services.audiences.filtersOf(caller.workspaceId, broadcast.audience);
    const planning = (done: number, total: number) => onProgress({ stage: 'planning', done, total });
    const audience = new PlayedAudience(this.services, broadcast, planning, signal);
    signal.throwIfAborted();
    await this.services.store.play(broadcast, filters, audience);
    const { simulated } = audience;
    const total = simulated.recipients.length;
    const end = await simulate(simulated, (done) => {
      signal.throwIfAborted();
      onProgress({ stage: 'sending', done, total });
    });
    return describe(audience, broadcast, end);
  }
}

function describe(audience: PlayedAudience, { throttle }: NewBroadcast, end: SimulatedEnd): RehearsalRecord {
  const { found, setup, tallies, closed, preparationMs } = audience;
  const other = throttle != null ? 'throttle' : setup?.is_local === true ? 'schedule' : null;
  const connections = tallies.flatMap((tally) => {
    const figures = end.connections[tally.place];
    return figures === undefined ? [] : [tally.describe(figures, preparationMs, other)];
  });
  const skips = { ...found?.skips };
  if (closed > 0) skips.no_route = (skips.no_route ?? 0) + closed;
  const recipients = connections.reduce((sum, each) => sum + each.recipients, 0);
  return {
    recipients,
    skips,
    parts: tallies.reduce((sum, { parts }) => sum + parts, 0),
    duration_seconds: recipients === 0 ? 0 : Math.round(preparationMs + end.durationMs) / 1000,
    preparation_seconds: Math.round(preparationMs) / 1000,
    without_zone: found?.without_zone ?? 0,
    connections,
    refusals: tallies.flatMap((tally) => tally.refusals),
    degradations: tallies.flatMap((tally) => tally.degradations),
    previews: previewsOf(audience),
  };
}

function previewsOf({ planner, setup, previews }: PlayedAudience): RehearsalPreview[] {
  if (planner === undefined) return [];
  const filesOf = (variant: string | null) =>
    planner.attachmentsOf(variant).map(({ name, type }) => name ?? type);
  const lacking = (setup?.lacking ?? []).map(
    ({ user_id, platform, variant, text, missing }): RehearsalPreview => ({
      ...{ user_id, platform, variant, missing: [...missing] },
      address: null,
      connection_id: null,
      reason: 'missing_variable',
      texts: [text],
      files: filesOf(variant),
      parts: 0,
      degradations: [],
      billed: null,
      refusal: null,
    }),
  );
  const chosen = previews.chosen(MAX_PREVIEWS - lacking.length).map(
    ({ reason, recipient, planned }): RehearsalPreview => ({
      user_id: recipient.user_id,
      address: recipient.is_new ? recipient.address : null,
      connection_id: recipient.connection_id,
      platform: recipient.platform,
      variant: recipient.variant,
      reason,
      ...shownIn(planner.shownOf(recipient.text, planner.standOf(recipient).definition)),
      files: filesOf(recipient.variant),
      parts: planned.parts,
      degradations: [...planned.degradations],
      billed: planned.billed,
      refusal: planned.refusal,
      missing: [],
    }),
  );
  return [...lacking, ...chosen];
}

function shownIn(all: readonly ShownText[]): Pick<RehearsalPreview, 'texts' | 'spans'> {
  const shown = all.slice(0, MAX_TEXTS);
  const spans = shown.map((each) => [...each.spans]);
  const texts = shown.map(({ text }) => text);
  return { texts, ...(spans.some(({ length }) => length > 0) && { spans }) };
}
