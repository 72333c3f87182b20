import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bundledDefinitions } from '../../../../adapters/index.js';
import {
  type AdapterDefinition,
  CONTRACT_VERSION,
  formats,
  ops,
  secret,
} from '../../../../src/contract/index.js';
import type { AppError } from '../../../../src/core/common/errors.js';
import { Platforms } from '../../../../src/core/platforms/catalogue.js';
import { parseConfiguration, refuseUnknownNames } from '../../../../src/core/platforms/configuration.js';
import { capabilitiesOf, protocolOf } from '../../../../src/core/platforms/describe.js';
import { scriptedCapabilities } from '../../../support/scripted-platform.js';

function definition(more: Partial<AdapterDefinition> = {}): AdapterDefinition {
  return {
    contractVersion: CONTRACT_VERSION,
    platform: 'alpha',
    displayName: 'Alpha',
    version: '1.0.0',
    ingress: ['webhook', 'poll'],
    defaultApiBaseUrl: 'https://alpha.example',
    credentials: z.object({
      token: secret(z.string().min(3)),
      key: secret(z.string()).optional(),
      account: z.string(),
    }),
    settings: z.object({ color: z.enum(['red', 'blue']).default('red') }),
    lookup: true,
    capabilities: scriptedCapabilities,
    rate: { per_second: 5, per_chat_per_second: 1 },
    create: async () => Promise.reject(new Error('never made')),
    ...more,
  } as AdapterDefinition;
}

const credentials = { token: 'abc', account: 'me' };

function problemsOf(run: () => unknown): { field: string; code: string }[] {
  try {
    run();
  } catch (error) {
    const { fields } = (error as AppError).details as { fields: { field: string; code: string }[] };
    return fields.map(({ field, code }) => ({ field, code }));
  }
  return [];
}

/** Messages of the problems by field. */
function advice(run: () => unknown): Record<string, string> {
  try {
    run();
  } catch (error) {
    const { fields } = (error as AppError).details as { fields: { field: string; message: string }[] };
    return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
  }
  return {};
}

describe('an unknown name in the configuration of a platform', () => {
  const limits = z.object({ per_minute: z.number().optional() });
  const nested = definition({
    credentials: z.object({ login: z.object({ user: z.string(), password: secret(z.string()) }) }),
    settings: z.object({
      rooms: z.record(z.string(), z.object({ title: z.string().optional(), limits: limits.optional() })),
    }),
  } as never);

  it('is refused with the nearest known one, in nested objects and in records as well', () => {
    const sent = {
      credentials: { login: { user: 'me', passwrd: 'x' }, logn: {} },
      settings: { rooms: { lobby: { tilte: 'A', limits: { per_minut: 1 } } }, ingres: 'poll' },
    };
    expect(advice(() => refuseUnknownNames(nested, sent))).toEqual({
      'credentials.login.passwrd': 'Unknown name. The nearest known field is credentials.login.password.',
      'credentials.logn': 'Unknown name. The nearest known field is credentials.login.',
      'settings.rooms.lobby.tilte': 'Unknown name. The nearest known field is settings.rooms.lobby.title.',
      'settings.rooms.lobby.limits.per_minut':
        'Unknown name. The nearest known field is settings.rooms.lobby.limits.per_minute.',
      'settings.ingres': 'Unknown name. The nearest known field is settings.ingress.',
    });
  });

  it.each(bundledDefinitions.map((each) => [each.platform, each] as const))(
    'is refused for each kind of field of %s',
    (_platform, bundled) => {
      const sent = { credentials: { zork: 1 }, settings: { zork: 1 } };
      const found = problemsOf(() => refuseUnknownNames(bundled as never, sent));
      expect(found).toEqual([
        { field: 'credentials.zork', code: 'unknown_field' },
        { field: 'settings.zork', code: 'unknown_field' },
      ]);
    },
  );

  it('is accepted if the platform accepts any name', () => {
    const free = definition({ settings: z.object({ headers: z.record(z.string(), z.string()) }) } as never);
    expect(advice(() => refuseUnknownNames(free, { settings: { headers: { anything: 'x' } } }))).toEqual({});
  });
});

