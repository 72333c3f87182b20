import { expect, it } from 'vitest';
import { newId } from '../../../src/core/common/new-id.js';
import { MEDIA_PENDING } from '../../../src/core/deliveries/send/pending-media.js';
import type { StoredAttachment } from '../../../src/core/media/attachment.js';
import type { MediaTask } from '../../../src/core/media/ports.js';
import { PostgresMedia } from '../../../src/store/media/media.js';
import { type BridgeStage, bridgeStage, ended } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { duringUncommitted } from '../../support/lock-waiters.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let store: PostgresMedia;
let connection: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  store = new PostgresMedia(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
  await stage.link(conversation, connection, 'a');
});

const remote = (name: string): StoredAttachment => ({
  id: newId(),
  type: null,
  metadata: {},
  name: null,
  mime_type: null,
  alt_text: null,
  latitude: null,
  longitude: null,
  source_url: `https://files.example/${name}`,
});

/** A message with files in progress, and the tasks that fetch them. */
async function sendWithFiles(count: number): Promise<{ readonly id: string; readonly tasks: MediaTask[] }> {
  const attachments = Array.from({ length: count }, (_, n) => remote(`${n}.png`));
  const { id } = await stage.send(conversation, 'Look', { attachments });
  const tasks: MediaTask[] = [];
  for (const file of attachments) {
    const task = await store.claim(file.id, 60);
    if (task !== undefined) tasks.push(task);
  }
  expect(tasks).toHaveLength(count);
  return { id, tasks };
}

const finishing = ({ id, tries }: MediaTask) => ({
  text: 'SELECT finish_media($1, $2, $3)',
  values: [id, tries, JSON.stringify({ state: 'failed', error: 'gone' })],
});

const isDue = async (id: string) =>
  (
    await values<boolean>(
      stage.pool,
      `SELECT next_attempt_at IS NULL FROM deliveries WHERE message_id = $1`,
      [id],
    )
  )[0];

it.each([
  [0, 1],
  [1, 0],
])(
  'the last of two files that end at the same moment wakes the message (%i before %i)',
  async (first, second) => {
    const { id, tasks } = await sendWithFiles(2);
    expect(await isDue(id)).toBe(false);
    const [one, other] = [tasks[first], tasks[second]];
    if (one === undefined || other === undefined) throw new Error('A file is missing.');
    await duringUncommitted(stage.pool, finishing(one), () => stage.pool.query(finishing(other)));
    expect(await isDue(id)).toBe(true);
  },
);

it('ten files that end at once wake their message without a deadlock', async () => {
  const { id, tasks } = await sendWithFiles(10);
  await Promise.all(tasks.map((task) => stage.pool.query(finishing(task))));
  expect(await isDue(id)).toBe(true);
});

it('a message is not woken while one of its files is still being fetched', async () => {
  const { id, tasks } = await sendWithFiles(2);
  await stage.pool.query(finishing(tasks[0] as MediaTask));
  expect(await isDue(id)).toBe(false);
});

/** Records a try that found a file still in progress. */
async function putOff(task: Awaited<ReturnType<BridgeStage['claimOne']>>) {
  const next_attempt_at = new Date(Date.now() + 60_000).toISOString();
  const error = {
    code: 'rate_limited' as const,
    message: 'Wait.',
    permanent: false,
    platform_code: MEDIA_PENDING,
  };
  await stage.deliveries.settle([
    { ...ended(task, 'queued', { next_attempt_at }), outcome: 'waiting', error },
  ]);
}

it('a file that ends while its message is being sent wakes it once the sender has postponed it', async () => {
  const { id, tasks } = await sendWithFiles(1);
  await stage.makeDue();
  const task = await stage.claimOne(connection);
  await stage.pool.query(finishing(tasks[0] as MediaTask));
  await putOff(task);
  expect(await isDue(id)).toBe(true);
});

it('a file that is about to be committed when its message is postponed wakes it', async () => {
  const { id, tasks } = await sendWithFiles(1);
  await stage.makeDue();
  const task = await stage.claimOne(connection);
  await duringUncommitted(stage.pool, finishing(tasks[0] as MediaTask), () => putOff(task));
  expect(await isDue(id)).toBe(true);
});
