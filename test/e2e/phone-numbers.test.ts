import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { postForm } from '../support/forms.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const simulator = new TwilioSimulator({ limits: 'none' });
let service: SharedService;
let api: ApiClient;
let connection: Json;
let last = 100;

/** A number that no test has used. */
const fresh = () => {
  last += 1;
  return `+4915100000${last}`;
};
/** The same number as people write and copy it. */
const written = (number: string) =>
  `\u202a${number.slice(0, 3)} (${number.slice(3, 6)}) ${number.slice(6, 9)}-${number.slice(9)}\u200b`;
const usersBy = async (filter: string) =>
  (await api.must<{ data: Json[] }>(200, 'GET', `/openapi/users?filter=${encodeURIComponent(filter)}`)).data;
const contact = (body: Json) => api.must(201, 'POST', '/openapi/users', { display_name: 'Ann', ...body });
const sms = (number: string) => ({ platform: 'sms', external_id: number });
const upload = (content: string) =>
  postForm(api, '/openapi/segments', { name: 'List', file: { name: 'list.csv', content } });

beforeAll(async () => {
  await simulator.start();
  service = await shareService();
  api = service.client();
  connection = await api.must(201, 'POST', '/openapi/platforms/sms/connections', {
    name: 'number',
    ...simulator.account(),
  });
});
afterAll(async () => {
  await simulator.stop();
});

describe('a phone number in any notation', () => {
  it('finds its contact, however a conversation is opened', async () => {
    const number = fresh();
    const known = await contact({ identities: [sms(number)] });
    const recipient = { platform: 'sms', address: written(number) };
    const opened = await api.must(201, 'POST', '/openapi/conversations', { recipient });
    const again = await api.must(200, 'POST', '/openapi/conversations', {
      recipient: { platform: 'sms', address: number },
    });
    expect(again.id).toBe(opened.id);
    expect((opened.participants as Json[]).map(({ user_id }) => user_id)).toContain(known.id);
    expect(opened.links).toMatchObject([{ external_id: number }]);
  });

  it('is stored as E.164 in identities and phone', async () => {
    const number = fresh();
    const other = fresh();
    const made = await contact({ identities: [sms(written(number))], phone: written(other) });
    expect(made).toMatchObject({ identities: [{ external_id: number }], phone: other });
    const next = fresh();
    const path = `/openapi/users/${made.id}`;
    expect(await api.must(200, 'PATCH', path, { identities: [sms(written(next))] })).toMatchObject({
      identities: [{ external_id: next }],
      phone: other,
    });
    const taken = await api.post('/openapi/users', { display_name: 'x', identities: [sms(written(next))] });
    expect([taken.status, taken.body.details]).toMatchObject([409, { id: made.id }]);
    const twice = { display_name: 'x', identities: [sms(next), sms(written(next))] };
    expect(fieldsOf(await api.post('/openapi/users', twice))).toEqual([['identities', 'duplicate']]);
  });

  it('identifies the chat of a link', async () => {
    const number = fresh();
    const link = { connection_id: connection.id, external_id: written(number) };
    const made = await api.must(201, 'POST', '/openapi/conversations', { links: [link] });
    expect(made.links).toMatchObject([{ external_id: number }]);
    const taken = await api.post(`/openapi/conversations/${made.id}/links`, link);
    expect([taken.status, taken.body.details]).toMatchObject([409, { reason: 'already_exists' }]);
  });

  it('is the same recipient of a broadcast as the number in E.164', async () => {
    const number = fresh();
    const recipients = [
      { platform: 'sms', address: number },
      { platform: 'sms', address: written(number) },
    ];
    const dry = { text: 'Hello', audience: { recipients } };
    expect(await api.must(200, 'POST', '/openapi/broadcasts?dry_run=true', dry)).toMatchObject({
      recipients: 1,
      skips: { duplicate: 1 },
    });
    const made = await api.must(201, 'POST', '/openapi/broadcasts', { ...dry, draft: true });
    expect((made.audience as Json).recipients).toMatchObject([{ address: number }, { address: number }]);
  });
});