describe('the configuration of a connection', () => {
  it('has the defaults of its platform', () => {
    expect(parseConfiguration(definition(), credentials, undefined).settings).toEqual({
      api_base_url: 'https://alpha.example',
      ingress: 'webhook',
      uncertain_policy: 'reconcile',
      unlinked_chats: 'create',
      rate_per_second: 5,
      chat_pacing: 'platform',
      color: 'red',
    });
    const without = definition({ lookup: false, rate: { per_second: null, per_chat_per_second: null } });
    expect(parseConfiguration(without, credentials, {}).settings).toMatchObject({
      uncertain_policy: 'hold',
      rate_per_second: 0,
      chat_pacing: 'platform',
    });
  });

  it('has every wrong field reported by its path, with the error code', () => {
    const problems = problemsOf(() =>
      parseConfiguration(
        definition(),
        { token: 'a', account: 7 },
        { ingress: 'gateway', color: 3, api_base_url: 'x' },
      ),
    );
    expect(problems).toEqual([
      { field: 'credentials.token', code: 'too_short' },
      { field: 'credentials.account', code: 'invalid_type' },
      { field: 'settings.api_base_url', code: 'invalid_format' },
      { field: 'settings.ingress', code: 'invalid_value' },
      { field: 'settings.color', code: 'invalid_value' },
    ]);
  });

  it('has missing fields reported as required', () => {
    expect(problemsOf(() => parseConfiguration(definition(), {}, {}))).toEqual([
      { field: 'credentials.token', code: 'required' },
      { field: 'credentials.account', code: 'required' },
    ]);
  });

  it('has numbers out of range reported as too small or too large', () => {
    for (const [rate, code] of [
      [-1, 'too_small'],
      [1e9, 'too_large'],
    ] as const) {
      expect(
        problemsOf(() => parseConfiguration(definition(), credentials, { rate_per_second: rate })),
      ).toEqual([{ field: 'settings.rate_per_second', code }]);
    }
  });

  it('never has its values repeated in errors', () => {
    const value = 'hunter2-secret';
    const strict = definition({
      credentials: z.object({ token: secret(z.string().regex(/^\d+$/)) }) as never,
    });
    try {
      parseConfiguration(strict, { token: value }, {});
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify([(error as AppError).message, (error as AppError).details])).not.toContain(value);
    }
  });

  it('is refused for a platform that can’t be connected', () => {
    const run = () =>
      parseConfiguration(definition({ lookup: false }), credentials, { uncertain_policy: 'reconcile' });
    expect(problemsOf(run)).toEqual([{ field: 'settings.uncertain_policy', code: 'unsupported' }]);
  });

  it('is checked by the adapter once each field is valid', () => {
    const seen: unknown[] = [];
    const checking = definition({
      validate: (config) => {
        seen.push(config);
        return [{ field: 'credentials.key', code: 'required', message: 'is required for webhook' }];
      },
    });
    expect(problemsOf(() => parseConfiguration(checking, {}, {}))).toHaveLength(2);
    expect(seen).toEqual([]);
    expect(problemsOf(() => parseConfiguration(checking, credentials, {}))).toEqual([
      { field: 'credentials.key', code: 'required' },
    ]);
  });
});

describe('the description of a platform', () => {
  it('lists its fields for a form, with optional secrets marked as well', () => {
    const { config_schema } = protocolOf(definition());
    expect(config_schema.credentials.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['token', 'secret', true],
      ['key', 'secret', false],
      ['account', 'string', true],
    ]);
    const byName = new Map(config_schema.settings.map((field) => [field.name, field]));
    expect(byName.get('ingress')).toMatchObject({
      enum: ['webhook', 'poll'],
      default: 'webhook',
      required: false,
    });
    expect(byName.get('color')).toMatchObject({ enum: ['red', 'blue'], default: 'red' });
    expect(byName.get('rate_per_second')).toMatchObject({ type: 'number', default: 5 });
  });

  it('has the titles that a schema gives to fields and to their values', () => {
    const settings = z.object({
      level: z
        .enum(['low', 'high'])
        .meta({ title: 'Priority', enumTitles: { high: 'Urgent', other: 'Not a value', low: 7 } })
        .optional(),
      days: z.literal([1, 7]).meta({ enumTitles: { 7: 'A week' } }),
      plain: z.enum(['a', 'b']).meta({ title: 7, enumTitles: 'none' } as never),
    });
    const { config_schema } = protocolOf(definition({ settings } as never));
    const byName = new Map(config_schema.settings.map((field) => [field.name, field]));
    expect(byName.get('level')).toMatchObject({ title: 'Priority', enum_titles: { high: 'Urgent' } });
    expect(byName.get('days')).toMatchObject({ enum: [1, 7], title: null, enum_titles: { 7: 'A week' } });
    expect(byName.get('plain')).toMatchObject({ title: null, enum_titles: null });
    expect(byName.get('ingress')).toMatchObject({
      title: 'How events arrive',
      enum_titles: { webhook: 'The platform calls a webhook', poll: 'The service polls the platform' },
    });
  });

  it('recognises a secret with a description or a default', () => {
    const credentials = z.object({
      token: secret(z.string()).meta({ description: 'The token of the account.' }),
      key: secret(z.string()).default('made').describe('Made for you.'),
    });
    const { config_schema } = protocolOf(definition({ credentials }));
    expect(config_schema.credentials.map(({ type }) => type)).toEqual(['secret', 'secret']);
  });

  it('has a hash that changes exactly when the capabilities do', () => {
    const { hash } = capabilitiesOf(scriptedCapabilities);
    const { react, ...rest } = scriptedCapabilities;
    expect(capabilitiesOf({ react, ...rest }).hash).toBe(hash);
    expect(
      capabilitiesOf({ ...scriptedCapabilities, ops: ops('native', { edit: 'rejected' }) }).hash,
    ).not.toBe(hash);
    const text = { ...scriptedCapabilities.text, formats: formats('native', { list: 'dropped' }) };
    expect(capabilitiesOf({ ...scriptedCapabilities, text }).hash).not.toBe(hash);
  });
});

