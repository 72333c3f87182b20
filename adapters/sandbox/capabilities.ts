import {
  type AttachmentType,
  type Capabilities,
  formats,
  type MediaCapability,
  ops,
} from '../../src/contract/index.js';

const anyFile: MediaCapability = {
  mime: { '*/*': 'native' },
  max_bytes: null,
  caption_max: null,
  per_message: null,
};
const attachmentTypes: readonly AttachmentType[] = [
  'image',
  'video',
  'audio',
  'file',
  'location',
  'contact',
  'sticker',
];

/** The sandbox shows no messages to people, so it accepts everything unchanged. */
export const sandboxCapabilities: Capabilities = {
  text: { max: 10_000, unit: 'codepoint', formats: formats('native') },
  ops: ops('dropped', {
    edit: 'native',
    delete: 'native',
    react: 'native',
    reply: 'native',
    typing: 'native',
    read_in: 'native',
    delivered: 'native',
    location: 'native',
    initiate: 'native',
    schedule: 'emulated',
    persona_override: 'emulated',
  }),
  media: Object.fromEntries(attachmentTypes.map((type) => [type, anyFile])),
  edit: { max_age_s: null, max_count: null, media: true },
  delete: { max_age_s: null, others: false },
  react: { per_user: null, allowed: null },
};
