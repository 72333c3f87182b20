import type pg from 'pg';
import { loadDescriptions } from '../../support/api-description.js';
import type { Access } from '../campaign.js';
import { startElsewhere } from '../elsewhere.js';
import { operationsNamed } from '../operations.js';
import { startPostgres } from '../postgres.js';
import { Caller, clearAway, makeRecords } from '../stage.js';
import { signIn, startVictim, type Victim } from '../victim.js';
import { MainThread } from './main-thread.js';
import { requestProblems } from './requests.js';

export interface MeasureOptions {
  readonly seed: number;
  readonly first: number;
  readonly seconds: number;
  readonly only: string | undefined;
}

/** Measures a separate service with expensive requests. Returns one line for each that was too slow. */
export async function measureRequests({ seed, first, seconds, only }: MeasureOptions): Promise<string[]> {
  const elsewhere = await startElsewhere(seed);
  const postgres = await startPostgres('measured');
  const victim = await startVictim({ DATABASE_URL: postgres.url, TRANSLATE_URL: elsewhere.url });
  try {
    const descriptions = await loadDescriptions(victim.url);
    let turn = 0;
    const problems = await requestProblems({
      url: victim.url,
      elsewhere: elsewhere.url,
      seed,
      first,
      limitMs: seconds * 1000,
      operations: operationsNamed(only, descriptions),
      thread: await MainThread.of(victim.inspector),
      ended: () => victim.ended() !== undefined,
      renew: () => {
        turn += 1;
        return accessTo(victim, postgres.connection, elsewhere.url, turn);
      },
    });
    // The watchdog uses wall-clock time, which includes waits of a busy machine.
    const defects = [...victim.defects].filter(([title]) => !title.startsWith('process.blocked'));
    const logged = defects.map(
      ([title, entry]) => `LOGGED ${title}: ${JSON.stringify(entry).slice(0, 1_000)}`,
    );
    return [...problems, ...logged];
  } finally {
    const code = await victim.stop();
    if (code !== 0) console.log(`The service ended with ${code}.`);
    await elsewhere.close();
    await postgres.stop();
  }
}

async function accessTo(
  { url, key }: Victim,
  database: pg.ClientConfig,
  elsewhere: string,
  turn: number,
): Promise<{ described: Access; undescribed: Access }> {
  const headers = { 'x-api-key': key };
  const session = await signIn(url, database);
  await new Caller(url, session).call('PATCH', '/dashboard/api/workspace', { plan: 'unlimited' });
  const api = new Caller(url, headers);
  await clearAway(api, false);
  const records = await makeRecords(api, false, elsewhere, turn);
  return { described: { headers, records }, undescribed: { headers: session, records } };
}
