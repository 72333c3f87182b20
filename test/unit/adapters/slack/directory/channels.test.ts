import { describe, expect, it } from 'vitest';
import type { SlackClient } from '../../../../../adapters/slack/client/transport.js';
import { Channels } from '../../../../../adapters/slack/directory/channels.js';
import { RecordingHost } from '../../../../support/adapter-host.js';

const LIST = 'history-direct';
/** The list of a process. Noticing a chat makes no request. */
const process = (host: RecordingHost) => new Channels(undefined as unknown as SlackClient, host);
const wrote = (channel: string) => ({ type: 'message', channel, channel_type: 'im' });
const remembered = (host: RecordingHost) =>
  (JSON.parse(host.saved(LIST) ?? '[]') as [string, string][]).map(([id]) => id);

describe('The list of direct chats', () => {
  it('has the chats of all processes', async () => {
    const host = new RecordingHost();
    const [one, other] = [process(host), process(host)];
    for (const each of [one, other]) await each.notice(wrote('D0'));
    await one.notice(wrote('D1'));
    await other.notice(wrote('D2'));
    expect(remembered(host)).toEqual(['D0', 'D1', 'D2']);
  });

  it('has the chats that processes notice at the same time', async () => {
    const host = new RecordingHost();
    const ids = Array.from({ length: 8 }, (_, at) => `D${at}`);
    await Promise.all(ids.map((id) => process(host).notice(wrote(id))));
    expect(remembered(host).sort()).toEqual(ids);
  });

  it('has a chat that could not be saved at first when it is noticed again', async () => {
    const host = new RecordingHost();
    const one = process(host);
    const { replace, save } = host.state;
    const away = async () => Promise.reject(new Error('away'));
    Object.assign(host.state, { replace: away, save: away });
    await expect(one.notice(wrote('D1'))).rejects.toThrow('away');
    Object.assign(host.state, { replace, save });
    await one.notice(wrote('D1'));
    expect(remembered(host)).toEqual(['D1']);
  });

  it('has the 150 chats that were noticed last', async () => {
    const host = new RecordingHost();
    const one = process(host);
    for (let at = 0; at < 152; at += 1) await one.notice(wrote(`D${at}`));
    const ids = remembered(host);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([150, 'D2', 'D151']);
  });
});
