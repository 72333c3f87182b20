import fc from 'fast-check';
import {
  type Adapter,
  type Content,
  type ContentAttachment,
  type Mark,
  PlatformError,
  plainContent,
  remoteChatId,
  type SendOperation,
  textLength,
} from '../../contract/index.js';
import type { RenderedPart } from '../kit.js';
import type { Check, Stage } from '../stage.js';
import { must, mustEqual, mustFail, Skipped } from '../verdict.js';
import { documents, formattingCorpus, plainMarks, texts } from './documents.js';

const SEED = 20_260_101;
/** Maximum number of parts of a document. A message has at most ten. */
const PARTS = 4;
/** Text length if the platform has no limit. */
const LONG = 8_000;

const sendTo = (content: Content): SendOperation => ({
  type: 'send',
  to: { chatId: remoteChatId('1') },
  content,
});

function rendered(stage: Stage, adapter: Adapter, content: Content): RenderedPart[] {
  const { steps } = adapter.plan(sendTo(content), adapter.capabilities());
  return steps.flatMap((step) => stage.kit.read(step) ?? []);
}

/** A text as the parts of a plan must show it. */
function asShown({ kit }: Stage, text: string): string {
  if (kit.keepsLineBreaks !== false) return text;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.join('');
}

const joined = (parts: readonly RenderedPart[]) => parts.map(({ content }) => content.text).join('');

export const planIsWhole: Check = {
  number: 9,
  title: 'plan as a property: the joined text equals the input, no part is too long',
  async run(stage) {
    const adapter = await stage.bare();
    const { max, unit } = adapter.capabilities().text;
    const rounds = stage.full ? 300 : 60;
    const property = fc.property(texts((max ?? LONG) * PARTS), (text) => {
      const parts = rendered(stage, adapter, plainContent(text));
      mustEqual(joined(parts), asShown(stage, text), 'The joined text of the parts');
      for (const { counted } of parts)
        must(max === null || textLength(counted, unit) <= max, `A part has more than ${max} ${unit}.`);
      const once = adapter.plan(sendTo(plainContent(text)), adapter.capabilities());
      mustEqual(adapter.plan(sendTo(plainContent(text)), adapter.capabilities()), once, 'The second plan');
    });
    fc.assert(property, { numRuns: rounds, seed: SEED });
    if (stage.kit.keepsLineBreaks === false) stage.unproved('line breaks', 'the platform has none');
    return `${rounds} texts`;
  },
};

export const formatting: Check = {
  number: 10,
  title: 'Formatting survives in both directions; no document is refused for its markup',
  async run(stage) {
    const adapter = await stage.bare();
    const marks = plainMarks(adapter.capabilities());
    const corpus = formattingCorpus(marks);
    for (const content of corpus) {
      const parts = rendered(stage, adapter, content);
      mustEqual(joined(parts), asShown(stage, content.text), 'The text of a document, read back');
      for (const { mark, start, end } of content.spans)
        must(
          styled(parts[0], mark, content.text.slice(start, end)),
          `The mark ${mark} of "${content.text.slice(start, end)}" is lost.`,
        );
    }
    const rounds = stage.full ? 60 : 12;
    if (!stage.hasPlatformFor('formatted texts as the platform takes them'))
      return `${corpus.length} documents`;
    const bench = await stage.open();
    const max = adapter.capabilities().text.max ?? LONG;
    const fuzz = fc.asyncProperty(documents(max * 2, marks), async (content) => {
      await bench.send(content);
    });
    for (const content of corpus) await bench.send(content);
    await fc.assert(fuzz, { numRuns: rounds, seed: SEED });
    return `${corpus.length} documents, ${rounds} generated`;
  },
};

function styled(part: RenderedPart | undefined, mark: Mark, text: string): boolean {
  if (part === undefined) return false;
  const { content } = part;
  return content.spans.some(
    (span) => span.mark === mark && content.text.slice(span.start, span.end).trim() === text.trim(),
  );
}

