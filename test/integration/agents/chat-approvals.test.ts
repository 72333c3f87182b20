import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import type { DeliveryTask } from '../../../src/core/deliveries/task.js';
import { PostgresChatApprovals } from '../../../src/store/agents/chat-approvals.js';
import { PostgresProposals } from '../../../src/store/agents/proposals.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { makeMember, values } from '../../support/people.js';

const CHAT = '-100';
const DECIDING = ['owner', 'admin', 'member'];

let stage: BridgeStage;
let approvals: PostgresChatApprovals;
let proposals: PostgresProposals;
let bot: string;
let staff: string;
let customer: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  approvals = new PostgresChatApprovals(pool);
  proposals = new PostgresProposals(pool);
  bot = await stage.connection('telegram');
  staff = await stage.conversation();
  customer = await stage.conversation();
  await stage.link(staff, bot, CHAT);
  await stage.link(customer, bot, '-200');
  const owner = await makeMember(pool, stage.workspaceId, `owner_${uuidv7().slice(-8)}`);
  for (const [id, role] of [
    [stage.memberId, 'member'],
    [owner, 'owner'],
  ])
    await pool.query('UPDATE users SET role = $2 WHERE id = $1', [id, role]);
  await showIn(staff);
});

const rows = <T>(sql: string, parameters: unknown[] = []) => values<T>(stage.pool, sql, parameters);

async function showIn(conversation: string | null, shown = true) {
  await stage.pool.query(
    `UPDATE workspaces SET staff_conversation_id = $2, staff_chat_by = $3, staff_chat_approvals = $4 WHERE id = $1`,
    [stage.workspaceId, conversation, stage.memberId, shown],
  );
}

async function draft(text = 'It is on its way.'): Promise<string> {
  const id = uuidv7();
  await proposals.propose({
    id,
    workspace_id: stage.workspaceId,
    conversation_id: customer,
    proposed_by: stage.memberId,
    credential_id: uuidv7(),
    text,
    read_others: 0,
  });
  return id;
}

/** Does all due work, without the delays between tries. */
async function work() {
  for (;;) {
    await stage.pool.query(
      `UPDATE approval_presses SET next_at = now() - interval '1 s' WHERE outcome IS NULL`,
    );
    const press = await approvals.processPress(DECIDING);
    if (press === null && (await approvals.processRequest()) === null) return;
  }
}

async function codeOf(member = stage.memberId) {
  const code = uuidv7()
    .slice(-12)
    .toUpperCase()
    .replace(/(.{4})(.{4})/, '$1-$2-');
  const hash = createHash('sha256').update(code).digest('hex');
  await approvals.makeCode(stage.workspaceId, member, hash);
  return `/link ${code}`;
}

async function link(sender = 'ann', member = stage.memberId) {
  await stage.post(bot, CHAT, await codeOf(member), { sender });
}

const press = (value: string, sender = 'ann', chat = CHAT, more = {}) =>
  stage.post(bot, chat, 'Approve', { sender, press: value, ...more } as never);

const texts = (conversation: string) =>
  rows<string>('SELECT text FROM messages WHERE conversation_id = $1 ORDER BY id', [conversation]);
/** In alphabetical order, because presses of the same moment are judged in any order. */
const outcomes = () =>
  rows<string>('SELECT outcome FROM approval_presses WHERE workspace_id = $1 ORDER BY outcome', [
    stage.workspaceId,
  ]);
const request = async () =>
  (
    await rows<string>('SELECT message_id FROM approval_requests WHERE workspace_id = $1', [
      stage.workspaceId,
    ])
  )[0] ?? '';
const actions = (object?: string) =>
  rows<string>(
    `SELECT action || ' ' || coalesce(actor_id::text, '') || ' ' || coalesce(address, '') FROM audit_log
     WHERE action ~ '^(chat|proposal)' AND ($1::uuid IS NULL OR object_id = $1) ORDER BY id`,
    [object ?? null],
  );

