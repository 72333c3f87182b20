import { type Capabilities, formats, type MediaCapability, ops } from '../../src/contract/index.js';

/** Written out: places as a link to a map, cards as name and number. */
const asText: MediaCapability = {
  mime: { '*/*': 'emulated' },
  max_bytes: null,
  caption_max: null,
  per_message: null,
};

const kinds = (family: string, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [`${family}/${name}`, 'native' as const]));

/**
 * What Twilio takes as a file, each up to its size; everything else travels as a signed link. Twilio fetches files from a
 * public https address. https://www.twilio.com/docs/messaging/guides/accepted-mime-types
 */
const fetched = (native: Record<string, 'native'>, max_bytes: number): MediaCapability => ({
  mime: { ...native, '*/*': 'emulated' },
  max_bytes,
  caption_max: 1600,
  per_message: 10,
});

/** Pictures are made smaller for the phone; other files are taken as they are. */
const PICTURE_BYTES = 5 * 1024 * 1024;
const FILE_BYTES = 500 * 1024;

const pictures = fetched(kinds('image', 'jpeg png gif'), PICTURE_BYTES);
const films = fetched(
  kinds('video', 'mpeg mp4 quicktime webm 3gpp 3gpp2 3gpp-tt h261 h263 h263-1998 h263-2000 h264'),
  FILE_BYTES,
);
const sounds = fetched(
  kinds('audio', 'basic l24 mp4 mpeg ogg vnd.rn-realaudio vnd.wave 3gpp 3gpp2 ac3 webm amr-nb amr'),
  FILE_BYTES,
);
const papers = fetched(
  { ...kinds('text', 'vcard x-vcard csv rtf richtext calendar'), ...kinds('application', 'pdf') },
  FILE_BYTES,
);

/**
 * What a text message can do. Twilio refuses a body of more than 1,600 characters (error 21617); counting GSM-7
 * septets, or UTF-16 units where GSM-7 can't hold the text, is never less than that.
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
