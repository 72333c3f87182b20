import { type Capabilities, formats, ops } from '../../src/contract/index.js';

/** What every server takes (https://docs.discord.com/developers/reference#uploading-files). */
const asFile = {
  mime: { '*/*': 'native' },
  max_bytes: 10 * 1024 * 1024,
  caption_max: 2000,
  per_message: 10,
} as const;

/** Told in words: a card by its name and number, a place by a link to a map. */
const asWords = {
  mime: { '*/*': 'emulated' },
  max_bytes: null,
  caption_max: 2000,
  per_message: null,
} as const;

/**
 * What the adapter does now. Message content is limited to 2000 characters and the unit is not stated, so UTF-16 units
 * are counted, never fewer than characters (https://docs.discord.com/developers/resources/message#create-message).
 */
export const discordCapabilities: Capabilities = {
  text: {
    max: 2000,
    unit: 'utf16',
    formats: formats('native', { list: 'emulated', mention: 'emulated' }),
  },
  ops: ops('dropped', {
    edit: 'native',
    delete: 'native',
    reply: 'native',
    thread: 'native',
    typing: 'native',
    initiate: 'native',
    location: 'emulated',
    react: 'native',
    persona_override: 'native',
    // People who come and go are told only to bots with the Server Members Intent.
    membership: 'unknown',
    // The bridge holds the message back until its time.
    schedule: 'emulated',
  }),
  media: {
    image: asFile,
    video: asFile,
    audio: asFile,
    file: asFile,
    sticker: asFile,
    contact: asWords,
    location: asWords,
  },
  edit: { max_age_s: null, max_count: null, media: false },
  delete: { max_age_s: null, others: false },
  // So many different ones a message may have.
  react: { per_user: 20, allowed: null },
};
