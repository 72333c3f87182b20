import { expect, it } from 'vitest';
import { changedConfig, configOf, missingFields, valuesOf } from './config-values';
import { titleOf } from './field-title';
import type { ConfigField } from './queries';

const field = (name: string, type: string, required = false): ConfigField => ({
  name,
  type,
  required,
  default: null,
  enum: null,
  description: null,
  title: null,
  enum_titles: null,
});

const fields = [
  field('bot_token', 'secret', true),
  field('rate_per_second', 'number'),
  field('is_public', 'boolean'),
  field('from', 'string'),
];

it('Filled fields are sent in the type of their schema, and empty ones are left out', () => {
  const values = { bot_token: ' 12:abc ', rate_per_second: '2.5', is_public: 'true', from: '' };
  expect(configOf(fields, values)).toEqual({ bot_token: '12:abc', rate_per_second: 2.5, is_public: true });
});

it('A number that is none is sent as it was typed, so that the service explains it', () => {
  expect(configOf(fields, { rate_per_second: 'fast' })).toEqual({ rate_per_second: 'fast' });
});

it('A required field without a value is missing, and so is one of blanks alone', () => {
  expect(missingFields(fields, { bot_token: '  ' })).toEqual(['bot_token']);
  expect(missingFields(fields, { bot_token: 'x' })).toEqual([]);
});

it('Only fields that differ from the connection are changed', () => {
  const before = valuesOf(fields, { rate_per_second: 1, is_public: false });
  expect(before).toEqual({ bot_token: '', rate_per_second: '1', is_public: 'false', from: '' });
  expect(changedConfig(fields, { ...before, rate_per_second: '0' }, before)).toEqual({ rate_per_second: 0 });
});

it('The title of a field is its name in words', () => {
  expect(titleOf('bot_token')).toBe('Bot token');
  expect(titleOf('account_sid')).toBe('Account SID');
  expect(titleOf('api_base_url')).toBe('API base URL');
});
