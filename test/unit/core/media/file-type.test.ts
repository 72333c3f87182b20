import { expect, it } from 'vitest';
import { discordDefinition } from '../../../../adapters/discord/definition.js';
import { slackDefinition } from '../../../../adapters/slack/definition.js';
import { smsDefinition } from '../../../../adapters/sms/definition.js';
import { telegramDefinition } from '../../../../adapters/telegram/definition.js';
import { essence, isLike, storedType } from '../../../../src/core/media/file-type.js';

const facts = (mimeType: string | null) => ({ mimeType, isText: false, width: null, height: null });

/** The types that the detection reports for real files, next to what a platform or client declares. */
it.each([
  [
    'an animated sticker of Telegram',
    'application/x-tgsticker',
    'application/gzip',
    'application/x-tgsticker',
  ],
  ['a recording of a browser', 'audio/webm; codecs=opus', 'video/webm', 'audio/webm'],
  ['a recording of a phone', 'audio/3gpp', 'video/3gpp', 'audio/3gpp'],
  ['sound in an MPEG-4 container', 'audio/mp4', 'video/mp4', 'audio/mp4'],
  ['an M4A file', 'audio/x-m4a', 'audio/x-m4a', 'audio/mp4'],
  ['an M4A file of unknown type', undefined, 'audio/x-m4a', 'audio/mp4'],
  ['an M4V film', 'video/x-m4v', 'video/x-m4v', 'video/mp4'],
  ['Dolby sound', 'audio/ac3', 'audio/vnd.dolby.dd-raw', 'audio/ac3'],
  ['rich text', 'text/rtf', 'application/rtf', 'text/rtf'],
  ['a WAV file', 'audio/vnd.wave', 'audio/wav', 'audio/wav'],
  ['a film declared as another kind of sound', 'audio/mpeg', 'video/mp4', 'video/mp4'],
  ['a compressed archive', 'application/x-gzip', 'application/gzip', 'application/gzip'],
  ['a compressed archive of unknown type', undefined, 'application/gzip', 'application/gzip'],
  ['a compressed archive declared as an image', 'image/png', 'application/gzip', 'application/gzip'],
])('the stored type of %s', (_, declared, found, stored) => {
  expect(storedType(essence(declared), facts(found))).toBe(stored);
});

it('a compressed archive cannot pass as an image', () => {
  expect(isLike('image/png', facts('application/gzip'))).toBe(false);
  expect(isLike('application/x-tgsticker', facts('application/gzip'))).toBe(true);
});

it.each([telegramDefinition, discordDefinition, slackDefinition, smsDefinition])(
  'each type of file that $displayName takes is also taken under the name by which it is stored',
  ({ capabilities }) => {
    for (const { mime } of Object.values(capabilities.media))
      for (const [type, level] of Object.entries(mime))
        if (type !== '*/*') expect([type, mime[essence(type) ?? '']]).toEqual([type, level]);
  },
);
