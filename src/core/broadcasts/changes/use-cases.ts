import type { AdapterDefinition } from '../../../contract/index.js';
import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { Platforms } from '../../platforms/catalogue.js';
import type { ReadBroadcasts } from '../use-cases.js';
import type { BroadcastChangeBody } from './bodies.js';
import type { BroadcastChangeStore, ChangeLimits } from './ports.js';
import type {
  BroadcastChangeRecipientRecord,
  BroadcastChangeRecord,
  ChangeKind,
  ChangePreviewRecord,
} from './record.js';

const NONE: readonly string[] = ['dropped', 'rejected'];

/** Edits and recalls the messages of an ended broadcast. Used by members. */
export class ChangeSentBroadcast {
  constructor(
    private readonly store: BroadcastChangeStore,
    private readonly broadcasts: ReadBroadcasts,
    private readonly platforms: Platforms,
  ) {}

  /** Counts the messages that the change can and cannot reach. Raises `not_found`. */
  async preview(caller: Caller, id: string, kind: ChangeKind): Promise<ChangePreviewRecord> {
    await this.broadcasts.get(caller, id);
    const limits = this.#limitsOf(kind);
    const counts = await this.store.countSent(caller.workspaceId, id, limits);
    const platforms = counts.map(({ platform, recipients, deleted, too_old: tooOld }) => {
      const definition = this.platforms.find(platform);
      const limit = limits[platform];
      return {
        platform,
        name: definition?.displayName ?? platform,
        recipients,
        possible: limit === undefined ? 0 : recipients - deleted - tooOld,
        unsupported:
          limit !== undefined ? null : definition ? ('platform' as const) : ('not_installed' as const),
        too_old: limit === undefined ? 0 : tooOld,
        deleted: limit === undefined ? 0 : deleted,
        max_age_s: limit?.max_age_s ?? null,
      };
    });
    return { kind, platforms };
  }

  /** Starts a job that edits or recalls the messages. Raises `not_found`, `conflict` (`invalid_state`). */
  async start(
    caller: Caller,
    broadcastId: string,
    { kind, text }: BroadcastChangeBody,
    id: string,
  ): Promise<BroadcastChangeRecord> {
    return this.store.start({
      id,
      workspace_id: caller.workspaceId,
      broadcast_id: broadcastId,
      created_by: caller.userId,
      kind,
      text: text ?? null,
      limits: this.#limitsOf(kind),
    });
  }

  /** The latest changes of a broadcast with their progress. Raises `not_found`. */
  async list(caller: Caller, id: string): Promise<BroadcastChangeRecord[]> {
    await this.broadcasts.get(caller, id);
    return this.store.list(caller.workspaceId, id);
  }

  /** Raises `not_found`. */
  async recipients(
    caller: Caller,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<BroadcastChangeRecipientRecord>> {
    const found = await this.store.find(caller.workspaceId, id);
    if (found === undefined) throw notFound('The change');
    return this.store.listRecipients(caller.workspaceId, id, query);
  }

  /** Stops a change: no further message is changed. Raises `not_found`, `conflict` (`invalid_state`). */
  stop(caller: Caller, id: string): Promise<BroadcastChangeRecord> {
    return this.store.stop(caller.workspaceId, id);
  }

  #limitsOf(kind: ChangeKind): ChangeLimits {
    const all = [...this.platforms.of('live'), ...this.platforms.of('test')];
    return Object.fromEntries(
      all.flatMap((definition) => {
        const limit = limitOf(definition, kind);
        return limit === null ? [] : [[definition.platform, { max_age_s: limit.max_age_s }]];
      }),
    );
  }
}

/** The limit of a change, or null if the platform does not support the change. */
function limitOf({ capabilities: { ops, edit, delete: removal } }: AdapterDefinition, kind: ChangeKind) {
  if (kind === 'edit') return NONE.includes(ops.edit) ? null : edit;
  return NONE.includes(ops.delete) ? null : removal;
}
