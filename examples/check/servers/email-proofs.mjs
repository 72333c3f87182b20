import { randomBytes } from 'node:crypto';
import { until } from '../processes.mjs';

const mark = () => randomBytes(4).toString('hex');

/** Checks the behaviour that is specific to e-mail, on an existing bridged conversation. */
export async function proveMails({ api, telegram, chat, stage }) {
  const texts = () => telegram.messages(chat.id).map(({ text }) => text);
  await staysInThread(telegram, chat, stage);
  await carriesFiles(telegram, chat, stage);
  await hearsNoProgram(texts, stage);
  await readsWhatCameMeanwhile(texts, stage);
  await countsAnew(texts, stage);
  await noticesReturnedMails(api, stage);
  await saysThatThePasswordIsWrong(api, stage);
}

/** The next message from Telegram replies to the latest mail, so that mail programs show one thread. */
async function staysInThread(telegram, chat, stage) {
  const text = `More ${mark()}`;
  await telegram.post({ chatId: chat.id, sender: 'Ada', text });
  const mail = await until('the next mail arrives', () =>
    stage.mails.find((each) => each.text.includes(text)),
  );
  const { subject, inReplyTo, references = '' } = mail;
  const [first] = stage.mails;
  expect(subject === `Re: ${first.subject}`, `The subject is ${subject}.`);
  expect(
    references.includes(first.messageId) && references.trim().endsWith(inReplyTo),
    'The thread is broken.',
  );
}

async function carriesFiles(telegram, chat, stage) {
  const bytes = Buffer.from(`%PDF-1.4\n${mark()}\n%%EOF\n`);
  const file = { name: 'plan.pdf', mimeType: 'application/pdf', bytes };
  const text = `A file ${mark()}`;
  await telegram.post({ chatId: chat.id, sender: 'Ada', text, files: [file] });
  const mail = await until('the file arrives', () => stage.mails.find((each) => each.text.includes(text)));
  const [there] = mail.attachments;
  expect(there?.filename === file.name && bytes.equals(Buffer.from(there.content)), 'The file has changed.');
  const back = `Another file ${mark()}`;
  const attachments = [{ filename: 'answer.pdf', contentType: file.mimeType, content: bytes }];
  await stage.send({ subject: 'Re: plan', inReplyTo: mail.messageId, text: back, attachments });
  await until('Telegram shows the file', () =>
    telegram
      .messages(chat.id)
      .some(({ own, files }) => own && files?.some((each) => bytes.equals(each.bytes))),
  );
}

/** Sends an absence notice before a mail. If notices were read, it would arrive before the mail. */
async function hearsNoProgram(texts, stage) {
  const notice = `I am away ${mark()}`;
  await stage.send({ subject: 'Away', text: notice, headers: { 'Auto-Submitted': 'auto-replied' } });
  const text = `I am here ${mark()}`;
  await stage.send({ subject: 'Greetings', text });
  const shown = await until('Telegram shows the mail', () => texts().find((each) => each.includes(text)));
  expect(shown === `Grace: Greetings\n\n${text}`, `Telegram shows ${JSON.stringify(shown)}.`);
  expect(!texts().some((each) => each.includes(notice)), 'Telegram shows an absence notice.');
}

async function readsWhatCameMeanwhile(texts, stage) {
  await stage.stopShowing();
  const missed = [`Missed ${mark()}`, `Missed ${mark()}`];
  for (const text of missed) await stage.send({ subject: 'Re: x', inReplyTo: '<x@example.test>', text });
  await stage.showAgain();
  await until('Telegram shows the missed mails', () =>
    missed.every((text) => texts().includes(`Grace: ${text}`)),
  );
}

/** The server has lost its numbers. Every mail of the day is read again, including the new one, and no message is duplicated. */
async function countsAnew(texts, stage) {
  const before = texts().filter((text) => text.startsWith('Grace: ')).length;
  await stage.stopShowing();
  await stage.forgetNumbers();
  const text = `Counted anew ${mark()}`;
  await stage.send({ subject: 'Re: x', inReplyTo: '<x@example.test>', text });
  await stage.showAgain();
  await until('Telegram shows the mail with a new number', () => texts().includes(`Grace: ${text}`));
  const after = texts().filter((each) => each.startsWith('Grace: ')).length;
  expect(after === before + 1, `Telegram shows ${after - before} new messages.`);
}

/** Exim accepts a mail to an unknown address and returns it. */
async function noticesReturnedMails(api, stage) {
  const { id } = await api('POST', '/conversations', {
    title: 'Nobody',
    links: [{ connection_id: stage.connectionId, external_id: 'nobody@example.test' }],
    message: { text: 'Is there anybody?' },
  });
  const failed = await until('the mail is returned', async () => {
    const [delivery] = await api('GET', `/deliveries?filter=conversation_id:${id}`);
    return delivery?.status === 'failed' && delivery;
  });
  // Exim reports only a permanent failure.
  expect(failed.error?.platform_code === '5.0.0', `The delivery says ${JSON.stringify(failed.error)}.`);
}

async function saysThatThePasswordIsWrong(api, { platform, connection }) {
  const credentials = { ...connection.credentials, password: 'wrong' };
  const { id } = await api('POST', `/platforms/${platform}/connections`, {
    ...connection,
    name: 'Wrong',
    credentials,
  });
  await until('the connection reports bad credentials', async () => {
    const { health } = await api('GET', `/platforms/connections/${id}`);
    return health?.code === 'bad_credentials';
  });
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
