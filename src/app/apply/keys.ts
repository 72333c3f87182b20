import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createApiKeyBody } from '../../core/api-keys/bodies.js';
import type { ApiKeyShown } from '../../core/api-keys/record.js';
import { newId } from '../../core/common/new-id.js';
import { allOf } from './all-of.js';
import { type Change, defined, differences, given, matched, type PlanContext } from './change.js';
import type { KeySpec } from './spec.js';

/** Plans API keys. They are matched by name among the keys that are not revoked. */
export async function planKeys(context: PlanContext): Promise<Change[]> {
  const { spec, current, management } = context;
  if (spec.keys === undefined) return [];
  const known =
    current === undefined ? [] : await allOf((query) => management.keyStore.list(current.id, query));
  const live = known.filter(({ revoked_at: revoked }) => revoked === null);
  const { pairs, rest } = matched(
    spec.keys,
    live,
    (wanted, { name }) => wanted.name === name,
    (index) => context.fail(['keys', index, 'name'], 'several keys have this name'),
  );
  const changes = pairs.flatMap(([index, wanted, found]) => {
    const change =
      found === undefined ? creation(context, index, wanted) : changeOf(context, index, wanted, found);
    return change === undefined ? [] : [change];
  });
  const gone = current !== undefined && context.prunes('keys') ? rest : [];
  return [...changes, ...gone.map((key) => removal(context, key))];
}

function creation(context: PlanContext, index: number, wanted: KeySpec): Change {
  const { name, user, key_file: file, conversation_ids: grant, ...shown } = wanted;
  const path = file === undefined ? undefined : context.pathOf(file);
  if (path !== undefined && existsSync(path))
    context.fail(['keys', index, 'key_file'], 'this file exists. Name a new file for a new key');
  return {
    action: 'create',
    what: 'key',
    name,
    workspace: context.spec.name,
    fields: given({ user, ...shown, conversation_ids: grant ?? undefined, key_file: file }),
    perform: async () => {
      if (path === undefined) return `key ${name}: ${await made(context, wanted)}`;
      // Create the file first, so that no key is created that can't be saved.
      const kept = await open(path, 'wx', 0o600);
      try {
        await kept.writeFile(`${await made(context, wanted)}\n`);
        await kept.sync();
        return undefined;
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await kept.close();
      }
    },
  };
}

async function made(context: PlanContext, wanted: KeySpec): Promise<string> {
  const { user, key_file: _, conversation_ids: grant, ...fields } = wanted;
  const caller = context.caller();
  const userId = user === undefined ? caller.userId : await userOf(context, user);
  const body = createApiKeyBody.parse(
    defined({ ...fields, user_id: userId, conversation_ids: grant ?? undefined }),
  );
  const { key } = await context.management.keys.create(caller, body, newId());
  if (key === undefined) throw new Error('The key was not shown.');
  return key;
}

/**
 * Finds a member by e-mail address, or a bot by username. The lookup happens when the key is created, because the file may
 * create both.
 */
async function userOf({ management, caller }: PlanContext, user: string): Promise<string> {
  const members = await allOf((query) => management.memberStore.list(caller().workspaceId, query));
  const found = members.find((each) =>
    [each.user.email?.toLowerCase(), each.user.username].includes(user.toLowerCase()),
  );
  if (found === undefined) throw new Error(`There is no member ${user}.`);
  return found.id;
}

/** Plans a change of a key. The environment, scopes and rate limit of a key can't change, because programs rely on them. */
function changeOf(
  context: PlanContext,
  index: number,
  wanted: KeySpec,
  found: ApiKeyShown,
): Change | undefined {
  const { environment, scopes, rate_limit: rate, ip_allowlist: list } = wanted;
  const fixed = differences(
    { environment, rate_limit: rate, scopes: [...scopes].sort() },
    { ...found, scopes: [...found.scopes].sort() },
  );
  if (fixed[0] !== undefined)
    context.fail(
      ['keys', index, fixed[0].field],
      `the key has another value, which can't be changed. Add a key of another name, or revoke ${found.id} first`,
    );
  const grant = wanted.conversation_ids;
  const changed = { ip_allowlist: list, conversation_ids: grant && [...grant].sort() };
  const fields = differences(changed, { ...found, conversation_ids: found.conversation_ids ?? null });
  if (fields.length === 0) return undefined;
  return {
    action: 'change',
    what: 'key',
    name: wanted.name,
    workspace: context.spec.name,
    fields,
    perform: async () => {
      await context.management.keys.change(context.caller(), found.id, defined(changed));
      return undefined;
    },
  };
}

function removal(context: PlanContext, { id, name }: ApiKeyShown): Change {
  return {
    action: 'remove',
    what: 'key',
    name,
    workspace: context.spec.name,
    fields: [],
    perform: async () => {
      await context.management.keys.revoke(context.caller(), id, false);
      return undefined;
    },
  };
}
