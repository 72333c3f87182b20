import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Content,
  type Operation,
  PlatformError,
  plainContent,
  remoteChatId,
  remoteMessageId,
} from 'trunkline';
import { capabilities, credentials, settings } from '../src/definition.js';
import { decode, mailEnvelope } from '../src/inbound.js';
import { filesOf, readMail } from '../src/mail.js';
import { plan } from '../src/outbound.js';
import { answered } from '../src/threads.js';

const OWN = 'Bridge@example.org';
const AT = '2026-01-02T03:04:05.000Z';
const KEY = '0123456789abcdef0123456789abcdef';

async function heard(lines: readonly string[], structure?: Parameters<typeof filesOf>[0]) {
  const source = Buffer.from(lines.join('\r\n'));
  const { dedupeKey, payload } = await readMail({ source, structure, at: AT, place: '7/3' }, OWN);
  const [event] = decode(JSON.parse(JSON.stringify(mailEnvelope(dedupeKey, payload))));
  return { dedupeKey, event };
}
const mail = (...headers: readonly string[]) => [
  'From: Grace Hopper <Grace@example.org>',
  'Message-ID: <a1@example.org>',
  ...headers,
];
const send = (content: Content, more: object = {}): Operation => ({
  type: 'send',
  to: { chatId: remoteChatId('grace@example.org') },
  content,
  ...more,
});

test('The first mail of a thread becomes its subject and its text', async () => {
  const { dedupeKey, event } = await heard(
    mail('Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=', '', 'Hello', '-- ', 'Grace'),
  );
  assert.equal(dedupeKey, 'a1@example.org');
  assert.deepEqual(event, {
    type: 'message',
    chat: { id: 'grace@example.org', kind: 'direct', title: 'Grace Hopper' },
    at: AT,
    messageId: 'a1@example.org',
    sender: { id: 'grace@example.org', displayName: 'Grace Hopper', handle: 'grace@example.org' },
    content: plainContent('Grüße\n\nHello'),
  });
});

test('A reply becomes the text of its author, without the quoted mail', async () => {
  const { event } = await heard(
    mail(
      'In-Reply-To: <b2@example.org>',
      'Subject: Re: Hi',
      '',
      'Yes.',
      '',
      'On Mon, 5 Jan 2026, Ada wrote:',
      '> Really?',
    ),
  );
  assert.deepEqual(event?.type === 'message' && [event.content.text, event.replyToId], [
    'Yes.',
    'b2@example.org',
  ]);
});

test('A mail with only HTML is read as text, and a mail with only quotes keeps them', async () => {
  const html = await heard(mail('Content-Type: text/html', '', '<p>Hello <b>you</b></p><img src="cid:1">'));
  assert.equal(html.event?.type === 'message' && html.event.content.text, 'Hello you');
  const quote = await heard(mail('', '> Hello'));
  assert.equal(quote.event?.type === 'message' && quote.event.content.text, '> Hello');
});

test('Automatic mails are ignored, and mails of the bridge itself are echoes', async () => {
  for (const header of ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'Return-Path: <>']) {
    const { event } = await heard(mail(header, '', 'I am away.'));
    assert.deepEqual(event, { type: 'unsupported', what: 'automatic mail' });
  }
  assert.equal((await heard(mail('Auto-Submitted: no', '', 'Hi'))).event?.type, 'message');
  const { event } = await heard(['From: bridge@EXAMPLE.org', 'Message-ID: <c3@example.org>', '', 'Hi']);
  assert.equal(event?.type === 'message' && event.echo, true);
});

test('A returned mail makes its delivery fail', async () => {
  const bounce = (id: string, action: string) =>
    heard([
      ...['From: Mailer <mailer-daemon@example.org>', 'Message-ID: <d4@example.org>'],
      ...[
        'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
        '',
        '--x',
        '',
        'Sorry.',
        '--x',
      ],
      ...['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mail.example.org', ''],
      ...[`Action: ${action}`, 'Final-Recipient: rfc822;Nobody@example.net', 'Status: 5.1.1'],
      ...['Diagnostic-Code: smtp; 550 no', '  such user', '--x', 'Content-Type: text/rfc822-headers', ''],
      ...['Subject: Hi', `Message-ID: <${id}>`, '', '--x--', ''],
    ]);
  assert.deepEqual((await bounce(`${KEY}@example.org`, 'failed')).event, {
    type: 'receipt',
    chat: { id: 'nobody@example.net', kind: 'direct' },
    at: AT,
    messageId: `${KEY}@example.org`,
    status: 'failed',
    failure: { reason: 'recipient_gone', code: '5.1.1', message: '550 no such user' },
  });
  for (const [id, action] of [
    [`${KEY}@example.org`, 'delayed'],
    [`${KEY}@other.example`, 'failed'],
  ] as const)
    assert.deepEqual((await bounce(id, action)).event, { type: 'unsupported', what: 'delivery report' });
});

