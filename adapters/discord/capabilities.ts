import { type Capabilities, formats, ops } from '../../src/contract/index.js';

/** File size limit of every server (https://docs.discord.com/developers/reference#uploading-files). */
const asFile = {
  mime: { '*/*': 'native' },
  max_bytes: 10 * 1024 * 1024,
  caption_max: 2000,
  per_message: 10,
} as const;

/** Described in text: a contact by name and number, a location by a map link. */
const asText = {
  mime: { '*/*': 'emulated' },
  max_bytes: null,
  caption_max: 2000,
  per_message: null,
} as const;

/**
 * What this adapter supports. Message content is limited to 2000 characters. The unit is not documented, so UTF-16
 * units are counted, which are never fewer than characters
 * (https://docs.discord.com/developers/resources/message#create-message).
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
    // Only bots with the Server Members Intent receive membership events.
    membership: 'unknown',
    // The bridge keeps a scheduled message until its time.
    schedule: 'emulated',
  }),
  media: {
    image: asFile,
    video: asFile,
    audio: asFile,
    file: asFile,
    sticker: asFile,
    contact: asText,
    location: asText,
  },
  edit: { max_age_s: null, max_count: null, media: false },
  delete: { max_age_s: null, others: false },
  // Maximum number of different reactions per message.
  react: { per_user: 20, allowed: null },
};
