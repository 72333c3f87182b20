import { type Capabilities, formats, type MediaCapability, ops } from '../../src/contract/index.js';
import { reactions } from './outbound/reactions.js';

/**
 * Neighbouring files are sent as one album of up to ten. The text is the caption of the first file if it fits. Limits:
 * https://core.telegram.org/bots/api#sending-files, #sendmediagroup.
 */
const inAlbums: MediaCapability = {
  mime: { '*/*': 'native' },
  max_bytes: 50 * 1024 * 1024,
  caption_max: 1024,
  per_message: 10,
};

/** A separate message below the text. */
const alone: MediaCapability = { ...inAlbums, caption_max: 0, per_message: 1 };
const point: MediaCapability = { ...alone, max_bytes: null };

/** Files of other formats are sent as documents. */
const shownAs = (...formats: readonly string[]): MediaCapability['mime'] => ({
  ...Object.fromEntries(formats.map((format) => [format, 'native' as const])),
  '*/*': 'emulated',
});

/** Larger photos are sent as documents (https://core.telegram.org/bots/api#sendphoto). */
const MAX_PHOTO = 10 * 1024 * 1024;

/** What this adapter supports. Limits: https://core.telegram.org/bots/api#sendmessage, #deletemessage. */
export const telegramCapabilities: Capabilities = {
  text: {
    max: 4096,
    unit: 'utf16',
    // Headings are shown in bold. Entities have no lists.
    formats: formats('native', { heading: 'emulated', list: 'dropped' }),
  },
  // Operations that are not named have no counterpart for bots.
  ops: ops('dropped', {
    edit: 'native',
    delete: 'native',
    react: 'native',
    reply: 'native',
    thread: 'native',
    typing: 'native',
    membership: 'native',
    location: 'native',
    // Live locations that people share are received. The API cannot start one.
    live_location: 'native',
    // The bridge keeps a scheduled message until its time.
    schedule: 'emulated',
    // The name of the sender precedes the text.
    persona_override: 'emulated',
    // A bot may write only to people who wrote to it before. It cannot list them.
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
