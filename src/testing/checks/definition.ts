import type { AdapterDefinition, Envelope } from '../../contract/index.js';
import { wrongField } from '../../contract/validation/events.js';
import { fieldIsSecret } from '../../core/adapters/secret-fields.js';
import { Platforms } from '../../core/platforms/catalogue.js';
import type { Bench } from '../bench.js';
import { written } from '../reference-host.js';
import type { Check, Stage } from '../stage.js';
import { must, mustBecome, mustEqual, settles } from '../verdict.js';
import { loadApart } from './clean-process.js';

const WRONG_VERSION = 999;

export const loads: Check = {
  number: 1,
  title: 'Loads in a clean process without I/O; a wrong contract version is refused with its number',
  async run({ kit }) {
    const { problems } = await loadApart(kit);
    must(problems.length === 0, `Loading the module: ${problems.join('; ')}.`);
    const refusalOf = (definition: AdapterDefinition) => new Platforms([definition]).refused[0];
    mustEqual(refusalOf(kit.definition), undefined, 'The reason why the definition is refused');
    const refused = refusalOf({ ...kit.definition, contractVersion: WRONG_VERSION });
    must(
      refused?.platform?.platform === kit.definition.platform &&
        refused.reason.includes(String(WRONG_VERSION)),
      'The refusal of a definition of another contract version does not name the version.',
    );
    must(kit.definition.ingress.length > 0, 'The definition has no ingress.');
    return undefined;
  },
};

const SECRET_NAME = /(?:^|_)(?:token|secret|password|passphrase|private_key|api_key|auth_key)$/;

interface ObjectSchema {
  readonly shape: Readonly<Record<string, never>>;
}

const fieldsOf = (schema: unknown) => Object.entries((schema as ObjectSchema).shape ?? {});

export const secrets: Check = {
  number: 2,
  title: 'Secrets are marked; errors name the field; no secret in logs, errors, health, envelopes or links',
  async run(stage) {
    const { definition } = stage.kit;
    for (const [name, schema] of [...fieldsOf(definition.credentials), ...fieldsOf(definition.settings)])
      must(fieldIsSecret(schema) || !SECRET_NAME.test(name), `The field ${name} is not marked as a secret.`);
    for (const [name] of fieldsOf(definition.credentials)) {
      const parsed = definition.credentials.safeParse({ [name]: { 'not-a-text': 'marker-of-the-value' } });
      const issue = parsed.error?.issues.find(({ path }) => path[0] === name);
      must(issue !== undefined, `The error for an invalid ${name} does not name the field.`);
      must(
        !issue.message.includes('marker-of-the-value'),
        `The error for an invalid ${name} contains the value.`,
      );
    }
    if (!stage.hasPlatformFor('no secret in logs, errors, health, envelopes or links')) return undefined;
    const bench = await stage.open();
    await provoke(bench);
    for (const value of secretValues(bench))
      for (const [place, text] of Object.entries(await traces(bench)))
        must(!text.includes(value), `${place} contains a secret.`);
    return undefined;
  },
};

/** The secrets of the account of a bench. */
export function secretValues({ kit: { definition }, account }: Bench): string[] {
  return fieldsOf(definition.credentials).flatMap(([name, schema]) => {
    const value = account.credentials[name];
    if (!fieldIsSecret(schema) || value === undefined) return [];
    // Parts count as well: an account id before a colon is public, but the part after it is secret.
    return [value, ...value.split(':').slice(1)].filter((piece) => piece.length >= 6);
  });
}

const provoked = new WeakMap<Bench, unknown[]>();

/** Makes the adapter receive, send and fail in all ways that leave traces. */
async function provoke(bench: Bench): Promise<void> {
  const errors: unknown[] = [];
  provoked.set(bench, errors);
  const attempt = async (what: () => Promise<unknown>) => {
    await what().catch((error: unknown) => errors.push(error));
  };
  await bench.start();
  await bench.post('traces');
  await bench.hears('traces');
  const { faults } = bench.simulator;
  for (const fault of [
    { kind: 'revoked' },
    { kind: 'refused', code: 99_999 },
    { kind: 'status', status: 502 },
    { kind: 'drop_before' },
  ] as const) {
    faults.set({ fault });
    await attempt(() => bench.send('provoked'));
    faults.clear();
  }
  await bench.adapter.stop();
  await bench.simulator.stop();
  const fresh = await bench.connect();
  await attempt(() => fresh.identify());
  // Some adapters wait until their platform is back.
  await settles(
    attempt(() => fresh.start()),
    1_000,
  );
  await attempt(() => bench.send('no listener'));
}

