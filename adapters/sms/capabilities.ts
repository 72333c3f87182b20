import { type Capabilities, formats, type MediaCapability, ops } from '../../src/contract/index.js';

/** Written as text: locations as a map link, contacts as name and number. */
const asText: MediaCapability = {
  mime: { '*/*': 'emulated' },
  max_bytes: null,
  caption_max: null,
  per_message: null,
};

const kinds = (family: string, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [`${family}/${name}`, 'native' as const]));

/**
 * File types that Twilio accepts, each up to its size. Everything else is sent as a signed link. Twilio fetches files
 * from a public https address. https://www.twilio.com/docs/messaging/guides/accepted-mime-types
 * `audio/vnd.wave` is missing, because such a file is stored and served as `audio/wav`,
 * which Twilio refuses.
 */
const fetched = (native: Record<string, 'native'>, max_bytes: number): MediaCapability => ({
  mime: { ...native, '*/*': 'emulated' },
  max_bytes,
  caption_max: 1600,
  per_message: 10,
});

/** Twilio resizes pictures for the phone. Other files are sent unchanged. */
const PICTURE_BYTES = 5 * 1024 * 1024;
const FILE_BYTES = 500 * 1024;

const pictures = fetched(kinds('image', 'jpeg png gif'), PICTURE_BYTES);
const films = fetched(
  kinds('video', 'mpeg mp4 quicktime webm 3gpp 3gpp2 3gpp-tt h261 h263 h263-1998 h263-2000 h264'),
  FILE_BYTES,
);
const sounds = fetched(
  kinds('audio', 'basic l24 mp4 mpeg ogg vnd.rn-realaudio 3gpp 3gpp2 ac3 webm amr-nb amr'),
  FILE_BYTES,
);
const papers = fetched(
  { ...kinds('text', 'vcard x-vcard csv rtf richtext calendar'), ...kinds('application', 'pdf') },
  FILE_BYTES,
);

/**
 * Capabilities of a text message. Twilio refuses a body of more than 1,600 characters (error 21617). The count in GSM-7
 * septets, or in UTF-16 units for other texts, is never lower.
 */
export const smsCapabilities: Capabilities = {
  text: { max: 1600, unit: 'gsm7', formats: formats('dropped', { link: 'emulated' }) },
  ops: ops('dropped', {
    delivered: 'native',
    initiate: 'native',
    schedule: 'emulated',
    persona_override: 'emulated',
    location: 'emulated',
  }),
  media: {
    image: pictures,
    video: films,
    audio: sounds,
    file: papers,
    sticker: pictures,
    location: asText,
    contact: asText,
  },
  edit: null,
  delete: null,
  react: null,
};