it('A proposal is shown in the staff chat with two buttons, in one message.', async () => {
  const id = await draft();
  await work();
  await work();
  expect(await texts(staff)).toEqual([
    expect.stringMatching(/^An agent drafted a message in conversation 2, .*\nIt is on its way\.$/),
  ]);
  const task: DeliveryTask = await stage.claimOne(bot);
  expect(task.message.buttons).toEqual([
    { label: 'Approve', value: `approve:${id}` },
    { label: 'Refuse', value: `refuse:${id}` },
  ]);
});

it('A proposal is not shown if the workspace does not ask for it or after it was decided.', async () => {
  await showIn(staff, false);
  await draft();
  await showIn(null);
  await draft();
  await showIn(staff);
  const id = await draft();
  await proposals.refuse({ workspace_id: stage.workspaceId, proposal_id: id, decided_by: stage.memberId });
  await work();
  expect(await texts(staff)).toEqual([]);
  const waiting = 'SELECT 1 FROM approval_requests WHERE done_at IS NULL AND workspace_id = $1';
  expect(await rows(waiting, [stage.workspaceId])).toEqual([]);
});

it('A draft cannot style its text, mention people or pass as text of the service.', async () => {
  await draft('@all `x` 😀 [a](https://example.com)');
  await stage.pool.query(`UPDATE conversations SET title = $2 WHERE id = $1`, [customer, 'A\nB @ann \u202e']);
  await work();
  const [message] = (
    await stage.pool.query('SELECT text, spans FROM messages WHERE conversation_id = $1', [staff])
  ).rows;
  const marked = message.spans.map(({ mark, start, end }: Record<string, never>) => [
    mark,
    message.text.slice(start, end),
  ]);
  expect(marked).toEqual([
    ['code', 'An agent'],
    ['code', 'A B @ann'],
    ['code_block', '@all `x` 😀 [a](https://example.com)'],
  ]);
});

it('A linked member approves with the button, once, under their own name.', async () => {
  await link();
  const id = await draft();
  await work();
  for (let times = 0; times < 3; times += 1) await press(`approve:${id}`);
  await work();
  expect(await texts(customer)).toEqual(['It is on its way.']);
  expect(await rows('SELECT sender_id FROM messages WHERE conversation_id = $1', [customer])).toEqual([
    stage.memberId,
  ]);
  expect(await outcomes()).toEqual(['approved', 'closed', 'closed']);
  expect((await actions(id)).slice(1)).toEqual([`proposal.approved ${stage.memberId} telegram`]);
  expect((await texts(staff))[1]).toMatch(/^The draft in conversation 2 was approved by member_/);
});

it('Presses at the same time in several processes approve once.', async () => {
  await link();
  const id = await draft();
  await work();
  await Promise.all(Array.from({ length: 6 }, () => press(`approve:${id}`)));
  await Promise.all(Array.from({ length: 6 }, () => approvals.processPress(DECIDING)));
  await work();
  expect(await texts(customer)).toEqual(['It is on its way.']);
  expect(await outcomes()).toEqual(['approved', ...Array.from({ length: 5 }, () => 'closed')]);
});

it('A press is judged once by the next process when the first one died before its commit.', async () => {
  await link();
  const id = await draft();
  await work();
  await press(`approve:${id}`);
  const client = await stage.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT process_approval_press($1)', [DECIDING]);
    expect(await approvals.processPress(DECIDING)).toBeNull();
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
  expect(await texts(customer)).toEqual([]);
  await work();
  expect([await texts(customer), await outcomes()]).toEqual([['It is on its way.'], ['approved']]);
});

it('A request and its update are each sent once by the next process when the first one died before its commit.', async () => {
  const id = await draft();
  const die = async () => {
    const client = await stage.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT process_approval_request()');
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
  };
  await die();
  expect(await texts(staff)).toEqual([]);
  await work();
  await proposals.refuse({ workspace_id: stage.workspaceId, proposal_id: id, decided_by: stage.memberId });
  await die();
  expect((await texts(staff))[0]).toMatch(/It is on its way/);
  await work();
  expect(await texts(staff)).toEqual([expect.stringMatching(/was refused by/)]);
});

