import { createHash } from 'node:crypto';
import { PlatformError } from '../../contract/index.js';
import type { Fault } from '../../contract/simulation/index.js';
import type { Bench } from '../bench.js';
import type { Check } from '../stage.js';
import { must, mustBecome, mustEqual, mustFail, Skipped } from '../verdict.js';

const PRIVATE_ADDRESS = 'http://169.254.169.254/latest/meta-data/';
const LARGE_BYTES = 3 * 1024 * 1024;

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
    await empty(bench);
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

async function empty(bench: Bench): Promise<void> {
  const ref = await sent(bench, Buffer.alloc(0), 'empty');
  const outcome = await read(bench, ref).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) mustEqual(outcome, { ...(outcome as object), total: 0 }, 'An empty file');
  else must(outcome instanceof PlatformError, `An empty file: ${outcome}`);
}
