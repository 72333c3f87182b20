import { expect, it } from 'vitest';
import { reportBacklog, reportFailedBackup } from '../../../src/store/maintenance/service-faults.js';
import { PostgresStaffChats } from '../../../src/store/workspaces/staff-chats.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';

let stage: BridgeStage;

beforeEachOn(async ({ pool }) => {
  await pool.query('DELETE FROM events; DELETE FROM service_faults; UPDATE users SET operator = false');
  stage = await bridgeStage(pool);
  await pool.query('UPDATE users SET operator = true WHERE id = $1', [stage.memberId]);
});

const late = (work: 'queue' | 'deliveries' = 'queue') => reportBacklog(stage.pool, work, 75);
const events = async () =>
  (
    await stage.pool.query(
      `SELECT workspace_id, type, data FROM events WHERE type LIKE 'service.%' ORDER BY position`,
    )
  ).rows;

it('Late work and a failed backup are reported as events only in the workspaces of operators.', async () => {
  await bridgeStage(stage.pool);
  expect([await late(), await reportFailedBackup(stage.pool, new Error('The disk is full.'))]).toEqual([
    true,
    true,
  ]);
  expect(await events()).toEqual([
    {
      workspace_id: stage.workspaceId,
      type: 'service.backlog_grown',
      data: { work: 'queue', oldest_seconds: 75, message: 'A job of the queue has waited for 75 seconds.' },
    },
    {
      workspace_id: stage.workspaceId,
      type: 'service.backup_failed',
      data: { message: 'A backup failed: The disk is full.' },
    },
  ]);
});

it('A suspended operator receives no such events.', async () => {
  await stage.pool.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [stage.memberId]);
  await late();
  expect(await events()).toEqual([]);
});

it('Processes that see the same late work at the same time report it once in 15 minutes.', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => late()));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect([await late(), await late('deliveries')]).toEqual([false, true]);
  await stage.pool.query(`UPDATE service_faults SET reported_at = reported_at - interval '16 minutes'`);
  expect(await late()).toBe(true);
  expect(await events()).toHaveLength(3);
});

it('Service faults are sent as alerts to the chat of the workspace.', async () => {
  const chats = new PostgresStaffChats(stage.pool);
  const conversation = await stage.conversation();
  await chats.set(stage.workspaceId, stage.memberId, 1, false);
  await late();
  await reportFailedBackup(stage.pool, new Error('The disk is full.'));
  // The time of a new alert is rounded to milliseconds, up to half of one after now.
  await stage.pool.query(`UPDATE staff_alerts SET next_at = next_at - interval '1 ms'`);
  while (await chats.send());
  const { rows } = await stage.pool.query(
    'SELECT text FROM messages WHERE conversation_id = $1 ORDER BY id',
    [conversation],
  );
  expect(rows.map(({ text }) => text)).toEqual([
    'Trunkline: A job of the queue has waited for 75 seconds.',
    'Trunkline: A backup failed: The disk is full.',
  ]);
});
