import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const MARKS = 'bold italic underline strike code code_block quote link list heading mention spoiler'.split(
  ' ',
);
const OPS =
  'edit delete react reply thread typing read_out read_in delivered buttons schedule history membership persona_override location live_location calls initiate'.split(
    ' ',
  );

interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly enum: readonly unknown[] | null;
  readonly enum_titles: Json | null;
}
type Protocol = Json & {
  readonly id: string;
  readonly capabilities: {
    readonly hash: string;
    readonly text: { readonly formats: Json };
    readonly ops: Json;
  };
  readonly config_schema: { readonly credentials: Field[]; readonly settings: Field[] };
};

let service: SharedService;
let api: ApiClient;

const listed = async (query = '', client = api) =>
  (await client.must<{ data: Protocol[] }>(200, 'GET', `/openapi/protocols${query}`)).data;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
});

describe('protocols', () => {
  it('are those of the bundled platforms, sorted by name', async () => {
    const all = await listed('?order=asc');
    expect(all.map(({ id }) => id)).toEqual(['discord', 'sms', 'slack', 'telegram']);
    const names = all.map(({ name }) => name);
    expect((await listed()).map(({ name }) => name)).toEqual([...names].reverse());
    for (const protocol of all) {
      expect(await api.must(200, 'GET', `/openapi/protocols/${protocol.id}`)).toEqual(protocol);
      expect(protocol).toMatchObject({
        contract_version: 2,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      });
      expect(Object.keys(protocol.capabilities.text.formats).sort()).toEqual([...MARKS].sort());
      expect(Object.keys(protocol.capabilities.ops).sort()).toEqual([...OPS].sort());
      expect(protocol.capabilities.hash).toMatch(/^[0-9a-f]{16,64}$/);
      expect(Object.keys(protocol.rate as Json).sort()).toEqual(['per_chat_per_second', 'per_second']);
    }
  });

  it('describe how events arrive and the settings of a connection', async () => {
    const of = async (id: string) => (await listed(`?filter=id:${id}`))[0] as Protocol;
    const names = (fields: readonly Field[]) => fields.map(({ name }) => name);
    expect((await of('telegram')).ingress).toEqual(['poll', 'webhook']);
    expect((await of('discord')).ingress).toEqual(['gateway']);
    expect((await of('slack')).ingress).toEqual(['webhook', 'gateway']);
    const sms = await of('sms');
    expect(sms.ingress).toEqual(['webhook']);
    expect(names(sms.config_schema.credentials)).toEqual(['account_sid', 'auth_token']);
    expect(sms.config_schema.credentials).toMatchObject([
      { required: true },
      { type: 'secret', required: true },
    ]);
    expect(names(sms.config_schema.settings)).toEqual(
      expect.arrayContaining(['from', 'messaging_service_sid']),
    );
    for (const { config_schema: schema } of await listed()) {
      expect(names(schema.settings)).toEqual(
        expect.arrayContaining(['api_base_url', 'ingress', 'uncertain_policy', 'unlinked_chats']),
      );
      for (const field of [...schema.credentials, ...schema.settings]) {
        const keys = ['default', 'description', 'enum', 'enum_titles', 'name', 'required', 'title', 'type'];
        expect(Object.keys(field).sort()).toEqual(keys);
        // A form shows titles in place of names and values.
        if (field.enum !== null) expect(Object.keys(field.enum_titles ?? {})).toEqual(field.enum);
      }
    }
  });

  it('are filtered by id and name, and nothing else', async () => {
    expect(await listed('?filter=name:~tele')).toMatchObject([{ id: 'telegram' }]);
    expect(await listed('?filter=-id:sms|slack')).toHaveLength(2);
    for (const query of ['filter=version:1', 'filter=created_at:null']) {
      expect(fieldsOf(await api.get(`/openapi/protocols?${query}`))).toEqual([['filter', 'invalid_value']]);
    }
    expect(fieldsOf(await api.get('/openapi/protocols?sort=created_at'))).toEqual([
      ['sort', 'invalid_value'],
    ]);
  });

  it('include the sandbox for test keys only, which see no others', async () => {
    const test = service.client(await service.createKey({ scopes: 'protocols:read', test: true }));
    expect(await listed('', test)).toMatchObject([{ id: 'sandbox' }]);
    await test.must(404, 'GET', '/openapi/protocols/telegram');
    await api.must(404, 'GET', '/openapi/protocols/sandbox');
    await api.must(404, 'GET', '/openapi/protocols/Telegram');
    const other = service.client(await service.createKey({ scopes: 'platforms:read' }));
    expect((await other.must(403, 'GET', '/openapi/protocols')).details).toMatchObject({
      required: ['protocols:read'],
    });
  });
});
