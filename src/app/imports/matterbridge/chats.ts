import { AppError } from '../../../core/common/errors.js';
import type { Addresses } from '../../../core/platforms/addresses.js';
import type { Additions, PlannedAccount } from './accounts.js';
import { type Channel, isTrue } from './configuration.js';
import { fieldOf } from './read-file.js';

/** The chat of a channel, or the reason why it has none. */
export type Chat =
  | {
      readonly externalId: string;
      readonly threadId: string | null;
      readonly attribution: 'prefix' | 'persona';
    }
  | { readonly problem: string };

/** Patterns of chat ids. Names that only a platform can resolve are not ids, such as `general` in Slack and Discord. */
const IDS: Readonly<Record<string, RegExp>> = {
  telegram: /^(-?\d{1,20}|@\w{4,64})(?:\/(\d{1,20}))?$/,
  discord: /^ID:(\d{5,20})$/i,
  slack: /^ID:([CGD][A-Z0-9]{2,30})$/i,
};
const GIVEN: Readonly<Record<string, RegExp>> = {
  telegram: /^(-?\d{1,20}|@\w{4,64})(?:\/(\d{1,20}))?$/,
  discord: /^(\d{5,20})$/,
  slack: /^([CGD][A-Z0-9]{2,30})$/,
};

export function chatOf(
  channel: Channel,
  { account, platform }: PlannedAccount,
  additions: Additions,
  addresses: Addresses,
): Chat {
  const given = additions.channels.get(`${channel.account}/${channel.channel}`);
  const form = given === undefined ? IDS[platform] : GIVEN[platform];
  const sent = given ?? roomOf(platform, channel.channel, fieldOf(account.options, 'Muc'));
  const found = form?.exec(sent);
  if (form !== undefined && found === null)
    return {
      problem: `The channel is named, and Trunkline needs its id: give --channel '${account.label}/${channel.channel}=ID'.`,
    };
  try {
    const externalId = addresses.ofChat(platform, found?.[1] ?? sent, 'channel');
    return { externalId, threadId: found?.[2] ?? null, attribution: attributionOf(channel, account.options) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problem: `The id of the channel is not valid on ${platform}.` };
  }
}

/** An XMPP room is an address. In matterbridge, the account has the domain of the address. */
function roomOf(platform: string, channel: string, muc: unknown): string {
  return platform === 'xmpp' && typeof muc === 'string' && !channel.includes('@')
    ? `${channel}@${muc}`
    : channel;
}

/** If a Discord channel uses a webhook, matterbridge shows the name and the picture of each author. */
function attributionOf({ options }: Channel, account: PlannedAccount['account']['options']) {
  const hook = fieldOf(options, 'WebhookURL');
  const isPersona = (typeof hook === 'string' && hook !== '') || isTrue(fieldOf(account, 'AutoWebhooks'));
  return isPersona ? ('persona' as const) : ('prefix' as const);
}

/** Options of channels and accounts that determine the attribution of a link. */
export const PERSONA_OPTIONS: ReadonlySet<string> = new Set(['webhookurl', 'autowebhooks']);
