import type { AdapterDefinition } from '../../../contract/index.js';
import { objectShape } from '../../../core/adapters/secret-fields.js';
import { settingsSchema } from '../../../core/platforms/configuration.js';
import { type Account, isTrue } from './configuration.js';
import { fieldOf } from './read-file.js';

/** An account converted to the fields of an adapter. */
export interface Mapped {
  readonly credentials: Record<string, unknown>;
  readonly settings: Record<string, unknown>;
  /** Names of the options, in lower case, that have a counterpart. */
  readonly used: ReadonlySet<string>;
}

/** Platforms whose name in matterbridge differs from the name here. */
const PLATFORMS: Readonly<Record<string, string>> = { 'slack-legacy': 'slack' };
/** Names that an adapter may use for a token. */
const TOKENS = ['token', 'bot_token', 'access_token'];
/** Settings that list the chats which an adapter joins. */
const ROOMS = ['channels', 'rooms'];

export function platformOf(protocol: string): string {
  return PLATFORMS[protocol] ?? protocol;
}

/** Maps an account to the credentials and settings of an adapter. `channels` are the chats of the account in the file. */
export function mapped(
  { protocol, options }: Account,
  definition: AdapterDefinition,
  channels: readonly string[],
): Mapped {
  const credentials: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  const used = new Set<string>();
  const fields = Object.keys(objectShape(definition.credentials));
  const own = Object.keys(objectShape(settingsSchema(definition)));
  for (const [option, value] of Object.entries(options)) {
    if (value === '') continue;
    const name = option.toLowerCase();
    const credential = counterpart(name, fields);
    const setting = counterpart(name, own);
    if (credential !== undefined) credentials[credential] = textOf(name, value);
    else if (setting !== undefined) settings[setting] = value;
    else continue;
    used.add(name);
  }
  const address = protocol === 'irc' ? ircAddress(options) : undefined;
  if (address !== undefined) {
    settings.api_base_url = address;
    for (const name of ['server', 'usetls']) used.add(name);
  }
  const rooms = ROOMS.find((name) => own.includes(name));
  if (rooms !== undefined && channels.length > 0) settings[rooms] = channels.join(',');
  return { credentials, settings, used };
}

function counterpart(option: string, fields: readonly string[]): string | undefined {
  const same = fields.find((field) => field.replaceAll('_', '') === option);
  if (same !== undefined || option !== 'token') return same;
  return TOKENS.find((name) => fields.includes(name));
}

/** Matterbridge accepts a Discord token with and without its scheme. */
function textOf(option: string, value: unknown): unknown {
  return option === 'token' && typeof value === 'string' ? value.trim().replace(/^Bot /, '') : value;
}

function ircAddress(options: Account['options']): string | undefined {
  const server = fieldOf(options, 'Server');
  if (typeof server !== 'string' || server === '') return undefined;
  return `${isTrue(fieldOf(options, 'UseTLS')) ? 'tls' : 'tcp'}://${server}`;
}
