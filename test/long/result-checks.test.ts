import { expect, it } from 'vitest';
import { testDatabase } from '../support/postgres.js';
import { startService } from '../support/service.js';
import { takeProblems } from '../support/service-checks.js';

it('A result that differs from the header of its function is reported by the service that receives it.', async () => {
  const database = await testDatabase();
  const service = await startService({ env: { DATABASE_URL: database.url } });
  try {
    const client = service.client();
    const contact = await client.post<{ id: string }>('/openapi/users', { display_name: 'Ada' });
    const opened = await client.post<{ id: string }>('/openapi/conversations', {
      type: 'direct',
      participant_ids: [contact.body.id],
    });
    expect(opened.status).toBe(201);
    expect(takeProblems(undefined)).toEqual([]);

    const { rows } = await database.pool.query(`SELECT pg_get_functiondef('signal_typing'::regproc) AS text`);
    await database.pool.query(rows[0].text.replace('{"record":{', '{"record":{"unnamed":1,'));
    // The client must not see it, because it would find the difference in the response.
    const typing = await fetch(`${service.url}/v1/openapi/conversations/${opened.body.id}/typing`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'started' }),
    });
    expect(typing.status).toBe(200);
    await expect
      .poll(() => takeProblems(undefined))
      .toEqual([expect.stringMatching(/^signal_typing.*unnamed/)]);
  } finally {
    await service.stop();
    await database.drop();
  }
});
