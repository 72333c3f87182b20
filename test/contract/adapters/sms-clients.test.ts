import { createServer } from 'node:http';
import twilio from 'twilio';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TwilioSimulator } from '../../../adapters/sms/simulator/index.js';
import { listenOnLoopback } from '../../support/loopback-receiver.js';

/** Twilio's own client, with its address redirected to the simulator. */

let simulator: TwilioSimulator;
let apiBaseUrl: string;
beforeEach(async () => {
  simulator = new TwilioSimulator({ limits: 'none' });
  apiBaseUrl = (await simulator.start()).apiBaseUrl;
});
afterEach(() => simulator.stop());

const person = '+12025550143';

function client() {
  const { account_sid = '', auth_token = '' } = simulator.account().credentials;
  const made = twilio(account_sid, auth_token);
  const { httpClient } = made;
  const request = httpClient.request.bind(httpClient);
  httpClient.request = (options) =>
    request({ ...options, uri: options.uri.replace('https://api.twilio.com', apiBaseUrl) });
  return made;
}

it('a Twilio client deletes a message, which is then gone', async () => {
  const { from = '' } = simulator.account().settings as { from?: string };
  const sent = await client().messages.create({ to: person, from, body: 'Hi' });
  expect(await client().messages(sent.sid).remove()).toBe(true);
  await expect(client().messages(sent.sid).fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
  await expect(client().messages(sent.sid).remove()).rejects.toMatchObject({ status: 404 });
});

it('a Twilio client lists the number of the account and changes its webhook address', async () => {
  const [number] = await client().incomingPhoneNumbers.list();
  expect(number).toMatchObject({ phoneNumber: '+15005550006', smsUrl: '' });
  const smsUrl = 'http://127.0.0.1:1/sms';
  expect(
    await client()
      .incomingPhoneNumbers(number?.sid ?? '')
      .update({ smsUrl }),
  ).toMatchObject({ smsUrl });
  expect(await client().incomingPhoneNumbers.list({ phoneNumber: '+15005550001' })).toEqual([]);
});

it('the simulator sends the TwiML response of a webhook', async () => {
  const twiml = new twilio.twiml.MessagingResponse();
  twiml.message('Tom & Ada <3');
  twiml.message({ to: '+12025550178' }, 'Second');
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' }).end(twiml.toString());
  });
  const receiver = await listenOnLoopback(server);
  simulator.setWebhook(receiver.url);
  await simulator.post({ chatId: person, sender: 'Ada', text: 'Hello' });
  await expect
    .poll(() => simulator.messages(person).map(({ text, own }) => [text, own]))
    .toEqual([
      ['Hello', false],
      ['Tom & Ada <3', true],
    ]);
  expect(simulator.messages('+12025550178')).toMatchObject([{ text: 'Second', own: true }]);
  await receiver.close();
});
