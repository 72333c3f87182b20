import { createHmac } from 'node:crypto';
import type { Asked, HostileCase, Scene } from './scene.js';
import { SECRETS } from './scene.js';

const BODY = JSON.stringify({
  type: 'event_callback',
  event_id: 'Ev1',
  event: { type: 'message', text: 'a' },
});
const now = () => Math.floor(Date.now() / 1_000);

const signature = (time: number | string, body: string, secret: string = SECRETS.slack) =>
  `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`;

const slack = (
  name: string,
  headers: () => Asked['headers'],
  status: readonly number[] = [401],
  body = BODY,
): HostileCase => ({
  name,
  status,
  act: (scene) =>
    scene.ask('POST', `/hooks/slack/${String(scene.slack.id)}`, {
      key: null,
      body,
      headers: headers() ?? {},
    }),
});
const signed = (time: number | string, value: string) => ({
  'x-slack-request-timestamp': String(time),
  'x-slack-signature': value,
});

const telegram = (
  name: string,
  headers: Asked['headers'],
  status: readonly number[] = [401],
): HostileCase => ({
  name,
  status,
  act: (scene) =>
    scene.ask('POST', `/hooks/telegram/${String(scene.telegram.id)}`, {
      key: null,
      body: { update_id: 1 },
      headers: headers ?? {},
    }),
});
const TOKEN = 'x-telegram-bot-api-secret-token';

const FORM = new URLSearchParams({ MessageSid: 'SM1', From: '+12025550123', To: '+12025550100', Body: 'a' });
const twilio = (
  name: string,
  sign: (scene: Scene) => string | undefined,
  more: Asked['headers'] = {},
): HostileCase => ({
  name,
  status: [401],
  act: (scene) => {
    const value = sign(scene);
    return scene.ask('POST', `/hooks/sms/${String(scene.sms.id)}`, {
      key: null,
      body: FORM.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(value !== undefined && { 'x-twilio-signature': value }),
        ...more,
      },
    });
  },
});
const twilioSignature = (url: string, secret: string = SECRETS.sms) =>
  createHmac('sha1', secret)
    .update(url + [...FORM].toSorted().flat().join(''))
    .digest('base64');

/** Webhooks that were not sent by a platform. */
export const hooks: readonly HostileCase[] = [
  slack('an event of Slack without a signature', () => ({})),
  slack('an event of Slack with an empty signature', () => signed(now(), '')),
  slack('an event of Slack that is signed with another secret', () =>
    signed(now(), signature(now(), BODY, 'another')),
  ),
  slack('an event of Slack with the signature of another body', () => signed(now(), signature(now(), '{}'))),
  slack('an event of Slack with the signature of another time', () =>
    signed(now(), signature(now() - 5, BODY)),
  ),
  slack('an event of Slack from ten minutes ago', () => signed(now() - 600, signature(now() - 600, BODY))),
  slack('an event of Slack from the future', () => signed(now() + 600, signature(now() + 600, BODY))),
  slack('an event of Slack whose time is no number', () => signed('now', signature('now', BODY))),
  slack('an event of Slack whose time has an exponent', () => signed('1e99', signature('1e99', BODY))),
  slack('an event of Slack without a time', () => ({ 'x-slack-signature': signature('', BODY) })),
  slack('an event of Slack with another version of the signature', () =>
    signed(now(), signature(now(), BODY).replace('v0=', 'v1=')),
  ),
  slack('an event of Slack with a signature that is cut short', () =>
    signed(now(), signature(now(), BODY).slice(0, 30)),
  ),
  slack('an event of Slack of 3 MB', () => signed(now(), 'v0=0'), [400, 401, 413], 'a'.repeat(3_000_000)),
  telegram('an update of Telegram without the token', {}),
  telegram('an update of Telegram with another token', { [TOKEN]: 'another' }),
  telegram('an update of Telegram with a part of the token', { [TOKEN]: SECRETS.telegram.slice(0, -1) }),
  telegram('an update of Telegram with two tokens', { [TOKEN]: ['another', SECRETS.telegram] }),
  twilio('a text message without a signature', () => undefined),
  twilio('a text message that is signed with another secret', (scene) =>
    twilioSignature(`${scene.url}/hooks/sms/${String(scene.sms.id)}`, 'another'),
  ),
  twilio('a text message that is signed for another address', (scene) =>
    twilioSignature(`${scene.url}/hooks/sms/another`),
  ),
  twilio(
    'a text message whose address comes from a header',
    (scene) => twilioSignature(`https://evil.example/hooks/sms/${String(scene.sms.id)}`),
    {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    },
  ),
  {
    name: 'an event for a connection that does not exist',
    status: [404],
    act: (scene) => scene.ask('POST', `/hooks/slack/${String(scene.message.id)}`, { key: null, body: BODY }),
  },
  {
    name: 'an event at the address of another platform',
    status: [404],
    act: (scene) =>
      scene.ask('POST', `/hooks/telegram/${String(scene.slack.id)}`, {
        key: null,
        body: BODY,
        headers: { [TOKEN]: SECRETS.telegram },
      }),
  },
  {
    name: 'an event for a platform that is not installed',
    status: [404],
    act: (scene) =>
      scene.ask('POST', `/hooks/__proto__/${String(scene.slack.id)}`, { key: null, body: BODY }),
  },
];