describe('an invalid phone number', () => {
  const wrong = '4.91512E+12';

  it('is refused with its field wherever an address is accepted', async () => {
    const refusals: [string, string, Json, string][] = [
      [
        'POST',
        '/openapi/conversations',
        { recipient: { platform: 'sms', address: wrong } },
        'recipient.address',
      ],
      ['POST', '/openapi/calls', { to: { platform: 'sms', address: wrong } }, 'to.address'],
      [
        'POST',
        '/openapi/users',
        { display_name: 'x', identities: [sms(fresh()), sms(wrong)] },
        'identities.1.external_id',
      ],
      ['POST', '/openapi/users', { display_name: 'x', phone: wrong }, 'phone'],
      [
        'POST',
        '/openapi/broadcasts',
        { text: 'x', audience: { recipients: [{ platform: 'sms', address: wrong }] } },
        'audience.recipients.0.address',
      ],
      [
        'POST',
        '/openapi/conversations',
        { links: [{ connection_id: connection.id, external_id: wrong }] },
        'links.0.external_id',
      ],
    ];
    for (const [method, path, body, field] of refusals) {
      const answer = await (method === 'POST' ? api.post(path, body) : api.patch(path, body));
      expect([path, answer.status, fieldsOf(answer)]).toEqual([path, 400, [[field, 'invalid_format']]]);
    }
    const { id } = await contact({});
    expect(fieldsOf(await api.patch(`/openapi/users/${id}`, { identities: [sms(wrong)] }))).toEqual([
      ['identities.0.external_id', 'invalid_format'],
    ]);
    const group = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [id] });
    const link = { connection_id: connection.id, external_id: wrong };
    expect(fieldsOf(await api.post(`/openapi/conversations/${group.id}/links`, link))).toEqual([
      ['external_id', 'invalid_format'],
    ]);
  });

  it('causes a whole list to be refused with the number of its line, and nothing of the list is stored', async () => {
    const number = fresh();
    const refused = await upload(`platform,address\nsms,${number}\nsms,${wrong}\n`);
    expect(fieldsOf(refused)).toEqual([['file', 'invalid_format']]);
    expect(refused.body.message).toContain('Line 3');
    expect(await usersBy(`identities.address:"${number}"`)).toEqual([]);
  });

  it('is refused in the same way as an address of a platform that is not installed', async () => {
    const identities = [{ platform: 'pigeon', external_id: 'x' }];
    expect(fieldsOf(await api.post('/openapi/users', { display_name: 'x', identities }))).toEqual([
      ['identities.0.platform', 'invalid_value'],
    ]);
    const person = await contact({});
    expect(fieldsOf(await api.patch(`/openapi/users/${person.id}`, { identities }))).toEqual([
      ['identities.0.platform', 'invalid_value'],
    ]);
    const refused = await upload('platform,address\npigeon,x\n');
    expect([fieldsOf(refused), refused.body.message]).toEqual([
      [['file', 'invalid_value']],
      'file: Line 2: platform must be an installed platform.',
    ]);
    const audience = { recipients: [{ platform: 'pigeon', address: 'x' }] };
    expect(fieldsOf(await api.post('/openapi/broadcasts', { text: 'x', audience }))).toEqual([
      ['audience.recipients.0.platform', 'invalid_value'],
    ]);
  });

  it('is refused in the same way as an address of the sandbox, which live workspaces lack', async () => {
    const refused = async (path: string, body: Json, field: string) =>
      expect([path, fieldsOf(await api.post(path, body))]).toEqual([path, [[field, 'invalid_value']]]);
    const platform = 'sandbox';
    const identities = [{ platform, external_id: 'deliver' }];
    await refused('/openapi/users', { display_name: 'x', identities }, 'identities.0.platform');
    const order = { display_name: 'x', channel_priority: [platform] };
    await refused('/openapi/users', order, 'channel_priority.0');
    const draft = { text: 'x', draft: true };
    const audience = { recipients: [{ platform, address: 'deliver' }] };
    await refused('/openapi/broadcasts', { ...draft, audience }, 'audience.recipients.0.platform');
    const nobody = { ...draft, audience: { filter: 'username:nobody' }, platforms: [platform] };
    await refused('/openapi/broadcasts', nobody, 'platforms.0');
    expect((await upload('platform,address\nsandbox,deliver\n')).body.message).toBe(
      'file: Line 2: platform must be an installed platform.',
    );
  });

  it('is refused in the same way as an unknown platform in an order of platforms', async () => {
    const created = await api.post('/openapi/users', {
      display_name: 'x',
      channel_priority: ['sms', 'pigeon'],
    });
    expect(fieldsOf(created)).toEqual([['channel_priority.1', 'invalid_value']]);
    const person = await contact({});
    const changed = await api.patch(`/openapi/users/${person.id}`, { channel_priority: ['pigeon'] });
    expect(fieldsOf(changed)).toEqual([['channel_priority.0', 'invalid_value']]);
    const draft = { text: 'x', draft: true, recipient_ids: [person.id] };
    const started = await api.post('/openapi/broadcasts', { ...draft, platforms: ['pigeon'] });
    expect(fieldsOf(started)).toEqual([['platforms.0', 'invalid_value']]);
    const { body } = await api.post('/openapi/broadcasts', { ...draft, platforms: ['sms'] });
    const sent = await api.patch(`/openapi/broadcasts/${body.id}`, { platforms: ['sms', 'pigeon'] });
    expect(fieldsOf(sent)).toEqual([['platforms.1', 'invalid_value']]);
  });
});