it('A press of the Refuse button refuses the draft.', async () => {
  await link();
  const id = await draft();
  await work();
  await press(`refuse:${id}`);
  await work();
  expect([await texts(customer), await outcomes()]).toEqual([[], ['refused']]);
});

it('An unlinked account cannot decide, and is answered once however often it presses.', async () => {
  const id = await draft();
  await work();
  for (let times = 0; times < 4; times += 1) await press(`approve:${id}`, 'eve');
  await work();
  expect(await texts(customer)).toEqual([]);
  expect(await outcomes()).toEqual(Array.from({ length: 4 }, () => 'unlinked'));
  expect((await texts(staff)).slice(1)).toEqual([
    expect.stringMatching(/^eve, this account is not linked to a member\./),
  ]);
});

it('A workspace answers at most 30 presses in an hour.', async () => {
  const id = await draft();
  await work();
  for (let person = 0; person < 32; person += 1) await press(`approve:${id}`, `eve${person}`);
  await work();
  expect(await texts(staff)).toHaveLength(31);
});

it('A suspended, removed or demoted member decides nothing.', async () => {
  await link();
  const id = await draft();
  await work();
  const changes = [`status = 'suspended'`, `status = 'active', role = 'viewer'`, `role = NULL`];
  for (const change of changes) {
    await stage.pool.query(`UPDATE users SET ${change} WHERE id = $1`, [stage.memberId]);
    await press(`approve:${id}`);
    await work();
  }
  expect(await texts(customer)).toEqual([]);
  expect(await outcomes()).toEqual(['forbidden', 'forbidden', 'forbidden']);
});

it('A restricted member decides only in conversations of their teams.', async () => {
  await link();
  const id = await draft();
  await work();
  await stage.pool.query('UPDATE users SET own_teams_only = true WHERE id = $1', [stage.memberId]);
  await press(`approve:${id}`);
  await work();
  expect([await texts(customer), await outcomes()]).toEqual([[], ['forbidden']]);
  await stage.pool.query('UPDATE conversations SET assignee_id = $2 WHERE id = $1', [
    customer,
    stage.memberId,
  ]);
  await press(`approve:${id}`);
  await work();
  expect([await texts(customer), await outcomes()]).toEqual([
    ['It is on its way.'],
    ['approved', 'forbidden'],
  ]);
});

it('A press does not decide on a request that was edited in the inbox, because people could have read another text.', async () => {
  await link();
  const id = await draft();
  await work();
  const patch = JSON.stringify({ text: 'Harmless.' });
  await stage.pool.query('SELECT edit_message($1, $2, $3, NULL, false)', [
    stage.workspaceId,
    await request(),
    patch,
  ]);
  await press(`approve:${id}`);
  await work();
  expect([await texts(customer), await outcomes()]).toEqual([[], ['changed']]);
});

it('A decided, expired or withdrawn draft is not sent, and the chat stops showing it.', async () => {
  await link();
  const [decided, expired, withdrawn] = [await draft('One.'), await draft('Two.'), await draft('Three.')];
  await work();
  await proposals.refuse({
    workspace_id: stage.workspaceId,
    proposal_id: decided,
    decided_by: stage.memberId,
  });
  const past = `UPDATE proposals SET expires_at = now() - interval '1 s' WHERE id = $1`;
  await stage.pool.query(past, [expired]);
  await stage.pool.query('DELETE FROM proposals WHERE id = $1', [withdrawn]);
  for (const id of [decided, expired, withdrawn]) await press(`approve:${id}`);
  await stage.pool.query(
    `UPDATE approval_requests SET next_at = now() - interval '1 s' WHERE done_at IS NULL`,
  );
  await work();
  expect([await texts(customer), await outcomes()]).toEqual([[], ['closed', 'closed', 'closed']]);
  const shown = (await texts(staff)).slice(1, 4).sort();
  expect(shown).toEqual([
    'A draft was withdrawn.',
    'The draft in conversation 2 has expired.',
    expect.stringMatching(/was refused by/),
  ]);
  const versions = `SELECT v.text FROM message_versions v JOIN messages m ON m.id = v.message_id
    WHERE m.conversation_id = $1`;
  expect(await rows(versions, [staff])).toEqual([]);
});

