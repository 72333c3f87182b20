import type {
  MessageDirection,
  MessageInstance,
  MessageStatus,
} from 'twilio/lib/rest/api/v2010/account/message.js';
import type { JsonObject } from '../../../src/contract/index.js';
import type { SimulatedFile } from '../../../src/contract/simulation/index.js';

/** A message of the simulated platform. */
export interface StoredMessage {
  readonly sid: string;
  readonly direction: MessageDirection;
  /** Null while a messaging service has not chosen a number yet. */
  from: string | null;
  readonly to: string;
  readonly body: string;
  readonly segments: number;
  /** Files that a person sent, by media id. */
  readonly files: ReadonlyMap<string, SimulatedFile>;
  /** Addresses of the files that the account sends. */
  readonly mediaUrls: readonly string[];
  readonly messagingServiceSid: string | null;
  readonly statusCallback: string | undefined;
  /** Unix milliseconds. */
  readonly createdAt: number;
  updatedAt: number;
  sentAt: number | null;
  status: MessageStatus;
  errorCode: number | null;
}

/** The type of Twilio's message resource, with dates in their wire format and empty fields as null. */
type Resource = ConstructorParameters<typeof MessageInstance>[1];
type Wire = { [Field in keyof Resource]: (Resource[Field] extends Date ? string : Resource[Field]) | null };

/** The message resource as in the API. */
export function messageResource(accountSid: string, message: StoredMessage): JsonObject {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`;
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: message.body,
    date_created: rfc2822(message.createdAt),
    date_sent: message.sentAt === null ? null : rfc2822(message.sentAt),
    date_updated: rfc2822(message.updatedAt),
    direction: message.direction,
    error_code: message.errorCode,
    error_message: null,
    from: message.from,
    messaging_service_sid: message.messagingServiceSid,
    num_media: String(message.files.size + message.mediaUrls.length),
    // Twilio cannot count the segments before a messaging service has chosen the number.
    num_segments: message.from === null ? '0' : String(message.segments),
    price: null,
    price_unit: 'USD',
    sid: message.sid,
    status: message.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: message.to,
    uri: `${uri}.json`,
  } satisfies Wire;
}

/** All media of a message on one page. There are at most ten. */
export function mediaResources(accountSid: string, message: StoredMessage): JsonObject {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}/Media`;
  const media = [...message.files].map(([sid, { mimeType }]) => ({
    sid,
    account_sid: accountSid,
    parent_sid: message.sid,
    content_type: mimeType,
    date_created: rfc2822(message.createdAt),
    date_updated: rfc2822(message.updatedAt),
    uri: `${uri}/${sid}.json`,
  }));
  return { media_list: media, uri: `${uri}.json`, next_page_uri: null, page: 0, page_size: 50 };
}

/** Twilio's date format, in whole seconds. */
export function rfc2822(time: number): string {
  return new Date(time).toUTCString().replace('GMT', '+0000');
}
