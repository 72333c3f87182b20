import { newId } from '../../core/common/new-id.js';
import { createMemberBody } from '../../core/members/bodies.js';
import type { MemberRecord } from '../../core/members/record.js';
import { allOf } from './all-of.js';
import { type Change, defined, differences, given, matched, type PlanContext } from './change.js';
import type { MemberSpec } from './spec.js';

/** Plans members, matched by e-mail address, and bots, matched by username. */
export async function planMembers(context: PlanContext): Promise<Change[]> {
  const { spec, current } = context;
  if (spec.members === undefined) return [];
  const members = await membersOf(context);
  const { pairs, rest } = matched(spec.members, members, isMember, (index) =>
    context.fail(['members', index], 'several members fit'),
  );
  const changes = pairs.flatMap(([index, wanted, found]) => {
    refuseSuspendedInvitation(context, index, wanted, found);
    const change = found === undefined ? creation(context, wanted) : changeOf(context, wanted, found);
    return change === undefined ? [] : [change];
  });
  if (current === undefined || !context.prunes('members')) return changes;
  const owner = spec.owner?.email.toLowerCase();
  const gone = rest.filter(
    ({ user, id }) => user.email?.toLowerCase() !== owner && id !== context.caller().userId,
  );
  return [...changes, ...gone.map((member) => removal(context, member))];
}

async function membersOf({ current, management }: PlanContext): Promise<MemberRecord[]> {
  return current === undefined ? [] : allOf((query) => management.memberStore.list(current.id, query));
}

function isMember({ email, bot }: Pick<MemberSpec, 'email' | 'bot'>, { user }: MemberRecord): boolean {
  if (bot !== undefined) return user.kind === 'bot' && user.username === bot;
  return user.kind === 'member' && user.email?.toLowerCase() === email?.toLowerCase();
}

/** A person becomes active with the invitation, and only an active person can be suspended. */
function refuseSuspendedInvitation(
  context: PlanContext,
  index: number,
  { email, status }: MemberSpec,
  found: MemberRecord | undefined,
): void {
  const isInvited = email !== undefined && (found === undefined || found.user.status === 'invited');
  if (!isInvited || status !== 'suspended') return;
  context.fail(
    ['members', index, 'status'],
    'must be active or absent for a person who has not accepted the invitation; remove the member to end the invitation',
  );
}

function creation(context: PlanContext, wanted: MemberSpec): Change {
  const { email, bot, role, display_name: displayName, status } = wanted;
  const isBot = bot !== undefined;
  return {
    action: 'create',
    what: isBot ? 'bot' : 'member',
    name: email ?? bot ?? '',
    workspace: context.spec.name,
    fields: given({ role, display_name: displayName }),
    perform: async () => {
      const { members } = context.management;
      const identity = isBot ? { kind: 'bot', username: bot } : { kind: 'member', email };
      const body = createMemberBody.parse(defined({ ...identity, role, display_name: displayName }));
      const made = await members.create(context.caller(), body, newId());
      if (status === 'suspended' && isBot) await members.change(context.caller(), made.member.id, { status });
      return made.invite_url === null ? undefined : `invitation of ${email}: ${made.invite_url}`;
    },
  };
}

function changeOf(context: PlanContext, wanted: MemberSpec, found: MemberRecord): Change | undefined {
  // An invited member is neither active nor suspended.
  const status = found.user.status === 'invited' ? undefined : wanted.status;
  const fields = differences({ role: wanted.role, status }, { role: found.role, status: found.user.status });
  if (fields.length === 0) return undefined;
  return {
    action: 'change',
    what: found.user.kind,
    name: wanted.email ?? wanted.bot ?? '',
    workspace: context.spec.name,
    fields,
    perform: async () => {
      const patch = defined({ role: wanted.role, status });
      await context.management.members.change(context.caller(), found.id, patch);
      return undefined;
    },
  };
}

function removal(context: PlanContext, { id, user }: MemberRecord): Change {
  return {
    action: 'remove',
    what: user.kind,
    name: (user.kind === 'bot' ? user.username : user.email) ?? id,
    workspace: context.spec.name,
    fields: [],
    perform: async () => {
      await context.management.members.remove(context.caller(), id);
      return undefined;
    },
  };
}
