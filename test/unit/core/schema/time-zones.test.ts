import { describe, expect, it } from 'vitest';
import { createBroadcastBody } from '../../../../src/core/broadcasts/bodies.js';
import { timezone } from '../../../../src/core/schema/scalars.js';
import { timeZoneNames } from '../../../../src/core/schema/time-zone-names.js';
import { changeMeBody, changeUserBody, createUserBody } from '../../../../src/core/users/bodies.js';

/** Names that ICU accepts although they are not in the IANA database. */
const LEGACY =
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST US/Pacific-New'.split(
    ' ',
  );
const SYSTEM_V = 'AST4 AST4ADT CST6 CST6CDT EST5 EST5EDT HST10 MST7 MST7MDT PST8 PST8PDT YST9 YST9YDT'
  .split(' ')
  .map((name) => `SystemV/${name}`);

describe('a time zone', () => {
  it.each([...LEGACY, ...SYSTEM_V, ...LEGACY.map((name) => name.toLowerCase())])(
    'may not be %s, which is no name of the IANA database',
    (name) => {
      expect(timezone.safeParse(name).success).toBe(false);
    },
  );

  it.each([
    '',
    ' Europe/Berlin',
    'Europe/Berlin ',
    'Europe',
    'Factory',
    'localtime',
    'posixrules',
    'posix/Europe/Berlin',
  ])('may not be %j', (name) => {
    expect(timezone.safeParse(name).success).toBe(false);
  });

  it.each([
    '+02:00',
    'UTC+2',
    'GMT+14',
    'EST4EDT',
    'CEST',
    'MSK',
    'EDT',
    'PDT',
    'UTC0',
    '<+03>-3',
    '__proto__',
  ])('may not be %j, which is an offset or an abbreviation', (name) => {
    expect(timezone.safeParse(name).success).toBe(false);
  });

  it.each([
    'EST',
    'MST',
    'HST',
    'CET',
    'MET',
    'EET',
    'WET',
    'EST5EDT',
    'PST8PDT',
    'GMT+0',
    'Etc/GMT+12',
    'US/Pacific',
    'W-SU',
  ])('may be %s, an older name that the IANA database still has', (name) => {
    expect(timezone.parse(name)).toBe(name);
  });

  it('may be any current zone of this runtime', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !timeZoneNames.includes(name))).toEqual([]);
  });

  it('may be written in any letter case, and is shown in the spelling of the IANA database', () => {
    expect(timezone.parse('europe/berlin')).toBe('Europe/Berlin');
    expect(timezone.parse('AMERICA/PORT-AU-PRINCE')).toBe('America/Port-au-Prince');
    expect(timezone.parse('utc')).toBe('UTC');
  });

  it('is refused everywhere with invalid_format', () => {
    const codeOf = (result: {
      error?: { issues: readonly { path: PropertyKey[]; params?: unknown }[] } | undefined;
    }) => result.error?.issues.map(({ path, params }) => [path.join('.'), (params as { code: string }).code]);
    const refused = [['timezone', 'invalid_format']];
    expect(codeOf(createUserBody.safeParse({ display_name: 'x', timezone: 'IST' }))).toEqual(refused);
    expect(codeOf(changeUserBody.safeParse({ timezone: 'BST' }))).toEqual(refused);
    expect(codeOf(changeMeBody.safeParse({ timezone: 'PST' }))).toEqual(refused);
    const broadcast = {
      text: 'x',
      audience: { filter: 'kind:contact' },
      schedule: { quiet_hours: { from: '22:00', to: '07:00', timezone: 'IST' } },
    };
    expect(codeOf(createBroadcastBody.safeParse(broadcast))).toEqual([
      ['schedule.quiet_hours.timezone', 'invalid_format'],
    ]);
  });
});
