import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let me: Json;

const contact = (body: Json) => api.must(201, 'POST', '/openapi/users', body);

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
});

describe('the profile of the caller', () => {
  it('belongs to the owner, who is named after the address', async () => {
    const { email } = service.owner;
    const [name] = email.split('@');
    expect(me).toMatchObject({
      username: name,
      display_name: name,
      email,
      status: 'active',
      kind: 'member',
      presence: 'offline',
      phone: null,
      identities: [],
      channel_priority: [],
      metadata: {},
      consent: { marketing: 'unknown', notification: 'unknown', tracking: 'unknown' },
    });
    expect(await api.must(200, 'GET', `/openapi/users/${me.id}`)).toEqual(me);
  });

  it('has a generated picture until one is set', async () => {
    const picture = await fetch(String(me.profile_image));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('image/'),
    ]);
    const own = await api.must(200, 'PATCH', '/openapi/users/me', {
      profile_image: 'https://example.com/me.png',
    });
    expect(own.profile_image).toBe('https://example.com/me.png');
    expect(fieldsOf(await api.patch('/openapi/users/me', { profile_image: null }))).toEqual([
      ['profile_image', 'invalid_type'],
    ]);
  });

  it('accepts only editable fields with valid values', async () => {
    const patch = {
      username: 'boss',
      display_name: 'The Boss',
      presence: 'busy',
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
      metadata: { a: 1 },
    };
    expect(await api.must(200, 'PATCH', '/openapi/users/me', patch)).toMatchObject({
      ...patch,
      email: service.owner.email,
    });
    expect(await api.must(200, 'PATCH', `/openapi/users/${me.id}`, { display_name: 'Boss' })).toMatchObject({
      display_name: 'Boss',
    });
    const wrong: [Json, [string, string]][] = [
      [{ email: 'x@example.test' }, ['email', 'read_only']],
      [{ status: 'blocked' }, ['status', 'read_only']],
      [{ kind: 'bot' }, ['kind', 'read_only']],
      [{ username: 'A B' }, ['username', 'invalid_format']],
      [{ username: 'ab' }, ['username', 'too_short']],
      [{ display_name: '' }, ['display_name', 'too_short']],
      [{ locale: 'not a locale' }, ['locale', 'invalid_format']],
      [{ timezone: 'Mars/Base' }, ['timezone', 'invalid_format']],
      [{ presence: 'away!' }, ['presence', 'invalid_value']],
    ];
    for (const [body, problem] of wrong)
      expect(fieldsOf(await api.patch('/openapi/users/me', body))).toEqual([problem]);
  });

  it('can’t take a name that is in use', async () => {
    const taken = await contact({ display_name: 'Tess', username: 'tess' });
    const refused = await api.patch('/openapi/users/me', { username: 'tess' });
    expect([reasonOf(refused), (refused.body.details as Json).id]).toEqual(['already_exists', taken.id]);
  });
});

describe('contacts', () => {
  it('are created, read and listed', async () => {
    const body = {
      display_name: 'Ann',
      username: 'ann',
      email: 'ann@example.test',
      phone: '+4915112345678',
      locale: 'en',
      metadata: { crm: 7 },
      identities: [
        { platform: 'sms', external_id: '+4915112345678' },
        { platform: 'telegram', external_id: '77', handle: '@ann' },
      ],
      channel_priority: ['telegram', 'sms'],
      consent: { marketing: 'granted' },
    };
    const ann = await contact(body);
    expect(ann).toMatchObject({
      kind: 'contact',
      status: 'active',
      username: 'ann',
      metadata: { crm: 7 },
      consent: { marketing: 'granted', tracking: 'unknown' },
    });
    expect(ann.identities).toMatchObject([
      { platform: 'sms', handle: null, opt_out: [] },
      { platform: 'telegram', handle: '@ann' },
    ]);
    expect(await api.must(200, 'GET', `/openapi/users/${ann.id}`)).toEqual(ann);
    for (const filter of [
      'metadata.crm:7',
      'email:ann@example.test',
      'phone:+4915112345678',
      'platform:sms,kind:contact',
    ]) {
      const { data } = await api.must<{ data: Json[] }>(
        200,
        'GET',
        `/openapi/users?filter=${encodeURIComponent(filter)}`,
      );
      expect(data.map(({ id }) => id)).toEqual([ann.id]);
    }
    const taken = await api.post('/openapi/users', {
      display_name: 'B',
      identities: [{ platform: 'telegram', external_id: '77' }],
    });
    expect([reasonOf(taken), (taken.body.details as Json).id]).toEqual(['already_exists', ann.id]);
  });

  it('can be blocked and activated again', async () => {
    const { id } = await contact({ display_name: 'Bob' });
    expect(await api.must(200, 'PATCH', `/openapi/users/${id}`, { status: 'blocked' })).toMatchObject({
      status: 'blocked',
    });
    expect(await api.must(200, 'PATCH', `/openapi/users/${id}`, { status: 'active' })).toMatchObject({
      status: 'active',
    });
    expect(fieldsOf(await api.patch(`/openapi/users/${id}`, { status: 'suspended' }))).toEqual([
      ['status', 'invalid_value'],
    ]);
  });

  it.each<[string, Json, [string, string]]>([
    ['no name', {}, ['display_name', 'required']],
    ['a wrong address', { display_name: 'x', email: 'nobody' }, ['email', 'invalid_format']],
    ['a wrong number', { display_name: 'x', phone: '0151' }, ['phone', 'invalid_format']],
    [
      'an identity twice',
      {
        display_name: 'x',
        identities: [
          { platform: 'sms', external_id: '1' },
          { platform: 'sms', external_id: '1' },
        ],
      },
      ['identities', 'duplicate'],
    ],
    [
      'another consent',
      { display_name: 'x', consent: { marketing: 'maybe' } },
      ['consent.marketing', 'invalid_value'],
    ],
    [
      'a picture at a forbidden place',
      { display_name: 'x', profile_image: 'https://10.0.0.1/x' },
      ['profile_image', 'forbidden_target'],
    ],
  ])('refuse %s', async (_what, body, problem) => {
    expect(fieldsOf(await api.post('/openapi/users', body))).toEqual([problem]);
  });

  it('that do not exist are 404', async () => {
    for (const id of [NOBODY, 'x', '1']) {
      await api.must(404, 'GET', `/openapi/users/${id}`);
      await api.must(404, 'PATCH', `/openapi/users/${id}`, { display_name: 'x' });
    }
  });
});
