import { type Capabilities, formats, type MediaCapability, ops } from '../../src/contract/index.js';
import { reactions } from './outbound/reactions.js';

/**
 * Neighbours go as one album of up to ten, the text as the caption of the first where it fits. Limits:
 * https://core.telegram.org/bots/api#sending-files, #sendmediagroup.
 */
const inAlbums: MediaCapability = {
  mime: { '*/*': 'native' },
  max_bytes: 50 * 1024 * 1024,
  caption_max: 1024,
  per_message: 10,
};

/** A message of its own, below the text. */
const alone: MediaCapability = { ...inAlbums, caption_max: 0, per_message: 1 };
const point: MediaCapability = { ...alone, max_bytes: null };

/** Files of other formats are sent as documents. */
const shownAs = (...formats: readonly string[]): MediaCapability['mime'] => ({
  ...Object.fromEntries(formats.map((format) => [format, 'native' as const])),
  '*/*': 'emulated',
});

/** https://core.telegram.org/bots/api#sendphoto. Larger ones are sent as documents. */
const MAX_PHOTO = 10 * 1024 * 1024;

/** What the code does now. Limits: https://core.telegram.org/bots/api#sendmessage, #deletemessage. */
export const telegramCapabilities: Capabilities = {
  text: {
    max: 4096,
    unit: 'utf16',
    // Headings are shown in bold; entities know no lists.
    formats: formats('native', { heading: 'emulated', list: 'dropped' }),
  },
  // What is not named here has no counterpart that a bot may use.
  ops: ops('dropped', {
    edit: 'native',
    delete: 'native',
    react: 'native',
    reply: 'native',
    thread: 'native',
    typing: 'native',
    membership: 'native',
    location: 'native',
    // Those that people share come in; nothing in the interface begins one.
    live_location: 'native',
    // The bridge keeps the message until its time.
    schedule: 'emulated',
    // The sender's name before the text.
    persona_override: 'emulated',
    // A bot may write only to people who wrote to it before, and can't ask who they are.
    initiate: 'unknown',
  }),
  media: {
    // Animations, too: https://core.telegram.org/bots/api#sendanimation.
    image: {
      ...inAlbums,
      mime: shownAs('image/jpeg', 'image/png', 'image/webp', 'image/gif'),
      max_bytes: MAX_PHOTO,
    },
    // https://core.telegram.org/bots/api#sendvideo, #sendaudio, #sendsticker
    video: { ...inAlbums, mime: shownAs('video/mp4') },
    audio: { ...inAlbums, mime: shownAs('audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/m4a') },
    file: inAlbums,
    sticker: { ...alone, mime: shownAs('image/webp', 'application/x-tgsticker', 'video/webm') },
    location: point,
    contact: point,
  },
  edit: { max_age_s: null, max_count: null, media: false },
  delete: { max_age_s: 48 * 60 * 60, others: false },
  react: { per_user: 1, allowed: reactions },
};
