import { type Capabilities, defineAdapter, formats, ops, secret } from 'trunkline';
import { z } from 'zod';

/** An address that needs no quoting in headers and SMTP commands (RFC 5321 section 4.1.2, RFC 6531). */
const address = /^[^\s"(),:;<>@[\\\]]{1,64}@[^\s"(),:;<>@[\\\]]{1,189}$/u;
export const isAddress = (value: string): boolean => address.test(value);

const line = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[^\r\n]*$/, 'Write one line.');

export const credentials = z.object({
  address: z.string().regex(address, 'An address looks like bridge@example.org.').meta({
    description: 'Address of the mailbox, and sender of its mails.',
  }),
  username: line(320).optional().meta({ description: 'Name to log in with, if it is not the address.' }),
  password: secret(z.string().min(1).max(1023)),
});

export const settings = z.object({
  smtp_url: z
    .string()
    .regex(/^(tls|tcp):\/\/[^\s/@?#]+:\d{1,5}$/, 'Write it as tls://smtp.example.org:465.')
    .meta({ description: 'SMTP server, as tls://host:port.' }),
  mailbox: line(255).min(1).default('INBOX').meta({ description: 'Folder that is read.' }),
  name: line(128).default('').meta({ description: 'Name shown with the address of the sender.' }),
  subject: line(200).min(1).default('New message').meta({
    description: 'Subject of the first mail to a contact.',
  }),
});

export type EmailCredentials = z.infer<typeof credentials>;
export type EmailSettings = z.infer<typeof settings>;

/** Most servers accept 25 MB. Base64 encodes three bytes as four. */
export const MAX_FILES_BYTES = 15_000_000;
export const MAX_FILES = 10;

const file = {
  mime: { '*/*': 'native' as const },
  max_bytes: MAX_FILES_BYTES,
  caption_max: null,
  per_message: MAX_FILES,
};
const asText = {
  mime: { '*/*': 'emulated' as const },
  max_bytes: null,
  caption_max: null,
  per_message: null,
};

export const capabilities: Capabilities = {
  text: { max: null, unit: 'codepoint', formats: formats('dropped', { link: 'emulated' }) },
  ops: ops('rejected', {
    reply: 'native',
    thread: 'dropped',
    typing: 'dropped',
    read_out: 'dropped',
    read_in: 'dropped',
    delivered: 'dropped',
    buttons: 'dropped',
    persona_override: 'dropped',
    location: 'emulated',
    live_location: 'dropped',
    initiate: 'native',
  }),
  media: { image: file, video: file, audio: file, file, sticker: file, location: asText, contact: asText },
  edit: null,
  delete: null,
  react: null,
};

/** E-mail: a connection is one mailbox, and each correspondent is a chat. */
export const emailDefinition = defineAdapter<EmailCredentials, EmailSettings>({
  contractVersion: 2,
  platform: 'email',
  displayName: 'E-mail',
  version: '1.0.0',
  ingress: ['gateway'],
  defaultApiBaseUrl: 'tls://imap.example:993',
  credentials,
  settings,
  lookup: false,
  capabilities,
  addressForm: '^[^ @<>]+@[^ @<>]+$',
  rate: { per_second: 2, per_chat_per_second: null },
  create: async (config, host) => {
    const { EmailAdapter } = await import('./adapter.js');
    return new EmailAdapter(config, host);
  },
});
