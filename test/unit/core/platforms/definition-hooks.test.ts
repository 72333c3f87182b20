import { describe, expect, it } from 'vitest';
import type { AdapterDefinition } from '../../../../src/contract/index.js';
import { createAdapter } from '../../../../src/core/adapters/contract-versions.js';
import { AppError } from '../../../../src/core/common/errors.js';
import { Addresses } from '../../../../src/core/platforms/addresses.js';
import { parseConfiguration } from '../../../../src/core/platforms/configuration.js';
import { billedUnits } from '../../../../src/core/platforms/definition-hooks.js';
import { writeRate } from '../../../../src/core/rates/write-rate.js';
import { scriptedDefinition } from '../../../support/fake-runtime.js';
import { guarded } from '../../../support/guarded.js';
import { ScriptedPlatform } from '../../../support/scripted-platform.js';

const SECRET = 's3cret-token-of-alpha';
const broken = () => {
  throw new Error('it is out of order');
};
const withHooks = (hooks: object): AdapterDefinition => ({ ...scriptedDefinition('alpha', []), ...hooks });

describe('the address rules of an adapter', () => {
  const read = (normalize: unknown) =>
    new Addresses({ find: () => withHooks({ addresses: { description: 'a number', normalize } }) }).read(
      'alpha',
      '1',
    );

  it.each([
    ['throws', broken, 'it is out of order'],
    ['returns a number', () => 5, 'must return a text'],
    ['returns null', () => null, 'must return a text'],
    ['returns a promise', async () => '1', 'must return a text'],
    ['returns what the database cannot store', () => '1\u0000', 'must return a text'],
  ])('refuse the address with the name of the adapter if normalize %s', (_how, normalize, reason) => {
    expect(read(normalize)).toMatchObject({
      about: 'address',
      code: 'invalid_format',
      message: expect.stringMatching(
        new RegExp(`^cannot be checked\\. The adapter alpha failed in its hook normalize: .*${reason}`),
      ),
    });
  });
});

describe('the units that an adapter counts', () => {
  it.each([
    ['3', () => 3, { unit: 'segments', count: 3 }],
    ['NaN', () => Number.NaN, undefined],
    ['a negative number', () => -1, undefined],
    ['a text', () => 'many', undefined],
    ['a promise', async () => 3, undefined],
    ['an error', broken, undefined],
  ])('are left out unless they are a number: %s', (_what, count, expected) => {
    expect(billedUnits(withHooks({ billing: { unit: 'segments', count } }), 'text')).toEqual(expected);
  });
});

describe('the hook validate', () => {
  const refusal = (validate: unknown) => {
    try {
      parseConfiguration(withHooks({ validate }), { token: SECRET }, {});
    } catch (error) {
      return error instanceof AppError ? JSON.stringify(error.details) : String(error);
    }
    return 'accepted';
  };

  it.each([
    ['a text', () => 'wrong'],
    ['a list with null', () => [null]],
    ['an unknown code', () => [{ field: 'x', code: SECRET, message: 'm' }]],
    ['a problem without a message', () => [{ field: 'x', code: 'required' }]],
    ['a promise', async () => []],
  ])('refuses the configuration and names the adapter if it returns %s', (_what, validate) => {
    const details = refusal(validate);
    expect(details).toContain('The adapter alpha failed in its hook validate: It must return a list');
    expect(details).not.toContain(SECRET);
  });
});

describe('the hook create', () => {
  const created = (adapter: unknown) =>
    createAdapter(withHooks({ create: async () => adapter }), {} as never, {} as never);

  it.each([
    [undefined, 'It must return an adapter.'],
    ['adapter', 'It must return an adapter.'],
    [{}, 'The hook identify of the adapter must be a function.'],
    [
      { ...new ScriptedPlatform().adapter(), lookup: true },
      'The hook lookup of the adapter must be a function.',
    ],
  ])('must return an object with the hooks of an adapter: %j', async (adapter, message) => {
    await expect(created(adapter)).rejects.toThrow(message);
  });
});

describe('the hook rate', () => {
  it.each([
    ['throws', broken],
    ['returns no buckets', () => ({ cost: 1 })],
  ])('gives way to the rate of the definition if it %s', (_how, rate) => {
    const definition = withHooks({ rate: { per_second: 30, per_chat_per_second: 1 } });
    const adapter = guarded({ rate } as never, []);
    const settings = { rate_per_second: 30, chat_pacing: 'platform' } as never;
    const step = { action: 'create', index: 0, kind: 'text', payload: {} } as const;
    expect(writeRate(definition, settings, adapter)(step, { chatId: '42' as never })).toEqual({
      buckets: [{ key: 'chat:42', scope: 'chat', count: 2, perMs: 2_000 }],
    });
  });
});
