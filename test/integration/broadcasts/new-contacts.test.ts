import { describe, expect, it } from 'vitest';
import { createNewContacts } from '../../../src/store/broadcasts/new-contacts.js';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

/** More than two batches. */
const MANY = 6_000;

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
});

const create = (count: number, from = 0) =>
  stage.create({ audience: { recipients: addresses('alpha', count, from) } });

/** How many contacts have an address, and how many transactions created them. */
async function contacts(): Promise<{ count: number; transactions: number }> {
  const [found] = await values<{ count: number; transactions: number }>(
    stage.pool,
    `SELECT json_build_object('count', count(*), 'transactions', count(DISTINCT xmin::text))
     FROM identities WHERE workspace_id = $1 AND platform = 'alpha'`,
    [stage.workspaceId],
  );
  return found ?? { count: 0, transactions: 0 };
}

describe('contacts for the unknown addresses of a broadcast', () => {
  it('are created in batches before the audience is frozen, each once', async () => {
    const id = await create(MANY);
    await createNewContacts(stage.pool, id);
    expect(await contacts()).toEqual({ count: MANY, transactions: 3 });
    await stage.step(id);
    expect(await contacts()).toEqual({ count: MANY, transactions: 3 });
    expect(await stage.get(id)).toMatchObject({
      status: 'sending',
      counts: { total: MANY, skipped: 0 },
    });
  });

  it('are created when the audience is frozen if they are few', async () => {
    await stage.step(await create(MANY));
    const known = (await contacts()).transactions;
    const id = await create(MANY, 100);
    await createNewContacts(stage.pool, id);
    expect((await contacts()).count).toBe(MANY);
    await stage.step(id);
    expect(await contacts()).toEqual({ count: MANY + 100, transactions: known + 1 });
    expect((await stage.get(id)).counts).toMatchObject({ total: MANY, skipped: 0 });
  });

  it('are the same for two broadcasts that create them at the same time', async () => {
    const ids = [await create(MANY), await create(MANY, 1_000)];
    await Promise.all(ids.map((id) => createNewContacts(stage.pool, id)));
    expect((await contacts()).count).toBe(MANY + 1_000);
    for (const id of ids) {
      await stage.step(id);
      expect((await stage.get(id)).counts).toMatchObject({ total: MANY, skipped: 0 });
    }
  });

  it('are not created once the broadcast is canceled', async () => {
    const id = await create(MANY);
    await stage.broadcasts.cancel(stage.workspaceId, id);
    await createNewContacts(stage.pool, id);
    expect(await contacts()).toEqual({ count: 0, transactions: 0 });
  });
});