describe('the catalogue of platforms', () => {
  it('refuses only the incompatible adapters, with the reason', () => {
    const platforms = new Platforms([
      definition({ platform: 'beta', contractVersion: CONTRACT_VERSION + 1 }),
      definition(),
      definition({ displayName: 'Another Alpha' }),
      definition({ platform: 'Bad Name' }),
      definition({ platform: 'connections' }),
    ]);
    expect(platforms.refused.map(({ adapter, platform }) => [adapter, platform?.platform])).toEqual([
      ['beta', 'beta'],
      ['alpha', 'alpha'],
      ['unnamed', undefined],
      ['connections', 'connections'],
    ]);
    expect(platforms.unserved().map(({ platform }) => platform)).toEqual(['beta', 'connections']);
    expect(platforms.refused[0]?.reason).toMatch(/contract 3; this Trunkline supports 1 and 2\. Install/);
    expect(platforms.refused[1]?.reason).toMatch(/Another adapter/);
    expect(platforms.find('alpha')?.displayName).toBe('Alpha');
    expect(platforms.find('beta')).toBeUndefined();
  });

  it.each<[string, Partial<AdapterDefinition> | null, RegExp]>([
    ['no object', null, /no adapter definition/],
    ['no function that creates', { create: undefined } as never, /wrong at create/],
    ['no object schema', { credentials: z.string() } as never, /wrong at credentials/],
    ['an unknown way in', { ingress: ['pigeon'] } as never, /wrong at ingress/],
    ['no way in', { ingress: [] }, /wrong at ingress/],
    ['an incomplete table', { capabilities: { text: {} } } as never, /wrong at capabilities/],
    ['an address that is none', { defaultApiBaseUrl: 'irc.example' }, /wrong at defaultApiBaseUrl/],
    ['an address of another kind', { defaultApiBaseUrl: 'ftp://a.example' }, /wrong at defaultApiBaseUrl/],
    ['an unreadable address form', { addressForm: '(' }, /wrong at addressForm/],
  ])('refuses a definition that has %s', (_what, more, reason) => {
    const wrong = more === null ? null : definition(more);
    const platforms = new Platforms([wrong as never, definition({ platform: 'good' })]);
    expect(platforms.refused).toEqual([expect.objectContaining({ reason: expect.stringMatching(reason) })]);
    expect(platforms.find('good')).toBeDefined();
  });

  it('names the package of a refused definition', () => {
    const own = definition();
    const other = definition({ displayName: 'Other' });
    const platforms = new Platforms([own, other], [], new Map([[other, 'trunkline-adapter-alpha']]));
    expect(platforms.refused.map(({ adapter }) => adapter)).toEqual(['trunkline-adapter-alpha']);
  });

  it('accepts a socket address for a platform without HTTP, and only there', () => {
    const socket = definition({ defaultApiBaseUrl: 'tls://alpha.example:6697' });
    const at = (one: AdapterDefinition, api_base_url: string) =>
      problemsOf(() => parseConfiguration(one, credentials, { api_base_url }));
    expect(new Platforms([socket]).refused).toEqual([]);
    for (const url of ['tls://b.example:994', 'tcp://127.0.0.1:6667', 'tls://[::1]:6697'])
      expect(at(socket, url), url).toEqual([]);
    for (const url of ['https://b.example', 'tls://b.example', 'tls://me@b.example:1', 'tls://b.example:1/x'])
      expect(at(socket, url), url).toEqual([{ field: 'settings.api_base_url', code: 'invalid_format' }]);
    expect(at(definition(), 'tls://b.example:6697')).toHaveLength(1);
  });

  it('offers only the sandbox in test workspaces, and everything else in live ones', () => {
    const platforms = new Platforms([definition(), definition({ platform: 'sandbox' })]);
    const names = (environment: 'live' | 'test') => platforms.of(environment).map(({ platform }) => platform);
    expect([names('live'), names('test')]).toEqual([['alpha'], ['sandbox']]);
  });
});
