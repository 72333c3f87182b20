import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturePath, makeRecords } from '../support/access-fixtures.js';
import type { ApiAnswer, ApiClient, Json } from '../support/api-client.js';
import type { ApiDocument } from '../support/api-document-slots.js';
import { ownerBrowser } from '../support/browser.js';
import { formOf } from '../support/files.js';
import { type Place, type Possessions, placesOf } from '../support/foreign-ids.js';
import { KeyMaker } from '../support/keys.js';
import { everyRoute } from '../support/routes.js';
import { type Service, startService } from '../support/service.js';

const NEIGHBOUR = { email: 'neighbour@example.test', password: 'password of the neighbour' };

let service: Service;
/** The owner of the requested records, and a client of another workspace that requests them. */
let theirs: Possessions;
let own: Possessions;
let them: ApiClient;
let me: ApiClient;
let document: ApiDocument;

// The sandbox needs a test key, and a route that takes over the response returns no record.
const routes = everyRoute().filter(
  ({ scopes, path, success }) =>
    typeof scopes !== 'function' && success !== 101 && path !== '/openapi/events/stream',
);

beforeAll(async () => {
  service = await startService({ env: { TRUNKLINE_ROLES: 'api', TRANSLATE_URL: 'http://127.0.0.1:1999/' } });
  const operator = await ownerBrowser(service);
  await operator.must(201, 'POST', '/workspaces', {
    name: 'Next door',
    owner_email: NEIGHBOUR.email,
    owner_password: NEIGHBOUR.password,
  });
  them = service.client();
  me = service.client(await new KeyMaker(service.url, NEIGHBOUR).make());
  theirs = await possess(them);
  own = await possess(me);
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as ApiDocument;
});
afterAll(() => service?.stop());

async function possess(api: ApiClient): Promise<Possessions> {
  const form = formOf([{ name: 'file', fileName: 'a.txt', type: 'text/plain', value: 'x' }]);
  const { status, body, text } = await api.post('/openapi/attachments', form.body, { headers: form.headers });
  expect([status, status === 201 ? '' : text]).toEqual([201, '']);
  const records = await makeRecords(api);
  const point = { user_id: records.user, latitude: 1, longitude: 2 };
  const location = await api.must<Json>(201, 'POST', '/openapi/locations', point);
  return { ...records, upload: String(body.id), location: String(location.id) };
}

function ask({ route, request }: Place, id: string): Promise<ApiAnswer> {
  const { path, body } = request(id, own);
  return me.send(route.method, path, body === undefined ? {} : { body });
}

/** An answer without the requested id. */
const without = ({ status, text }: ApiAnswer, id: string) => `${status} ${text.replaceAll(id, 'ID')}`;

describe('the id of a record of another workspace', () => {
  it('returns the response of an unknown id, wherever a request can contain one', async () => {
    const places = routes.flatMap((route) => placesOf(route, document));
    expect(places.length).toBeGreaterThan(120);
    const wrong: string[] = [];
    for (const place of places) {
      const foreign = theirs[place.record];
      const unknown = uuidv7();
      const [one, other] = [await ask(place, foreign), await ask(place, unknown)];
      const same = without(one, foreign) === without(other, unknown);
      const isList = one.status === 200 && Array.isArray(one.body.data) && one.body.data.length === 0;
      if (!same || !(one.status === 404 || isList)) {
        wrong.push(`${place.name}: ${without(one, foreign)} / ${without(other, unknown)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has changed nothing in the other workspace', async () => {
    for (const [path, record] of [
      ['/openapi/users', theirs.user],
      ['/openapi/conversations', theirs.conversation],
      ['/openapi/broadcasts', theirs.broadcast],
      ['/api/webhooks', theirs.webhook],
      ['/openapi/platforms/connections', theirs.connection],
    ] as const) {
      const body = await them.must<Json>(200, 'GET', `${path}/${record}`);
      expect([path, body.updated_at]).toEqual([path, body.created_at]);
    }
  });
});

describe('a cursor of another workspace', () => {
  it('is refused by every list', async () => {
    await makeMore();
    const without: string[] = [];
    for (const route of routes.filter(({ list }) => list !== undefined)) {
      const path = fixturePath(route, theirs);
      const list = `${path}${path.includes('?') ? '&' : '?'}limit=1`;
      const { body } = await them.get<{ pagination?: Json }>(list);
      const cursor = body.pagination?.nextCursor ?? undefined;
      if (cursor === undefined) {
        without.push(route.path);
        continue;
      }
      const next = `${list}&cursor=${cursor}`;
      expect([next, (await them.get(next)).status]).toEqual([next, 200]);
      const answer = await me.get(next);
      const [field] = ((answer.body.details as Json)?.fields ?? []) as Json[];
      expect([next, answer.status, field?.field]).toEqual([next, 400, 'cursor']);
    }
    // No broadcast is sent here, a conversation has one chat, a message has one delivery, and there is no guide.
    expect(without.sort()).toEqual([
      '/openapi/broadcasts/{id}/recipients',
      '/openapi/conversations/{id}/links',
      '/openapi/deliveries',
      '/openapi/tv/networks',
      '/openapi/tv/networks/{id}/schedule',
    ]);
  });
});

/** A second record of every listed type. */
async function makeMore(): Promise<void> {
  const { conversation, user, webhook, tracking } = theirs;
  const second = await makeRecords(them);
  const more: [path: string, body: Json, status?: number][] = [
    ['/openapi/messages', { conversation_id: conversation, text: 'Two' }],
    [`/openapi/conversations/${conversation}/participants`, { user_id: second.user }],
    [`/api/webhooks/${webhook}/test`, {}, 200],
    [`/openapi/locations/tracking/${tracking}/consent`, { granted: true }, 200],
    [`/openapi/locations/tracking/${second.tracking}/consent`, { granted: true }, 200],
    ['/openapi/locations', { user_id: user, latitude: 3, longitude: 4 }],
  ];
  for (const [path, body, status = 201] of more) await them.must(status, 'POST', path, body);
}
