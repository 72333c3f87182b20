import { describe, expect, it } from 'vitest';
import { configurationOf } from '../../../../src/app/imports/matterbridge/configuration.js';
import { leftOption } from '../../../../src/app/imports/matterbridge/options.js';
import { parseToml } from '../../../../src/app/imports/matterbridge/read-file.js';
import { printable } from '../../../../src/app/imports/printable.js';

const read = (text: string) => configurationOf(parseToml('bridge.toml', text));

describe('A matterbridge.toml', () => {
  it('is read without regard to the case of names', () => {
    const { accounts, gateways } = read(`
      [Telegram.Main]
      TOKEN="1:a"
      [[Gateway]]
      Name="ops"
      Enable=true
      [[Gateway.InOut]]
      Account="telegram.MAIN"
      Channel="-1"
    `);
    expect(accounts.map(({ key, label, protocol }) => [key, label, protocol])).toEqual([
      ['telegram.main', 'Telegram.Main', 'telegram'],
    ]);
    expect(gateways[0]).toMatchObject({ key: 'ops', enabled: true });
    expect(gateways[0]?.channels[0]).toMatchObject({ account: 'telegram.main', direction: 'two_way' });
  });

  it('makes a two-way link of a channel that is in both lists, in and out', () => {
    const list = (name: string) => `[[gateway.${name}]]\naccount="irc.a"\nchannel="#x"\n`;
    const directions = (...names: string[]) =>
      read(`[[gateway]]\nname="g"\n${names.map(list).join('')}`).gateways[0]?.channels.map(
        ({ direction }) => direction,
      );
    expect(directions('in')).toEqual(['inbound']);
    expect(directions('out')).toEqual(['outbound']);
    expect(directions('in', 'out')).toEqual(['two_way']);
  });

  it('makes a conversation of each channel of a samechannelgateway', () => {
    const { gateways } = read(
      `[[samechannelgateway]]\nname="s"\nenable=true\naccounts=["irc.a","xmpp.b"]\nchannels=["one","two"]\n`,
    );
    expect(gateways.map(({ key, channels }) => [key, channels.length])).toEqual([
      ['s/one', 2],
      ['s/two', 2],
    ]);
  });

  it('is refused with the line of the error, and no message repeats its secrets', () => {
    const refusal = (text: string) => {
      try {
        read(text);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const broken = refusal('[telegram.a]\nToken="a-secret-token\n');
    expect(broken).toMatch(/^bridge\.toml:2: This is not valid TOML/);
    expect(broken).not.toContain('a-secret-token');
    expect(refusal('[telegram.__proto__]\nToken="x"')).toContain('not valid TOML');
    expect(refusal('gateway="x"')).toContain('must be written [[gateway]]');
    expect(refusal('[[gateway]]\nname="g"\n[[gateway]]\nname="g"')).toContain('Two gateways');
    expect(refusal('[[gateway]]\nname="g"\n[[gateway.in]]\naccount="a.b"')).toContain('"channel"');
  });

  it('has a reason for each option that has no counterpart', () => {
    expect(leftOption({ path: 'slack.a.IgnoreNicks', value: 'x' }).reason).toContain('no filter');
    expect(leftOption({ path: 'slack.a.IgnoreNicks', value: '' }).reason).toBe('It is empty or off.');
    expect(leftOption({ path: 'slack.a.Unheard', value: 1 }).reason).toBe('It has no counterpart.');
  });
});

describe('A name in a report', () => {
  it('cannot control a terminal, and is limited in length', () => {
    expect(printable('a\u001b[31mb\u202ec')).toBe('a?[31mb?c');
    expect(printable('x'.repeat(500))).toHaveLength(201);
  });
});
