import { createHash } from 'node:crypto';
import { PlatformError } from '../../contract/index.js';
import type { Fault } from '../../contract/simulation/index.js';
import type { Bench } from '../bench.js';
import type { Check } from '../stage.js';
import { became, must, mustBecome, mustEqual, mustFail, Skipped, settles } from '../verdict.js';

const PRIVATE_ADDRESS = 'http://169.254.169.254/latest/meta-data/';
const LARGE_BYTES = 3 * 1024 * 1024;
const PROMPT_MS = 5_000;
const WAIT_MS = 2_000;

export const media: Check = {
  number: 22,
  title:
    'Files: dead links are renewed, private addresses refused, cut files noticed, empty ones accepted, all streamed',
  async run(stage) {
    const bench = await stage.open();
    if (bench.adapter.openMedia === undefined) throw new Skipped('decode gives no references to files');
    await bench.start();
    const bytes = Buffer.alloc(LARGE_BYTES, 'trunkline');
    const ref = await sent(bench, bytes, 'large');
    bench.simulator.ledger.clear();
    const first = await read(bench, ref);
    mustEqual(first.digest, digestOf(bytes), 'The bytes of a file');
    must(first.largest < LARGE_BYTES, 'The file is not streamed: it arrives in one piece.');
    must(
      first.ahead < LARGE_BYTES / 2,
      'The file is not streamed: it is read completely before its first piece is passed on.',
    );
    const download = bench.simulator.ledger.entries().at(-1)?.call;
    must(download !== undefined, 'The file is not fetched from the platform.');
    await bench.simulator.expireMedia?.();
    mustEqual((await read(bench, ref)).digest, first.digest, 'The bytes of a file whose link was dead');
    await refuses(
      bench,
      ref,
      download,
      { kind: 'redirect', to: PRIVATE_ADDRESS },
      'A link to a private address',
    );
    must(
      bench.host.refused.some((url) => url.startsWith(new URL(PRIVATE_ADDRESS).origin)),
      'The redirect was followed without the guarded fetch.',
    );
    await cut(bench, ref, download);
    await abandoned(bench, ref);
    await empty(bench);
    await several(bench);
    return undefined;
  },
};

/** Sends a file as a person. Resolves with its reference. */
async function sent(bench: Bench, bytes: Buffer, text: string): Promise<string> {
  const file = { name: `${text}.png`, mimeType: 'image/png', bytes };
  await bench.simulator.post({ chatId: bench.chat, sender: 'Ada', text, files: [file] });
  const arrived = () =>
    bench.envelopes.flatMap((envelope) =>
      bench.adapter.decode(envelope).flatMap((event) => {
        const fits = event.type === 'message' && event.echo !== true && event.content.text === text;
        return fits ? event.content.attachments.map((attachment) => ({ envelope, attachment })) : [];
      }),
    );
  await mustBecome(
    () => arrived().length > 0,
    `A message with a file arrives: one event with the text "${text}" and the file, as the simulator's post has them together`,
  );
  const { envelope, attachment } = arrived()[0] ?? {};
  if (JSON.stringify(envelope?.payload).includes(file.name))
    mustEqual(attachment?.name, file.name, 'The name of a file');
  if (JSON.stringify(envelope?.payload).includes(file.mimeType))
    mustEqual(attachment?.mimeType, file.mimeType, 'The type of a file');
  if (attachment?.sizeBytes !== undefined)
    mustEqual(attachment.sizeBytes, bytes.length, 'The size of a file');
  const ref = attachment?.remoteRef;
  must(ref !== undefined && ref.length <= 2_048, 'The file has no reference, or its reference is too long.');
  return ref;
}

async function read(bench: Bench, ref: string) {
  const before = bench.host.taken;
  const opened = await bench.adapter.openMedia?.(ref, new AbortController().signal);
  const hash = createHash('sha256');
  let largest = 0;
  let total = 0;
  let ahead = 0;
  for await (const chunk of opened?.body ?? []) {
    if (total === 0) ahead = bench.host.taken - before;
    hash.update(chunk);
    largest = Math.max(largest, chunk.length);
    total += chunk.length;
  }
  return { digest: hash.digest('hex'), largest, total, ahead };
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function refuses(bench: Bench, ref: string, call: string, fault: Fault, what: string): Promise<void> {
  bench.simulator.faults.set({ fault, call });
  await mustFail(read(bench, ref), what);
}

/** Checks that a truncated file is reported as an error. */
async function cut(bench: Bench, ref: string, call: string): Promise<void> {
  bench.simulator.faults.set({ fault: { kind: 'drop_during' }, call });
  const outcome = await read(bench, ref).then(
    ({ total }) => total,
    () => undefined,
  );
  must(
    outcome === undefined || outcome === LARGE_BYTES,
    `A truncated file ends without an error after ${outcome} bytes.`,
  );
}

/** Checks that the signal ends the reading of a file. */
async function abandoned(bench: Bench, ref: string): Promise<void> {
  const stop = new AbortController();
  const opened = await bench.adapter.openMedia?.(ref, stop.signal);
  let total = 0;
  const reading = (async () => {
    for await (const chunk of opened?.body ?? []) {
      total += chunk.length;
      stop.abort();
    }
  })();
  must(await settles(reading, PROMPT_MS), 'The reading of a file does not end after its signal was aborted.');
  must(total < LARGE_BYTES, 'A file is read to its end although its signal was aborted.');
}

/** Checks that all files of one message arrive, in one event or in several. */
async function several(bench: Bench): Promise<void> {
  const before = bench.events().length;
  const files = ['first', 'second'].map((name) => ({
    name: `${name}.png`,
    mimeType: 'image/png',
    bytes: Buffer.from(name),
  }));
  await bench.simulator.post({ chatId: bench.chat, sender: 'Ada', text: 'two files', files });
  const arrived = () =>
    bench
      .events()
      .slice(before)
      .flatMap((event) => (event.type === 'message' ? event.content.attachments : [])).length;
  await became(() => arrived() >= files.length, WAIT_MS);
  mustEqual(arrived(), files.length, 'The number of files of a message with two');
}

async function empty(bench: Bench): Promise<void> {
  const ref = await sent(bench, Buffer.alloc(0), 'empty');
  const outcome = await read(bench, ref).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) mustEqual(outcome, { ...(outcome as object), total: 0 }, 'An empty file');
  else must(outcome instanceof PlatformError, `An empty file: ${outcome}`);
}
