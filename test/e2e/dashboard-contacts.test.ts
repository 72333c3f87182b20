import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { eventually, type Json } from '../support/api-client.js';
import { asPerson, type OAuthStage, shareOAuthStage } from '../support/oauth.js';

let stage: OAuthStage;

beforeAll(async () => {
  stage = await shareOAuthStage();
});
afterAll(() => stage?.stop());

function send(method: string, path: string, body?: Json) {
  const options = { headers: asPerson(stage.owner), ...(body && { body }) };
  return stage.anonymous.send(method, `/dashboard/api${path}`, options);
}
const changesOf = async (id: unknown) =>
  (await send('GET', `/contacts/${id}/consent-changes`)).body.data as Json[];

describe('The history of consent of a contact', () => {
  it('names the source of each change and the member who made it, newest first', async () => {
    const api = stage.service.client();
    const { id } = await api.must(201, 'POST', '/openapi/users', {
      display_name: 'Ada',
      consent: { marketing: 'granted' },
    });
    const changed = await send('PATCH', `/openapi/users/${id}`, {
      consent: { marketing: 'denied', tracking: 'granted' },
    });
    expect(changed.status).toBe(200);
    await send('PATCH', `/openapi/users/${id}`, { consent: { marketing: 'denied' }, display_name: 'Ada L.' });
    const changes = await changesOf(id);
    expect(
      changes.map(({ category, previous, state, source }) => [category, previous, state, source]),
    ).toEqual(
      expect.arrayContaining([
        ['marketing', 'granted', 'denied', 'member'],
        ['tracking', 'unknown', 'granted', 'member'],
        ['marketing', 'unknown', 'granted', 'api'],
      ]),
    );
    expect(changes).toHaveLength(3);
    expect(changes.at(-1)).toMatchObject({ source: 'api' });
    expect(changes[0]).toMatchObject({ actor_id: stage.owner.userId });
  });

  it('is included in a merge, and is deleted when the contact is erased', async () => {
    const make = async (display_name: string, marketing: string) =>
      (await send('POST', '/openapi/users', { display_name, consent: { marketing } })).body.id;
    const [target, source] = [await make('Target', 'granted'), await make('Source', 'denied')];
    expect(
      (await send('POST', `/openapi/users/${target}/merge`, { source_id: source as never })).status,
    ).toBe(200);
    const changes = await changesOf(target);
    expect(changes.map(({ state, source: how }) => `${how} ${state}`).sort()).toEqual([
      'member denied',
      'member granted',
      'merge denied',
    ]);
    expect((await send('DELETE', `/openapi/users/${target}`)).status).toBe(204);
    expect((await send('GET', `/contacts/${target}/consent-changes`)).status).toBe(404);
    const left = await stage.database.pool.query('SELECT FROM consent_changes WHERE user_id = $1', [target]);
    expect(left.rowCount).toBe(0);
  });

  it('contains the keyword with which a contact opted out', async () => {
    const telegram = new TelegramSimulator();
    await telegram.start();
    try {
      const api = stage.service.client();
      await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
        name: 'Shop',
        ...telegram.account(),
      });
      const chatId = telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
      await telegram.post({ chatId, sender: 'Ada', text: 'stop' });
      const [changes] = await eventually(
        async () => {
          const path = '/openapi/users?filter=kind:contact,platform:telegram';
          const { data } = await api.must<{ data: Json[] }>(200, 'GET', path);
          return Promise.all(data.map(({ id }) => changesOf(id)));
        },
        (all) => all.length === 1 && all[0]?.length === 2,
      );
      expect(changes?.map(({ category }) => category).sort()).toEqual(['marketing', 'notification']);
      for (const change of changes ?? [])
        expect(change).toMatchObject({
          previous: 'unknown',
          state: 'denied',
          source: 'keyword',
          keyword: 'STOP',
          actor_id: null,
        });
    } finally {
      await telegram.stop();
    }
  });
});
