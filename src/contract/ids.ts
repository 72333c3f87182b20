/** Opaque platform identifiers: strings that only the adapter which created them can interpret. */
declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** A chat, channel or phone number on a platform. Unique within one connection. */
export type RemoteChatId = Branded<string, 'RemoteChatId'>;
/** A topic or thread inside a remote chat. */
export type RemoteThreadId = Branded<string, 'RemoteThreadId'>;
/** A message on a platform, such as Slack's `ts` or Telegram's `message_id`. Unique only within its chat. */
export type RemoteMessageId = Branded<string, 'RemoteMessageId'>;
/** A reaction on a platform that assigns ids to reactions. Unique only within its chat. */
export type RemoteReactionId = Branded<string, 'RemoteReactionId'>;
/** An account on a platform. Unique within one platform. */
export type RemoteUserId = Branded<string, 'RemoteUserId'>;

export const remoteChatId = (value: string | number): RemoteChatId => String(value) as RemoteChatId;
export const remoteThreadId = (value: string | number): RemoteThreadId => String(value) as RemoteThreadId;
export const remoteMessageId = (value: string | number): RemoteMessageId => String(value) as RemoteMessageId;
export const remoteReactionId = (value: string | number): RemoteReactionId =>
  String(value) as RemoteReactionId;
export const remoteUserId = (value: string | number): RemoteUserId => String(value) as RemoteUserId;
