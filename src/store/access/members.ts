import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ChangeMemberBody } from '../../core/members/bodies.js';
import type { MemberStore, NewMember } from '../../core/members/ports.js';
import { type MemberRecord, memberList } from '../../core/members/record.js';
import type { AcceptedInvitation, InvitationStore } from '../../core/sessions/invitations.js';
import { acceptInvitation, changeMember, createMember, memberRecordSql, removeMember } from '../calls.gen.js';
import { requireRestriction } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const memberSource: ListSource = {
  table: 'users',
  record: memberRecordSql('users'),
  where: "role IS NOT NULL AND kind IN ('member', 'bot') AND deleted_at IS NULL",
  fields: { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
};

const IS_OPEN = 'SELECT 1 FROM invitations WHERE token_hash = $1 AND expires_at > now()';
const INVITATION_DAYS = 7;
const WHAT = 'The member';

/** Members, bots and invitations in PostgreSQL. */
export class PostgresMembers implements MemberStore, InvitationStore {
  constructor(private readonly pool: Pool) {}

  list(workspaceId: string, query: ListQuery): Promise<ListPage<MemberRecord>> {
    return listRecords(this.pool, memberSource, memberList, workspaceId, query);
  }

  async create(member: NewMember): Promise<MemberRecord> {
    if (member.own_teams_only === true) requireRestriction(this.pool);
    const invitation = { token_hash: member.token_hash?.toString('base64'), days: INVITATION_DAYS };
    return (await createMember(this.pool, { ...member, ...invitation }, WHAT)).record;
  }

  async change(workspaceId: string, id: string, patch: ChangeMemberBody): Promise<MemberRecord> {
    if (patch.own_teams_only === true) requireRestriction(this.pool);
    return (await changeMember(this.pool, { ...patch, workspace_id: workspaceId, id }, WHAT)).record;
  }

  async remove(workspaceId: string, id: string): Promise<void> {
    await removeMember(this.pool, { workspace_id: workspaceId, id }, WHAT);
  }

  async isOpen(tokenHash: Buffer): Promise<boolean> {
    const { rowCount } = await this.pool.query(IS_OPEN, [tokenHash]);
    return rowCount === 1;
  }

  async accept(accepted: AcceptedInvitation): Promise<string> {
    const input = {
      token_hash: accepted.tokenHash.toString('base64'),
      password_hash: accepted.passwordHash,
      username: accepted.username,
      display_name: accepted.displayName,
    };
    return (await acceptInvitation(this.pool, input, 'The invitation')).record.id;
  }
}
