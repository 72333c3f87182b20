import { type Capabilities, defineAdapter, formats, ops, secret } from 'trunkline';
import { z } from 'zod';

/** https://modern.ircdocs.horse/#clients */
const nick = z
  .string()
  .regex(
    /^[A-Za-z[\]\\`_^{|}][A-Za-z0-9[\]\\`_^{|}-]{0,29}$/,
    'Use 1 to 30 letters, digits and []\\`_^{|}-.',
  );

const channels = z
  .string()
  .max(1024)
  .regex(/^([#&+!][^\s,:]{1,49}(,[#&+!][^\s,:]{1,49})*)?$/, 'Write channels as #first,#second.');

const credentials = z.object({
  nick: nick.meta({ description: 'The nick of the bridge on this network.' }),
  password: secret(z.string().min(1).max(255).regex(/^\S+$/, 'A password has no spaces.'))
    .optional()
    .meta({ description: 'Password of the server, if it requires one.' }),
});

const settings = z.object({
  channels: channels.default('').meta({ description: 'Channels to join, such as #first,#second.' }),
});

export type IrcCredentials = z.infer<typeof credentials>;
export type IrcSettings = z.infer<typeof settings>;

/**
 * An IRC line has at most 512 bytes, including its end (RFC 2812 section 2.3). The server adds a prefix of nick, user and
 * host (30 + 11 + 63 bytes). This size remains after the prefix, the separators and a channel name of 50 bytes.
 */
const MAX_TEXT_BYTES = 340;

export const capabilities: Capabilities = {
  text: {
    max: MAX_TEXT_BYTES,
    unit: 'byte',
    formats: formats('dropped', { link: 'emulated' }),
  },
  ops: ops('rejected', {
    reply: 'dropped',
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

/** Internet Relay Chat: a connection is one nick on one network. */
export const ircDefinition = defineAdapter<IrcCredentials, IrcSettings>({
  contractVersion: 2,
  platform: 'irc',
  displayName: 'IRC',
  version: '1.0.0',
  ingress: ['gateway'],
  defaultApiBaseUrl: 'tls://irc.libera.chat:6697',
  credentials,
  settings,
  lookup: false,
  capabilities,
  addressForm: '^[^ ,:\\x00-\\x1f][^ ,\\x00-\\x1f]{0,49}$',
  // RFC 1459 section 8.10: servers always accept one line every two seconds.
  rate: { per_second: 0.5, per_chat_per_second: 0.5 },
  create: async (config, host) => {
    const { IrcAdapter } = await import('./adapter.js');
    return new IrcAdapter(config, host);
  },
});
