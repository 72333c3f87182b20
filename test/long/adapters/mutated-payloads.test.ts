import { describe, expect, it } from 'vitest';
import { decode as decodeDiscord } from '../../../adapters/discord/inbound/decode.js';
import { decodeEnvelope as decodeSlack } from '../../../adapters/slack/inbound/decode.js';
import { decodeSms } from '../../../adapters/sms/inbound/decode.js';
import { decode as decodeTelegram } from '../../../adapters/telegram/inbound/decode.js';
import type { Envelope, InboundEvent, JsonValue } from '../../../src/contract/index.js';
import { wrongField } from '../../../src/contract/validation/events.js';
import { discordEvents } from '../../support/payloads/discord.js';
import { slackBodies } from '../../support/payloads/slack.js';
import { smsForms } from '../../support/payloads/sms.js';
import { telegramUpdates } from '../../support/payloads/telegram.js';

const received_at = '2026-01-01T00:00:00.000Z';
const decoders: Readonly<Record<string, (envelope: Envelope) => readonly InboundEvent[]>> = {
  telegram: decodeTelegram,
  discord: decodeDiscord,
  slack: decodeSlack,
  sms: (envelope) => decodeSms(envelope, '+15005550006'),
};
const corpora = { telegram: telegramUpdates, discord: discordEvents, slack: slackBodies, sms: smsForms };
const context = {
  received_at,
  self: '1',
  application: '2',
  channels: '1,2',
  self_user: 'U0BOT',
  bot_id: '1',
};

/** The same value in itself, as deep as a body of a megabyte may be. */
function nested(wrap: (inner: JsonValue) => JsonValue, levels = 3_000): JsonValue {
  let value: JsonValue = 'x';
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

const odd: readonly JsonValue[] = [
  ...[null, true, 0, -1, 1.5, 1e308, '', 'x', 'constructor', '__proto__', 'x'.repeat(5_000), [], {}],
  nested((inner) => [inner]),
  ...['components', 'options', 'blocks', 'elements', 'text'].map((name) =>
    nested((inner) => ({ [name]: [inner] })),
  ),
];

type Path = readonly (string | number)[];

function pathsIn(value: JsonValue, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [
    path,
    ...keys.flatMap((key) => pathsIn((value as Record<string, JsonValue>)[key] ?? null, [...path, key])),
  ];
}

/** A copy with another value at the path. */
function changed(value: JsonValue, [key, ...rest]: Path, other: JsonValue): JsonValue {
  if (key === undefined) return other;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, JsonValue>;
  copy[key] = changed(copy[key] ?? null, rest, other);
  return copy;
}

describe.each(Object.keys(decoders))('the events of %s fit the contract', (platform) => {
  const wrongIn = (payload: JsonValue) =>
    (decoders[platform]?.({ dedupeKey: 'k', lane: 'l', payload, context }) ?? [undefined]).map(wrongField);
  const corpus = corpora[platform as keyof typeof corpora];

  it('for each payload', () => {
    for (const payload of corpus) expect(wrongIn(payload)).not.toContainEqual(expect.anything());
  });

  it('for each payload with any field replaced by any other value', () => {
    for (const payload of corpus)
      for (const path of pathsIn(payload))
        for (const value of odd) {
          const wrong = wrongIn(changed(payload, path, value)).find((field) => field !== undefined);
          expect(
            wrong && `${wrong} after ${path.join('.')} = ${String(JSON.stringify(value)).slice(0, 40)}`,
          ).toBeUndefined();
        }
  });
});
