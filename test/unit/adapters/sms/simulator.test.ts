import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { smsDefinition } from '../../../../adapters/sms/definition.js';
import { consentChange, refusalOf } from '../../../../adapters/sms/simulator/rules.js';
import { SenderQueue } from '../../../../adapters/sms/simulator/sender-queue.js';
import { twilioSignature } from '../../../../adapters/sms/simulator/webhook-sender.js';

const senders = { number: '+15005550006', messagingServiceSid: `MG${'5'.repeat(32)}` };
const refusal = (form: Record<string, string>) => refusalOf(new URLSearchParams(form), senders);
const acceptable = { To: '+12025550143', From: senders.number, Body: 'Hi' };

describe('the simulated Twilio', () => {
  it('reproduces the signature of the example in Twilio’s documentation', () => {
    const params = {
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    };
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    expect(twilioSignature('12345', url, params)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  it('queues ten hours of segments and refuses the next one', () => {
    const queue = new SenderQueue('documented');
    expect(queue.reserve(35_999, 0)).toBe(0);
    expect(queue.reserve(2, 0)).toBeUndefined();
    expect(queue.reserve(1, 0)).toBe(35_999_000);
    expect(queue.reserve(1, 0)).toBeUndefined();
    expect(queue.reserve(1, 1_000)).toBe(35_999_000);
  });

  it('never makes a sender wait if there are no limits', () => {
    const queue = new SenderQueue('none');
    expect([queue.reserve(36_000, 0), queue.reserve(36_000, 0)]).toEqual([0, 0]);
  });

  it.each([
    [{ ...acceptable, To: '' }, 21604],
    [{ ...acceptable, To: '0123' }, 21211],
    [{ To: acceptable.To, Body: 'Hi' }, 21603],
    [{ ...acceptable, From: '+14155550100' }, 21606],
    [{ ...acceptable, Body: '' }, 21602],
    [{ ...acceptable, Body: 'x'.repeat(1_601) }, 21617],
    [{ ...acceptable, Body: 'x'.repeat(1_600) }, undefined],
    [{ ...acceptable, StatusCallback: 'no url' }, 21609],
    [{ ...acceptable, StatusCallback: 'https://my_host.example/' }, 21609],
    [{ To: acceptable.To, Body: 'Hi', MessagingServiceSid: senders.messagingServiceSid }, undefined],
    [{ To: acceptable.To, Body: 'Hi', MessagingServiceSid: 'MG0' }, 21701],
  ])('answers %j with %s', (form, code) => {
    expect(refusal(form)).toBe(code);
  });

  it('treats STOP and START in any letter case as a change of consent, but no longer text', () => {
    expect([' stop\n', 'Start', 'stop it', 'Hello'].map(consentChange)).toEqual([
      'opted_out',
      'opted_in',
      undefined,
      undefined,
    ]);
  });
});

describe('the definition', () => {
  it('loads the SDK only when the first connection is created', async () => {
    // A separate process, because other tests of this worker may have created a connection.
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { createRequire } from 'node:module';
       const { buildProgram } = await import('${new URL('../../../../scripts/build.mjs', import.meta.url)}');
       await buildProgram();
       const loaded = () => Object.keys(createRequire('${import.meta.url}').cache)
         .some((file) => /[\\\\/]twilio[\\\\/]/.test(file));
       const { smsDefinition } = await import('${new URL('../../../../dist/adapters/sms/definition.js', import.meta.url)}');
       const before = loaded();
       const credentials = { account_sid: 'AC' + '0'.repeat(32), auth_token: 'x' };
       const settings = { from: '+15005550006', api_base_url: 'https://api.twilio.com', ingress: 'webhook' };
       await smsDefinition.create({ credentials, settings }, {});
       console.log(before, loaded());`,
    ]);
    expect(stdout.trim()).toBe('false true');
  });

  it.each([
    [{ account_sid: 'XX1', auth_token: 'x' }],
    [{ account_sid: `AC${'0'.repeat(32)}` }],
    [{ account_sid: `AC${'0'.repeat(32)}`, auth_token: '' }],
  ])('refuses the credentials %j', (credentials) => {
    expect(smsDefinition.credentials.safeParse(credentials).success).toBe(false);
  });
});
