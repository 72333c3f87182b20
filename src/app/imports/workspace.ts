import type { Caller } from '../../core/access/caller.js';
import type { WorkspaceRecord } from '../../core/workspaces/record.js';
import { allOf } from '../apply/all-of.js';
import { ownerOf } from '../apply/caller.js';
import type { Management } from '../apply/management.js';
import { ImportError } from './problem.js';

const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** The workspace that receives the import, and its owner, on whose behalf records are created. */
export interface Target {
  readonly workspace: WorkspaceRecord;
  readonly caller: Caller;
}

/** Finds a workspace by name or id. Without either, there must be only one workspace. Raises ImportError. */
export async function targetOf(management: Management, wanted: string | undefined): Promise<Target> {
  const { workspaceStore, memberStore } = management;
  const ids =
    wanted === undefined
      ? await workspaceStore.liveIds(2)
      : ID.test(wanted)
        ? [wanted]
        : await workspaceStore.idsOfName(wanted);
  const [id] = ids;
  if (ids.length > 1) throw new ImportError('There are several workspaces: give --workspace with an id.');
  const workspace = id === undefined ? undefined : await workspaceStore.find(id);
  if (workspace === undefined) throw new ImportError('There is no such workspace.');
  const members = await allOf((query) => memberStore.list(workspace.id, query));
  const owner = members.find(({ role, user }) => role === 'owner' && user.status === 'active');
  if (owner === undefined) throw new ImportError('The workspace has no active owner.');
  return { workspace, caller: ownerOf(workspace.id, owner.user.id) };
}