async function traces(bench: Bench): Promise<Record<string, string>> {
  const media = bench
    .events()
    .flatMap((event) => (event.type === 'message' ? event.content.attachments : []));
  return {
    'the log': bench.host.lines.join('\n'),
    'an error': (provoked.get(bench) ?? []).map(written).join('\n'),
    'the health report': written(bench.host.reports),
    'an envelope': written(bench.envelopes),
    'the link of a file': written(media),
    'the saved state': written([...bench.remains.state]),
  };
}

const MAX_KEY_LENGTH = 200;

export const decodeIsPure: Check = {
  number: 3,
  title: 'decode is pure and never throws; keys are unique over the corpus',
  async run(stage) {
    const adapter = await stage.bare();
    const { corpus } = stage.kit;
    must(corpus.length > 0, 'The corpus is empty.');
    for (const envelope of corpus) {
      const before = structuredClone(envelope);
      const first = adapter.decode(envelope);
      for (const event of first) {
        const field = wrongField(event);
        must(
          field === undefined,
          `The event ${event.type} of ${envelope.dedupeKey} has an invalid ${field}.`,
        );
      }
      mustEqual(envelope, before, `decode changes the envelope ${envelope.dedupeKey}`);
      const second = elsewhen(() => adapter.decode(structuredClone(envelope)));
      mustEqual(second, first, `decode of ${envelope.dedupeKey} at another time`);
    }
    for (const envelope of corpus.flatMap(mutilated)) {
      const known = JSON.stringify(envelope.payload).slice(0, 120);
      try {
        for (const event of adapter.decode(envelope)) {
          const field = wrongField(event);
          if (field !== undefined) throw new TypeError(`${event.type} has an invalid ${field}.`);
        }
      } catch (error) {
        must(false, `decode fails on ${known}: ${String(error)}`);
      }
    }
    const live = stage.hasPlatformFor('keys of envelopes as they arrive') ? await harvest(stage) : [];
    const all = [...corpus, ...live];
    for (const { dedupeKey, lane } of all) {
      must(
        dedupeKey !== '' && dedupeKey.length <= MAX_KEY_LENGTH,
        `The key ${dedupeKey} is empty or too long.`,
      );
      must(lane !== '' && lane.length <= MAX_KEY_LENGTH, `The lane ${lane} is empty or too long.`);
    }
    const keys = corpus.map(({ dedupeKey }) => dedupeKey);
    const twice = keys.find((key, place) => keys.indexOf(key) !== place);
    must(twice === undefined, `Two different events of the corpus have the key ${twice}.`);
    return `${all.length} envelopes`;
  },
};

/** Envelopes that the adapter produces. The host keeps one per key, so a key that is used twice shows as a loss. */
async function harvest(stage: Stage): Promise<readonly Envelope[]> {
  const bench = await stage.open();
  await bench.start();
  const chats = await bench.simulator.chats();
  // Each message is received before the next one is written. Equal text, minute and person must not become one event.
  for (const [place, { id }] of chats.entries()) {
    await bench.simulator.post({ chatId: id, sender: 'Ada', text: 'same words' });
    await mustBecome(
      async () => (await bench.store.texts(bench.connection)).length === place + 1,
      'The same words in another chat are another event',
    );
  }
  return bench.envelopes;
}

/** Runs the function with clocks shifted by a year and with a fixed Math.random. */
function elsewhen<T>(act: () => T): T {
  const { Date: RealDate } = globalThis;
  const { random } = Math;
  const elapsed = performance.now.bind(performance);
  const shift = 366 * 24 * 3_600_000;
  class LaterDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RealDate.now() + shift);
      else super(...(given as [number]));
    }
    static override now(): number {
      return RealDate.now() + shift;
    }
  }
  globalThis.Date = LaterDate as DateConstructor;
  Math.random = () => 0.5;
  performance.now = () => elapsed() + shift;
  try {
    return act();
  } finally {
    globalThis.Date = RealDate;
    Math.random = random;
    performance.now = elapsed;
  }
}

/** The envelope with other JSON as its payload, and with each of its fields removed or of another type. */
function mutilated(envelope: Envelope): Envelope[] {
  const strange = [null, 0, '', 'text', true, [], {}, [null], { a: [{}] }];
  const { payload } = envelope;
  const fields = typeof payload === 'object' && payload !== null ? Object.keys(payload) : [];
  const changed = fields.flatMap((field) =>
    [undefined, null, 7, 'x', [], {}].map((value) => ({ ...(payload as object), [field]: value })),
  );
  return [...strange, ...changed].map((each) => ({
    ...envelope,
    payload: JSON.parse(JSON.stringify(each)) as Envelope['payload'],
  }));
}
