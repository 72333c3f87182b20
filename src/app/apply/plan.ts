import { dirname, resolve } from 'node:path';
import type { Caller } from '../../core/access/caller.js';
import { newPassword } from '../../core/schema/scalars.js';
import { allOf } from './all-of.js';
import { ownerOf } from './caller.js';
import { type Change, defined, differences, given, type Kind, type PlanContext } from './change.js';
import { planConnections } from './connections.js';
import { planKeys } from './keys.js';
import type { Management } from './management.js';
import { planMembers } from './members.js';
import type { ReadSpec } from './read-spec.js';
import { SecretMissingError, type Secrets } from './secrets.js';
import type { WorkspaceSpec } from './spec.js';
import { planWebhooks } from './webhooks.js';

interface PlanOptions {
  readonly management: Management;
  readonly secrets: Secrets;
  readonly file: string;
  readonly read: ReadSpec;
  readonly prune: ReadonlySet<Kind>;
}

/** Computes the changes that bring the database to the state of the file. Changes nothing. Raises SpecError. */
export async function makePlan(options: PlanOptions): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [index, spec] of options.read.spec.workspaces.entries())
    changes.push(...(await planWorkspace(options, index, spec)));
  return changes;
}

async function planWorkspace(options: PlanOptions, index: number, spec: WorkspaceSpec): Promise<Change[]> {
  const context = await contextOf(options, index, spec);
  const own = context.current === undefined ? await creation(context) : changeOf(context);
  return [
    ...own,
    ...(await planMembers(context)),
    ...(await planConnections(context)),
    ...(await planWebhooks(context)),
    ...(await planKeys(context)),
  ];
}

/** The context of a workspace. `adopt` sets its owner after the workspace was created. */
interface WorkspaceContext extends PlanContext {
  adopt(caller: Caller): void;
}

async function contextOf(
  { management, secrets, file, read, prune }: PlanOptions,
  index: number,
  spec: WorkspaceSpec,
): Promise<WorkspaceContext> {
  const fail = (path: readonly (string | number)[], message: string): never => {
    throw read.problemAt(['workspaces', index, ...path], message);
  };
  const id = await idOf(management, spec, fail);
  const current = id === undefined ? undefined : await management.workspaceStore.find(id);
  if (id !== undefined && current === undefined) fail(['id'], 'there is no workspace with this id');
  let owner = current === undefined ? undefined : await findOwner(management, current.id, spec, fail);
  return {
    management,
    secrets,
    spec,
    current,
    caller: () => {
      if (owner === undefined) throw new Error(`The workspace ${spec.name} does not exist yet.`);
      return owner;
    },
    adopt: (caller) => {
      owner = caller;
    },
    prunes: (kind) => prune.has(kind),
    pathOf: (path) => resolve(dirname(file), path),
    fail,
    secret: async (path, reference) => {
      try {
        return await secrets.valueOf(reference);
      } catch (error) {
        if (error instanceof SecretMissingError) fail(path, error.message);
        throw error;
      }
    },
  };
}

type Fail = PlanContext['fail'];

async function idOf(management: Management, spec: WorkspaceSpec, fail: Fail): Promise<string | undefined> {
  if (spec.id !== undefined) return spec.id;
  const ids = await management.workspaceStore.idsOfName(spec.name);
  if (ids.length > 1) fail(['name'], `several workspaces have this name: give id (${ids.join(' or ')})`);
  return ids[0];
}

/** The owner that the file names, or else the active owner who joined first. */
async function findOwner(
  { memberStore }: Management,
  workspaceId: string,
  { owner }: WorkspaceSpec,
  fail: Fail,
): Promise<Caller> {
  const members = await allOf((query) => memberStore.list(workspaceId, query));
  const owners = members.filter(({ role, user }) => role === 'owner' && user.status === 'active');
  const found =
    owner === undefined
      ? owners[0]
      : owners.find(({ user }) => user.email?.toLowerCase() === owner.email.toLowerCase());
  if (found !== undefined) return ownerOf(workspaceId, found.id);
  return owner === undefined
    ? fail([], 'the workspace has no active owner')
    : fail(['owner', 'email'], 'this is not an active owner of the workspace');
}

async function creation(context: WorkspaceContext): Promise<Change[]> {
  const { spec, management } = context;
  const { name, owner, plan, opt_out_keywords: keywords } = spec;
  if (owner?.password === undefined)
    return context.fail(
      owner === undefined ? [] : ['owner'],
      'a new workspace needs owner.email and owner.password',
    );
  const { email } = owner;
  const password = await context.secret(['owner', 'password'], owner.password);
  if (!newPassword.safeParse(password).success)
    context.fail(['owner', 'password'], 'the password must have 8 to 256 characters');
  const fields = [...given({ owner: email, plan, opt_out_keywords: keywords })];
  return [
    {
      action: 'create',
      what: 'workspace',
      name,
      workspace: name,
      fields: [...fields, { field: 'owner.password', secret: true }],
      perform: async () => {
        const made = await management.workspaces.create({
          name,
          owner_email: email,
          owner_password: password,
        });
        const patch = defined({ plan, opt_out_keywords: keywords });
        if (Object.keys(patch).length > 0) await management.workspaceStore.change(made.id, patch);
        context.adopt(await findOwner(management, made.id, spec, context.fail));
        return undefined;
      },
    },
  ];
}

function changeOf({ spec, current, management }: WorkspaceContext): Change[] {
  if (current === undefined) return [];
  const wanted = { name: spec.name, plan: spec.plan, opt_out_keywords: spec.opt_out_keywords };
  const fields = differences(wanted, current);
  if (fields.length === 0) return [];
  return [
    {
      action: 'change',
      what: 'workspace',
      name: current.name,
      workspace: spec.name,
      fields,
      perform: async () => {
        await management.workspaceStore.change(current.id, defined(wanted));
        return undefined;
      },
    },
  ];
}
