import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ChangeMemberBody } from '../../core/members/bodies.js';
import { type MemberRecord, memberList } from '../../core/members/record.js';
import type {
  AcceptedInvitation,
  InvitationStore,
  MemberStore,
  NewMember,
} from '../../core/ports/members.js';
import { change } from '../connection/function-calls.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const memberSource: ListSource = {
  table: 'users',
  record: 'member_record(users)',
  where: "role IS NOT NULL AND kind IN ('member', 'bot') AND deleted_at IS NULL",
  fields: { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
};

const IS_OPEN = 'SELECT 1 FROM invitations WHERE token_hash = $1 AND expires_at > now()';
const INVITATION_DAYS = 7;

/** Members, bots and invitations in PostgreSQL. */
export class PostgresMembers implements MemberStore, InvitationStore {
  constructor(private readonly pool: Pool) {}

  list(workspaceId: string, query: ListQuery): Promise<ListPage<MemberRecord>> {
    return listRecords(this.pool, memberSource, memberList, workspaceId, query);
  }

  create(member: NewMember): Promise<MemberRecord> {
    const invitation = { token_hash: member.token_hash?.toString('base64'), days: INVITATION_DAYS };
    return this.record('create_member', { ...member, ...invitation });
  }

  change(workspaceId: string, id: string, patch: ChangeMemberBody): Promise<MemberRecord> {
    return this.record('change_member', { ...patch, workspace_id: workspaceId, id });
  }

  async remove(workspaceId: string, id: string): Promise<void> {
    await change(this.pool, 'The member', 'remove_member', { workspace_id: workspaceId, id });
  }

  async isOpen(tokenHash: Buffer): Promise<boolean> {
    const { rowCount } = await this.pool.query(IS_OPEN, [tokenHash]);
    return rowCount === 1;
  }

  async accept(accepted: AcceptedInvitation): Promise<string> {
    const { record } = await change<{ record: { id: string } }>(
      this.pool,
      'The invitation',
      'accept_invitation',
      {
        token_hash: accepted.tokenHash.toString('base64'),
        password_hash: accepted.passwordHash,
        username: accepted.username,
        display_name: accepted.displayName,
      },
    );
    return record.id;
  }

  private async record(name: string, input: object): Promise<MemberRecord> {
    return (await change<{ record: MemberRecord }>(this.pool, 'The member', name, input)).record;
  }
}
