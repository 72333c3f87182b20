import { type Capabilities, defineAdapter, formats, ops, secret } from 'trunkline';
import { z } from 'zod';

const address = /^[^\s"&'/:<>@]{1,256}@[^\s"&'/:<>@]{1,256}$/;

const credentials = z.object({
  jid: z.string().regex(address, 'An address looks like bridge@example.org.').meta({
    description: 'Address of the account.',
  }),
  password: secret(z.string().min(1).max(1023)),
});

export const settings = z.object({
  rooms: z
    .string()
    .max(2048)
    .refine((value) => value === '' || value.split(',').every((room) => address.test(room)), {
      error: 'Write rooms as first@rooms.example.org,second@rooms.example.org.',
    })
    .default('')
    .meta({ description: 'Rooms to join, separated by commas.' }),
  nick: z
    .string()
    .regex(/^[^\s/][^/]{0,63}$/, 'A nick has 1 to 64 characters and no slash.')
    .default('Trunkline')
    .meta({ description: 'The nick in rooms.' }),
});

export type XmppCredentials = z.infer<typeof credentials>;
export type XmppSettings = z.infer<typeof settings>;

export const capabilities: Capabilities = {
  // A server's limit for the size of a stanza is at least 10,000 bytes (RFC 6120 section 13.12).
  text: { max: 2_000, unit: 'codepoint', formats: formats('dropped', { link: 'emulated' }) },
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
  media: Object.fromEntries(
    (['image', 'video', 'audio', 'file', 'location', 'contact', 'sticker'] as const).map((type) => [
      type,
      { mime: { '*/*': 'emulated' as const }, max_bytes: null, caption_max: null, per_message: null },
    ]),
  ),
  edit: null,
  delete: null,
  react: null,
};

/** XMPP: a connection is one account on one server. */
export const xmppDefinition = defineAdapter<XmppCredentials, XmppSettings>({
  contractVersion: 2,
  platform: 'xmpp',
  displayName: 'XMPP',
  version: '1.0.0',
  ingress: ['gateway'],
  defaultApiBaseUrl: 'tls://xmpp.example:5223',
  credentials,
  settings,
  lookup: false,
  capabilities,
  addressForm: '^[^ @/]+@[^ @/]+$',
  rate: { per_second: 5, per_chat_per_second: null },
  create: async (config, host) => {
    const { XmppAdapter } = await import('./adapter.js');
    return new XmppAdapter(config, host);
  },
});
