import { afterAll, beforeAll, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { type ApiAnswer, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { addMember, asPerson, type OAuthStage, type Person, shareOAuthStage } from '../support/oauth.js';

const simulators = [
  new TelegramSimulator({ limits: 'none' }),
  new DiscordSimulator({ limits: 'none' }),
  new SlackSimulator({ limits: 'none' }),
  new TwilioSimulator({ limits: 'none' }),
];
const editing = simulators.slice(0, 3);
const EACH = 2;
const SMS_ONLY = { platform: 'sms', unsupported: 'platform', recipients: EACH, possible: 0 };

let stage: OAuthStage;
let broadcast: string;

const send = (method: string, path: string, body?: Json, person: Person = stage.owner): Promise<ApiAnswer> =>
  stage.anonymous.send(method, `/dashboard/api${path}`, { headers: asPerson(person), ...(body && { body }) });
const seenBy = (simulator: (typeof simulators)[number], index: number) =>
  simulator.messages(simulator.address(index)).filter(({ own, deleted }) => own && !deleted);
/** The change once it has ended. */
const ended = (id: unknown) =>
  eventually(
    async () =>
      (((await send('GET', `/broadcasts/${broadcast}/changes`)).body.data as Json[]).find(
        (each) => each.id === id,
      ) ?? {}) as Json,
    ({ ended_at: at }) => typeof at === 'string',
  );

beforeAll(async () => {
  stage = await shareOAuthStage();
  for (const simulator of simulators) {
    await simulator.start();
    const path = `/openapi/platforms/${simulator.platform}/connections`;
    await stage.api.must(201, 'POST', path, { name: simulator.platform, ...simulator.account() });
  }
  const connections = async () => (await stage.api.get('/openapi/platforms/connections')).body.data as Json[];
  await eventually(connections, (all) => all.every(({ status }) => status === 'connected'));
  const recipients = simulators.flatMap((simulator) =>
    Array.from({ length: EACH }, (_, n) => ({
      platform: simulator.platform,
      address: simulator.address(n),
      variables: { n: String(n) },
    })),
  );
  const made = await stage.api.must(201, 'POST', '/openapi/broadcasts', {
    text: 'Hello {{n}}',
    audience: { recipients },
  });
  broadcast = String(made.id);
  const read = () => stage.api.must(200, 'GET', `/openapi/broadcasts/${broadcast}`);
  await eventually(read, ({ status }) => status === 'completed');
});
afterAll(async () => {
  await stage?.stop();
  for (const simulator of simulators) await simulator.stop();
});

it('an edit of a broadcast arrives on Telegram, Discord and Slack; SMS is listed as not possible', async () => {
  const { body: preview } = await send('GET', `/broadcasts/${broadcast}/changes/preview?kind=edit`);
  expect(preview.platforms).toEqual([
    expect.objectContaining({ platform: 'discord', unsupported: null, recipients: EACH, possible: EACH }),
    expect.objectContaining({ platform: 'slack', unsupported: null, recipients: EACH, possible: EACH }),
    expect.objectContaining(SMS_ONLY),
    expect.objectContaining({ platform: 'telegram', unsupported: null, recipients: EACH, possible: EACH }),
  ]);
  const body = { kind: 'edit', text: 'Corrected {{n}}' };
  const started = await send('POST', `/broadcasts/${broadcast}/changes`, body);
  expect([started.status, started.body.status]).toEqual([201, 'running']);
  const done = await ended(started.body.id);
  expect(done).toMatchObject({ status: 'completed', text: 'Corrected {{n}}' });
  expect(done.platforms).toMatchObject([
    { platform: 'discord', changed: EACH, impossible: 0 },
    { platform: 'slack', changed: EACH, impossible: 0 },
    { platform: 'sms', changed: 0, unsupported: EACH },
    { platform: 'telegram', changed: EACH, impossible: 0 },
  ]);
  for (const simulator of editing) {
    for (let n = 0; n < EACH; n += 1) {
      expect(seenBy(simulator, n)).toMatchObject([{ text: `Corrected ${n}`, edited: true }]);
    }
  }
  const path = `/broadcast-changes/${started.body.id}/recipients?filter=result:unsupported`;
  const rows = (await send('GET', path)).body.data as Json[];
  expect(rows.map(({ platform, reason }) => [platform, reason])).toEqual([
    ['sms', null],
    ['sms', null],
  ]);
  const [untouched] = rows;
  const message = await stage.api.must(200, 'GET', `/openapi/messages/${untouched?.message_id}`);
  expect(message).toMatchObject({ text: expect.stringMatching(/^Hello/), revision: 1 });
});

it('a change requires the permission to write broadcasts, a valid kind, and a text only if it is an edit', async () => {
  const path = `/broadcasts/${broadcast}/changes`;
  const viewer = await addMember(stage, 'viewer');
  expect((await send('POST', path, { kind: 'recall' }, viewer)).status).toBe(403);
  expect((await send('GET', `${path}/preview?kind=recall`, undefined, viewer)).status).toBe(200);
  expect(fieldsOf(await send('POST', path, { kind: 'edit' }))).toEqual([['text', 'required']]);
  expect(fieldsOf(await send('POST', path, { kind: 'recall', text: 'x' }))).toEqual([['text', 'exclusive']]);
  expect((await send('GET', `${path}/preview?kind=burn`)).status).toBe(400);
});

it('a recall removes the messages once, on the platforms that support it', async () => {
  const started = await send('POST', `/broadcasts/${broadcast}/changes`, { kind: 'recall' });
  expect(started.status).toBe(201);
  const done = await ended(started.body.id);
  expect(done.platforms).toMatchObject([
    { platform: 'discord', changed: EACH },
    { platform: 'slack', changed: EACH },
    { platform: 'sms', unsupported: EACH },
    { platform: 'telegram', changed: EACH },
  ]);
  for (const simulator of editing) expect(seenBy(simulator, 0)).toEqual([]);
  expect(seenBy(simulators[3] as TwilioSimulator, 0)).toHaveLength(1);
  const again = await send('POST', `/broadcasts/${broadcast}/changes`, { kind: 'recall' });
  expect([again.status, reasonOf(again)]).toEqual([409, 'invalid_state']);
  expect(reasonOf(await send('POST', `/broadcast-changes/${started.body.id}/stop`))).toBe('invalid_state');
});
