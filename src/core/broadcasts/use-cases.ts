import type { Caller } from '../access/caller.js';
import { AppError, notFound } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import { type TakeAttachments, takeFor } from '../media/take-attachments.js';
import type { Addresses } from '../platforms/addresses.js';
import { type Audiences, checkFilter, completeAudience, completeSchedule } from './audience.js';
import type { ChangeBroadcastBody, CreateBroadcastBody } from './bodies.js';
import { DryRunTally, type RenderPreview } from './dry-run.js';
import type { BroadcastFields, BroadcastMove, BroadcastStore, BroadcastWork, NewBroadcast } from './ports.js';
import type {
  BroadcastProgress,
  BroadcastRecipientRecord,
  BroadcastRecord,
  DryRunRecord,
  PlatformCount,
} from './record.js';
import { cancelQueued, holdAll } from './run.js';

/** Use cases of broadcasts in the API. */

export class CreateBroadcast {
  constructor(
    private readonly store: BroadcastStore,
    private readonly audiences: Audiences,
    private readonly takeAttachments: TakeAttachments,
    private readonly renderPreview: RenderPreview,
    private readonly addresses: Addresses,
  ) {}

  /** Stores a broadcast and starts it unless it is a draft. Raises `not_found` for unknown users, segments and templates. */
  async execute(
    caller: Caller,
    body: CreateBroadcastBody,
    resourceId: string,
    claim?: ClaimKey,
  ): Promise<BroadcastRecord> {
    const broadcast = await this.broadcastOf(caller, body, resourceId);
    const stored = this.store.create(claim === undefined ? broadcast : { ...broadcast, claim });
    return stored.catch((error: unknown) => {
      throw namedAsSent(error, body);
    });
  }

  /** Returns what {@link execute} would do. Nothing is stored. */
  async dryRun(caller: Caller, body: CreateBroadcastBody, resourceId: string): Promise<DryRunRecord> {
    const broadcast = await this.broadcastOf(caller, { ...body, draft: true }, resourceId);
    const filters = await this.audiences.filtersOf(caller.workspaceId, broadcast.audience);
    const tally = new DryRunTally(this.renderPreview);
    const rehearsed = await this.store
      .rehearse(broadcast, filters, (texts, contentType) => {
        for (const text of texts) tally.add(text, contentType);
      })
      .catch((error: unknown) => {
        throw namedAsSent(error, body);
      });
    return tally.describe(rehearsed, broadcast);
  }

  /** The broadcast described by a body. Nothing is stored. */
  async broadcastOf(caller: Caller, body: CreateBroadcastBody, id: string): Promise<NewBroadcast> {
    const { recipient_ids: userIds, draft, audience: named, ...rest } = body;
    const audience = { ...named, ...(userIds === undefined ? {} : { user_ids: userIds }) };
    const change = { ...rest, audience } as ChangeBroadcastBody;
    const fields = await fieldsOf(change, this.takeAttachments, this.addresses, caller);
    return { ...fields, id, workspace_id: caller.workspaceId, created_by: caller.userId, draft };
  }
}

/** Names `recipient_ids` in an error about an unknown user if the client used this alias of `audience.user_ids`. */
export function namedAsSent(error: unknown, body: CreateBroadcastBody): unknown {
  const isAlias = body.recipient_ids !== undefined && body.audience?.user_ids === undefined;
  if (!isAlias || !(error instanceof AppError) || error.details?.field !== 'audience.user_ids') return error;
  return notFound('A recipient', 'recipient_ids');
}

