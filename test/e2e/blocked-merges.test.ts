import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json } from '../support/api-client.js';
import { TestStream } from '../support/event-stream.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
});

const contact = (fields: Json) => api.must<Json>(201, 'POST', '/openapi/users', fields);

describe('a merge of a blocked contact into an active one', () => {
  it('blocks the contact that stays, fills the gaps of phone and e-mail, and writes the status event', async () => {
    const stream = await TestStream.open(service.url, {
      key: service.key,
      query: '?events=user.status_changed,user.merged',
    });
    const target = await contact({ display_name: 'Ann' });
    const source = await contact({
      display_name: 'Ann B.',
      phone: '+4915199999903',
      email: 'ann@example.com',
    });
    await api.must(200, 'PATCH', `/openapi/users/${source.id}`, { status: 'blocked' });
    const merged = await api.must(200, 'POST', `/openapi/users/${target.id}/merge`, { source_id: source.id });
    expect(merged).toMatchObject({
      id: target.id,
      status: 'blocked',
      phone: '+4915199999903',
      email: 'ann@example.com',
    });
    const told = await stream.event(
      ({ event, data }) =>
        event === 'user.status_changed' && (data?.data as Json | undefined)?.id === target.id,
    );
    expect(told.data?.data).toMatchObject({ status: 'blocked', previous: { status: 'active' } });
    expect(stream.problems).toEqual([]);
    stream.close();
  });

  it('keeps the phone and e-mail that the contact has', async () => {
    const own = { phone: '+4915199999904', email: 'own@example.com' };
    const target = await contact({ display_name: 'Bob', ...own });
    const source = await contact({ display_name: 'B.', phone: '+4915199999905', email: 'b@example.com' });
    expect(
      await api.must(200, 'POST', `/openapi/users/${target.id}/merge`, { source_id: source.id }),
    ).toMatchObject({ status: 'active', ...own });
  });
});

describe('a merge', () => {
  it('fills the gaps of locale and time zone, and keeps those that the contact has', async () => {
    const source = { locale: 'de-DE', timezone: 'Europe/Berlin' };
    const own = { locale: 'hi-IN', timezone: 'Asia/Kolkata' };
    for (const [target, expected] of [
      [{}, source],
      [own, own],
      [{ locale: own.locale }, { ...source, locale: own.locale }],
    ]) {
      const { id } = await contact({ display_name: 'Cleo', ...target });
      const { id: source_id } = await contact({ display_name: 'C.', ...source });
      expect(await api.must(200, 'POST', `/openapi/users/${id}/merge`, { source_id })).toMatchObject({
        ...expected,
      });
    }
  });
});

describe('the members of a tracking session', () => {
  it('are users of the workspace: a contact in share_with is refused', async () => {
    const ann = await contact({ display_name: 'Carl' });
    const answer = await api.post('/openapi/locations/tracking', {
      purpose: 'Delivery',
      share_with: [ann.id],
    });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [['share_with', 'invalid_value']]]);
  });
});