export const boundaries: Check = {
  number: 12,
  title: 'Boundaries: the longest text and one more, too many parts, the largest file and one byte more',
  async run(stage) {
    const adapter = await stage.bare();
    const { text, media } = adapter.capabilities();
    for (const [type, capability] of Object.entries(media)) {
      if (capability.max_bytes === null) continue;
      const mime = Object.keys(capability.mime).find((name) => capability.mime[name] === 'native');
      if (mime === undefined) continue;
      const file = (sizeBytes: number) => [
        fileOf(
          type as ContentAttachment['type'],
          mime.replace('*/*', 'image/png').replace('/*', '/png'),
          sizeBytes,
        ),
      ];
      const lostAt = (sizeBytes: number) =>
        adapter
          .plan(
            sendTo({ text: 'with a file', spans: [], attachments: file(sizeBytes) }),
            adapter.capabilities(),
          )
          .degradations.includes(`media.${type as ContentAttachment['type']}`);
      must(!lostAt(capability.max_bytes), `A ${type} of the maximum size is not sent.`);
      must(
        lostAt(capability.max_bytes + 1),
        `A ${type} of one byte more than the maximum is not reported as a degradation.`,
      );
    }
    if (text.max === null) throw new Skipped('the definition has no limit of text');
    const maxLength = text.max;
    const parts = (length: number) => rendered(stage, adapter, plainContent('x'.repeat(length))).length;
    mustEqual(
      [parts(maxLength), parts(maxLength + 1)],
      [1, 2],
      'Parts of the longest text, and of one character more',
    );
    await tooLong(adapter, maxLength);
    if (!stage.hasPlatformFor('the longest text as the platform takes it')) return undefined;
    const bench = await stage.open();
    await bench.send('x'.repeat(maxLength));
    await bench.send('y'.repeat(maxLength + 1));
    const lengths = (await bench.own()).map((message) => message.text.length);
    mustEqual(
      lengths.reduce((sum, length) => sum + length, 0),
      maxLength * 2 + 1,
      'Number of visible characters',
    );
    return undefined;
  },
};

const fileOf = (type: ContentAttachment['type'], mimeType: string, sizeBytes: number): ContentAttachment => ({
  type,
  mimeType,
  sizeBytes,
  name: 'file.png',
  url: 'https://bridge.example/media/1',
  mediaRef: 'stored-1',
});

/** Checks that a text beyond the maximum number of parts is refused before sending, or fits into fewer parts. */
async function tooLong(adapter: Adapter, maxLength: number): Promise<void> {
  const content = plainContent('x'.repeat(maxLength * 50));
  const attempt = Promise.resolve().then(() => {
    const { steps } = adapter.plan(sendTo(content), adapter.capabilities());
    must(steps.length <= 50, 'A text of fifty parts is planned as more than fifty steps.');
    return steps.length > MAX_PARTS_SENT ? Promise.reject(notRefused()) : steps;
  });
  const error = await mustFail(attempt, 'A text of fifty parts');
  const { problem, dispatched } = error;
  must(
    problem.kind === 'rejected' && problem.reason === 'too_long' && dispatched === 'no',
    'A text of fifty parts is not refused as too_long.',
  );
}

const MAX_PARTS_SENT = 10;
const notRefused = () =>
  new PlatformError({ kind: 'misconfigured' }, { dispatched: 'no', message: 'More parts than ten.' });

export const groupMentionsAreSilent: Check = {
  number: 23,
  title: 'Text with group mentions notifies no group',
  async run(stage) {
    const { groupMentions } = stage.kit;
    if (groupMentions.length === 0) throw new Skipped('the platform has no group mentions');
    const bench = await stage.open();
    for (const mention of groupMentions) {
      await bench.send(`hello ${mention} again`);
      const shown = (await bench.own()).at(-1);
      must(shown !== undefined, 'The message is not shown.');
      mustEqual(shown.pings, undefined, `Groups notified by "${mention}"`);
    }
    return groupMentions.join(' ');
  },
};