it('A press in another chat, on another connection or with an invented value decides nothing.', async () => {
  await link();
  await link('ann', stage.memberId);
  const id = await draft();
  await work();
  const other = await stage.connection('telegram');
  await stage.link(customer, other, CHAT);
  await press(`approve:${id}`, 'ann', '-200');
  await stage.post(other, CHAT, 'Approve', { sender: 'ann', press: `approve:${id}` } as never);
  await press(`approve:${uuidv7()}`);
  await press(`approve:' OR true --`);
  await work();
  expect(await outcomes()).toEqual([]);
  expect((await texts(customer)).filter((text) => text !== 'Approve')).toEqual([]);
});

it('Metadata from a client create no buttons.', async () => {
  const id = await draft();
  await work();
  await stage.send(customer, 'Look', { metadata: { approval: id } });
  const tasks = await stage.deliveries.claim(bot, 10);
  expect(tasks.find(({ message }) => message.text === 'Look')?.message.buttons).toBeNull();
});

it('A code links one account, once, and neither the code nor its message is stored.', async () => {
  const said = await codeOf();
  expect((await stage.post(bot, CHAT, said, { sender: 'ann' })).message).toBeNull();
  expect((await texts(staff))[0]).toMatch(/^ann decides on drafts here for member_/);
  await stage.post(bot, CHAT, said, { sender: 'eve' });
  const linked = await approvals.list(stage.workspaceId, stage.memberId);
  expect(linked).toMatchObject([{ platform: 'telegram', name: 'ann' }]);
  expect(await actions(linked[0]?.id)).toEqual([`chat.linked ${stage.memberId} telegram`]);
  expect(await approvals.remove(uuidv7(), linked[0]?.id ?? '')).toBe(false);
  expect(await approvals.remove(stage.memberId, linked[0]?.id ?? '')).toBe(true);
  expect(await approvals.list(stage.workspaceId, stage.memberId)).toEqual([]);
});

it('A code is invalid after it has expired, after a newer one was issued, and in another chat.', async () => {
  const said = await codeOf();
  await stage.post(bot, '-200', said);
  await stage.pool.query(`UPDATE chat_codes SET expires_at = now() - interval '1 s'`);
  await stage.post(bot, CHAT, said);
  const next = await codeOf();
  await stage.post(bot, CHAT, said);
  expect(await approvals.list(stage.workspaceId, stage.memberId)).toEqual([]);
  await stage.post(bot, CHAT, next.slice(1).toLowerCase());
  expect(await approvals.list(stage.workspaceId, stage.memberId)).toHaveLength(1);
});

it('A member receives at most ten codes in an hour.', async () => {
  for (let times = 0; times < 10; times += 1) await codeOf();
  await expect(codeOf()).rejects.toThrow();
  await stage.pool.query(`UPDATE chat_codes SET counted_from = now() - interval '61 minutes'`);
  await codeOf();
});

it('An account that sends the code of another member is linked to that member only.', async () => {
  const other = uuidv7();
  await makeMember(stage.pool, stage.workspaceId, `other_${other.slice(-8)}`, other);
  await link('ann');
  await link('ann', other);
  expect(await approvals.list(stage.workspaceId, stage.memberId)).toEqual([]);
  expect(await approvals.list(stage.workspaceId, other)).toHaveLength(1);
});