/** The fields as they are stored. Raises `invalid_request` for an invalid filter or address. */
async function fieldsOf(
  body: ChangeBroadcastBody,
  take: TakeAttachments,
  installed: Addresses,
  { workspaceId, environment }: Caller,
): Promise<BroadcastFields> {
  const { attachments, variants, audience, schedule, ...rest } = body;
  const addresses = installed.of(environment);
  checkFilter(audience);
  addresses.checkPlatforms(rest.platforms ?? [], 'platforms');
  const stored = await Promise.all(
    variants?.map(async (variant, index) => ({
      key: variant.key,
      weight: variant.weight,
      text: variant.text ?? null,
      attachments:
        variant.attachments == null
          ? null
          : await take.execute(workspaceId, variant.attachments, `variants.${index}.attachments`),
    })) ?? [],
  );
  return {
    ...(rest as BroadcastFields),
    ...(audience === undefined ? {} : { audience: completeAudience(audience, addresses) }),
    ...(schedule === undefined ? {} : { schedule: completeSchedule(schedule) }),
    ...(variants === undefined ? {} : { variants: stored }),
    ...(attachments === undefined ? {} : { attachments: await take.execute(workspaceId, attachments) }),
  };
}

/** Raises `not_found`. */
async function getBroadcast(store: BroadcastStore, caller: Caller, id: string): Promise<BroadcastRecord> {
  const broadcast = await store.find(caller.workspaceId, id);
  if (broadcast === undefined) throw notFound('The broadcast');
  return broadcast;
}

export class ReadBroadcasts {
  constructor(private readonly store: BroadcastStore) {}

  /** Raises `not_found`. */
  get(caller: Caller, id: string): Promise<BroadcastRecord> {
    return getBroadcast(this.store, caller, id);
  }

  /** Raises `not_found`. */
  async getProgress(caller: Caller, id: string): Promise<BroadcastProgress> {
    const progress = await this.store.findProgress(caller.workspaceId, id);
    if (progress === undefined) throw notFound('The broadcast');
    return progress;
  }

  list(caller: Caller, query: ListQuery): Promise<ListPage<BroadcastRecord>> {
    return this.store.list(caller.workspaceId, query);
  }

  /** Raises `not_found`. */
  async listRecipients(
    caller: Caller,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<BroadcastRecipientRecord>> {
    await this.getProgress(caller, id);
    return this.store.listRecipients(caller.workspaceId, id, query);
  }

  /** Raises `not_found`. */
  async countByPlatform(caller: Caller, id: string): Promise<PlatformCount[]> {
    await this.getProgress(caller, id);
    return this.store.countByPlatform(caller.workspaceId, id);
  }
}

export class ControlBroadcast {
  constructor(
    private readonly store: BroadcastStore,
    private readonly work: BroadcastWork,
    private readonly takeAttachments: TakeAttachments,
    private readonly addresses: Addresses,
  ) {}

  /** Raises `conflict` (`invalid_state`) unless the broadcast is a draft or scheduled. */
  async change(caller: Caller, id: string, body: ChangeBroadcastBody): Promise<BroadcastRecord> {
    const fields = await takeFor(
      () => getBroadcast(this.store, caller, id),
      () => fieldsOf(body, this.takeAttachments, this.addresses, caller),
    );
    return this.store.change(caller.workspaceId, id, fields);
  }

  /**
   * POST start, pause or resume. When a pause resolves, no queued recipient will be sent to while it lasts. Raises
   * `conflict` (`invalid_state`, `limit_reached`).
   */
  async move(caller: Caller, id: string, move: BroadcastMove, claim?: ClaimKey): Promise<BroadcastRecord> {
    const moved = await this.store.move(caller.workspaceId, id, move, claim);
    if (move === 'pause') await holdAll(this.work, id);
    return moved;
  }

  /** Raises `conflict` (`invalid_state`, `nothing_to_retry`). */
  retry(caller: Caller, id: string, claim?: ClaimKey): Promise<BroadcastRecord> {
    return this.store.retry(caller.workspaceId, id, claim);
  }

  /**
   * When this resolves, no waiting recipient will be sent to any more. Raises `conflict` (`invalid_state`) when the
   * broadcast is final.
   */
  async cancel(caller: Caller, id: string): Promise<void> {
    await this.store.cancel(caller.workspaceId, id);
    await cancelQueued(this.work, id);
  }
}
