import { type Capabilities, formats, type MediaCapability, ops } from '../../src/contract/index.js';
import type { Scopes } from './client/scopes.js';

/**
 * Slack truncates text at 40,000 characters and recommends at most 4,000 in `text`
 * (docs.slack.dev/reference/methods/chat.postMessage, "Truncating content"). Blocks hold about 13,000. The unit is not
 * documented; UTF-16 code units are never fewer than characters.
 */
const TEXT_MAX = 4_000;

/** All files share one message with its text (docs.slack.dev/messaging/working-with-files). */
const asFile: MediaCapability = {
  mime: { '*/*': 'native' },
  max_bytes: 1024 * 1024 * 1024,
  caption_max: TEXT_MAX,
  per_message: 10,
};

/** A line of the text: the link of a file or map, or the content of a contact. */
const asLine: MediaCapability = {
  mime: { '*/*': 'emulated' },
  max_bytes: null,
  caption_max: null,
  per_message: null,
};

const files = { image: asFile, video: asFile, audio: asFile, file: asFile, sticker: asFile };
const links = { image: asLine, video: asLine, audio: asLine, file: asLine, sticker: asLine };
const lines = { location: asLine, contact: asLine };

/** What a Slack bot can do through this adapter. Edit windows are a workspace policy and visible only as an error. */
export const slackCapabilities: Capabilities = {
  text: {
    max: TEXT_MAX,
    unit: 'utf16',
    // Rich text has no spoiler, and headings are blocks of their own (docs.slack.dev/reference/block-kit/blocks).
    formats: formats('native', { spoiler: 'dropped', heading: 'emulated' }),
  },
  // Operations that are not named have no counterpart for bots.
  ops: ops('dropped', {
    edit: 'native',
    delete: 'native',
    react: 'native',
    reply: 'native',
    thread: 'native',
    membership: 'native',
    persona_override: 'native',
    // The bridge keeps the message until its time.
    schedule: 'emulated',
    // A link to a map.
    location: 'emulated',
    initiate: 'native',
  }),
  media: { ...files, ...lines },
  edit: { max_age_s: null, max_count: null, media: false },
  delete: { max_age_s: null, others: false },
  // slack.com/help/articles/202931348: at most 23 reactions of one person to one message.
  react: { per_user: 23, allowed: null },
};

/** The capabilities of an app without some of the optional scopes. */
export function capabilitiesWithin(scopes: Scopes): Capabilities {
  const { ops: all, media } = slackCapabilities;
  const noReactions = scopes.lacks('reactions:write');
  return {
    ...slackCapabilities,
    ops: {
      ...all,
      react: noReactions ? 'dropped' : all.react,
      // The name of the sender precedes the text.
      persona_override: scopes.lacks('chat:write.customize') ? 'emulated' : all.persona_override,
    },
    media: scopes.lacks('files:write') ? { ...links, ...lines } : media,
    react: noReactions ? null : slackCapabilities.react,
  };
}