test('A mail without an id or a sender, and an unknown payload, cause no error', async () => {
  assert.equal((await heard(['From: grace@example.org', '', 'Hi'])).dedupeKey, '7.3@mailbox');
  assert.equal((await heard(['', 'Hi'])).event?.type, 'unsupported');
  for (const payload of [null, 1, 'x', [], {}, { kind: 'mail' }]) {
    assert.equal(decode({ dedupeKey: 'a', lane: 'b', payload })[0]?.type, 'unsupported');
  }
});

test('The files of a mail are the parts that are not its text', () => {
  const files = filesOf(
    {
      type: 'multipart/mixed',
      childNodes: [
        {
          type: 'multipart/alternative',
          childNodes: [
            { type: 'text/plain', part: '1.1' },
            { type: 'text/html', part: '1.2' },
          ],
        },
        { type: 'image/png', part: '2', dispositionParameters: { filename: 'a.png' } },
        { type: 'text/plain', part: '3', disposition: 'attachment' },
      ],
    },
    '7/3',
  );
  assert.deepEqual(files, [
    { ref: '7/3/2', type: 'image', mimeType: 'image/png', name: 'a.png' },
    { ref: '7/3/3', type: 'file', mimeType: 'text/plain' },
  ]);
});

test('An operation becomes one mail with its files, and files beyond the limit become links', () => {
  const file = (mediaRef: string, sizeBytes: number) => ({
    ...{ type: 'file' as const, name: `${mediaRef}.bin`, url: `https://bridge.example/${mediaRef}` },
    ...{ mediaRef, sizeBytes, mimeType: 'application/pdf' },
  });
  const content = { ...plainContent('Hello'), attachments: [file('a', 9_000_000), file('b', 9_000_000)] };
  const { steps } = plan(send(content, { replyToId: remoteMessageId('a1'), automatic: true }), capabilities);
  assert.deepEqual(
    steps.map(({ payload }) => payload),
    [
      {
        text: 'Hello\nb.bin: https://bridge.example/b',
        files: [{ ref: 'a', mimeType: 'application/pdf' }],
        ...{ replyTo: 'a1', automatic: true },
      },
    ],
  );
  const remove = { type: 'delete', to: { chatId: remoteChatId('x') }, parts: [] } as const;
  assert.throws(() => plan(remove, capabilities), PlatformError);
});

test('A reply has one Re:', () => {
  assert.deepEqual(['Hi', 'RE: re: Hi'].map(answered), ['Re: Hi', 'Re: Hi']);
});

test('Invalid addresses and servers are refused', () => {
  const good = { address: 'bridge@example.org', password: 'x' };
  assert.equal(credentials.safeParse(good).success, true);
  for (const address of ['bridge', 'a b@c', 'a@b\r\nRCPT TO:<c@d>', 'a@b@c'])
    assert.equal(credentials.safeParse({ ...good, address }).success, false);
  assert.equal(settings.safeParse({ smtp_url: 'tls://smtp.example.org:465' }).success, true);
  for (const smtp_url of ['https://smtp.example.org', 'tls://smtp.example.org', 'smtp.example.org:465'])
    assert.equal(settings.safeParse({ smtp_url }).success, false);
});

test('A file that is too large becomes a link and is reported as a degradation', () => {
  const big: Content['attachments'][number] = {
    type: 'image',
    name: 'plan.png',
    mediaRef: 'm1',
    mimeType: 'image/png',
    sizeBytes: 15_000_001,
    url: 'https://bridge.example.org/m1',
  };
  const { steps, degradations } = plan(send({ ...plainContent('Look'), attachments: [big] }), capabilities);
  assert.equal(steps[0]?.payload.text, 'Look\nplan.png: https://bridge.example.org/m1');
  assert.deepEqual(degradations, ['media.image']);
});