describe('a filter', () => {
  it('finds a phone number in any notation, and a part of one', async () => {
    const number = fresh();
    const { id } = await contact({ phone: number, identities: [sms(number)] });
    const other = await contact({ phone: fresh() });
    const piece = `${number.slice(6, 9)}-${number.slice(9)}`;
    for (const filter of [
      `phone:"${number}"`,
      `phone:"${written(number)}"`,
      `phone:"+1 202 555 0100"|"${written(number)}"`,
      `phone:~"${piece}"`,
      `identities.address:"${written(number)}"`,
    ]) {
      expect([filter, (await usersBy(filter)).map((user) => user.id)]).toEqual([filter, [id]]);
    }
    const rest = (await usersBy(`-phone:"${written(number)}",id:${id}|${other.id}`)).map((user) => user.id);
    expect(rest).toEqual([other.id]);
    expect((await usersBy(`phone:null,id:${id}`)).map((user) => user.id)).toEqual([]);
  });
});

describe('the phone of a contact', () => {
  it('is the number of the SMS identity, unless one is set', async () => {
    const [number, own] = [fresh(), fresh()];
    const made = await contact({ identities: [sms(written(number))] });
    expect(made.phone).toBe(number);
    expect(await contact({ identities: [sms(fresh())], phone: own })).toMatchObject({ phone: own });
    const bare = await contact({});
    expect(bare.phone).toBeNull();
    const added = fresh();
    expect(
      await api.must(200, 'PATCH', `/openapi/users/${bare.id}`, { identities: [sms(added)] }),
    ).toMatchObject({ phone: added });
    expect(await api.must(200, 'PATCH', `/openapi/users/${made.id}`, { phone: null })).toMatchObject({
      phone: null,
    });
  });

  it('is set for a contact who writes first', async () => {
    const person = simulator.chats()[0]?.id ?? '';
    simulator.setWebhook(String(connection.webhook_url));
    await simulator.post({ chatId: person, sender: 'Ada', text: 'Hello' });
    const [found] = await eventually(
      () => usersBy(`phone:"${person}"`),
      (users) => users.length === 1,
    );
    expect(found).toMatchObject({ phone: person, identities: [{ external_id: person }] });
    expect(await usersBy(`identities.address:"${person}"`)).toMatchObject([{ id: found?.id }]);
    expect(await usersBy(`-identities.address:"${person}"`)).not.toContainEqual(
      expect.objectContaining({ id: found?.id }),
    );
  });

  it('is set for contacts from a conversation, a list or a broadcast', async () => {
    const [opened, listed, addressed] = [fresh(), fresh(), fresh()];
    await api.must(201, 'POST', '/openapi/conversations', {
      recipient: { platform: 'sms', address: opened },
    });
    expect((await upload(`platform,address\nsms,${written(listed)}\n`)).status).toBe(201);
    await api.must(201, 'POST', '/openapi/broadcasts', {
      text: 'Hello',
      audience: { recipients: [{ platform: 'sms', address: addressed }] },
    });
    for (const number of [opened, listed, addressed]) {
      await eventually(
        () => usersBy(`phone:"${number}"`),
        (users) => users.length === 1,
      );
    }
  });
});

describe('the profile columns of a list', () => {
  const HEAD = 'platform,address,display_name,locale,timezone';
  const only = async (number: string) => (await usersBy(`identities.address:"${number}"`))[0];

  it('set the profile of a new contact', async () => {
    const number = fresh();
    const made = await upload(
      `${HEAD}\nsms,${number},Grace,en-GB,europe/london\nsms,${number},Other,fr,Asia/Tokyo\n`,
    );
    expect(made.body).toMatchObject({ size: 1 });
    expect(await only(number)).toMatchObject({
      display_name: 'Grace',
      locale: 'en-GB',
      timezone: 'Europe/London',
    });
  });

  it('fill missing values of a contact, and replace nothing', async () => {
    const [known, unnamed] = [fresh(), fresh()];
    const ann = await contact({ identities: [sms(known)], locale: 'de-DE' });
    expect((await upload(`platform,address\nsms,${unnamed}\n`)).status).toBe(201);
    const file = `${HEAD}\nsms,${known},Somebody,fr,Europe/Paris\nsms,${unnamed},Bob,,\n`;
    expect((await upload(file)).status).toBe(201);
    expect(await only(known)).toMatchObject({
      display_name: 'Ann',
      locale: 'de-DE',
      timezone: 'Europe/Paris',
    });
    expect(await only(unnamed)).toMatchObject({ display_name: 'Bob', locale: null, timezone: null });
    const byId = await upload(`user_id,locale,timezone\n${ann.id},fr,Asia/Tokyo\n`);
    expect(byId.status).toBe(201);
    expect(await only(known)).toMatchObject({ locale: 'de-DE', timezone: 'Europe/Paris' });
  });

  it('do not change members', async () => {
    const me = await api.must(200, 'GET', '/openapi/users/me');
    expect((await upload(`user_id,timezone\n${me.id},Asia/Tokyo\n`)).status).toBe(201);
    expect(await api.must(200, 'GET', '/openapi/users/me')).toMatchObject({ timezone: null });
  });
});
