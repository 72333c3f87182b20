import { expect, it } from 'vitest';
import { clausesOf } from './queries';

const filter = { text: '', platform: '', status: 'all' } as const;

it('Contacts are searched by a part of their name, by address or by number', () => {
  expect(clausesOf({ ...filter, text: ' Ada "L" ' })).toEqual([
    'kind:contact',
    'display_name:~"Ada \\"L\\""',
  ]);
  expect(clausesOf({ ...filter, text: 'ada@example.com' })).toEqual([
    'kind:contact',
    'email:"ada@example.com"',
  ]);
  expect(clausesOf({ ...filter, text: '+49 (151) 123-45' })).toEqual(['kind:contact', 'phone:"+4915112345"']);
});

it('A text that is too short for the service filters nothing, except for a whole name in Chinese, Japanese or Korean', () => {
  expect(clausesOf({ ...filter, text: 'Ad' })).toEqual(['kind:contact']);
  expect(clausesOf({ ...filter, text: '陈伟' })).toEqual(['kind:contact', 'display_name:"陈伟"']);
});

it('Platform and status narrow the list', () => {
  expect(clausesOf({ ...filter, platform: 'sms', status: 'blocked' })).toEqual([
    'kind:contact',
    'platform:"sms"',
    'status:blocked',
  ]);
});
