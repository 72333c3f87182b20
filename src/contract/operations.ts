import type { Content } from './content.js';
import type { Degradation } from './degradations.js';
import type { RemoteChatId, RemoteMessageId, RemoteThreadId } from './ids.js';
import type { JsonObject } from './json.js';
import type { RateReading } from './rates.js';

/** Where a message goes. */
export interface Destination {
  readonly chatId: RemoteChatId;
  /** That of the link; else the thread of the chat that holds the message, or the message or root that it answers. */
  readonly threadId?: RemoteThreadId;
  /** The link is to the whole chat: a new message that can't be put into the thread goes into the chat itself. */
  readonly mayLeaveThread?: true;
}

/** In whose name a relayed message appears. Given only to adapters that declare `persona_override: native`. */
export interface Persona {
  readonly displayName: string;
  readonly avatarUrl?: string;
}

/** A part that is already on the platform. `kind` is what `PartStep.kind` said when it was made. */
export interface RemotePart {
  readonly index: number;
  readonly kind: PartKind;
  readonly id: RemoteMessageId;
}

/** A button below a message. The bridge learns of a press by `MessageReceived.press`. */
export interface Button {
  readonly label: string;
  /** Names what the button does. It is no secret, and a person can send any other. */
  readonly value: string;
}

export interface SendOperation {
  readonly type: 'send';
  readonly to: Destination;
  readonly content: Content;
  /** First remote part of the message replied to, when it exists in this chat. */
  readonly replyToId?: RemoteMessageId;
  /**
   * First remote part of the root of the thread that the message belongs to, when it exists in this chat and the platform
   * declares `thread: native`. A message that can't be put into that thread gets the degradation `thread`.
   */
  readonly threadRootId?: RemoteMessageId;
  readonly persona?: Persona;
  /** Written by a program: automatic replies must not answer it. */
  readonly automatic?: boolean;
  /**
   * In one row below the last part, which is a text. Given only to adapters whose definition has `buttons`, and within its limits.
   * An edit removes them.
   */
  readonly buttons?: readonly Button[];
}

/** Make the remote parts show `content`. Parts may be updated, added or removed. */
export interface EditOperation {
  readonly type: 'edit';
  readonly to: Destination;
  readonly content: Content;
  readonly parts: readonly RemotePart[];
  readonly persona?: Persona;
}

export interface DeleteOperation {
  readonly type: 'delete';
  readonly to: Destination;
  readonly parts: readonly RemotePart[];
}

export interface ReactOperation {
  readonly type: 'react';
  readonly to: Destination;
  readonly messageId: RemoteMessageId;
  readonly emoji: string;
  readonly change: 'added' | 'removed';
}

export interface TypingOperation {
  readonly type: 'typing';
  readonly to: Destination;
  readonly state: 'started' | 'stopped';
}

export type Operation = SendOperation | EditOperation | DeleteOperation | ReactOperation | TypingOperation;

export const partKinds = ['text', 'media', 'location', 'contact'] as const;
export type PartKind = (typeof partKinds)[number];

/** The place of a part in its message, and its kind. */
export interface PartPlace {
  /**
   * Its position among the parts of the message, from 0. The bridge knows the part by it for ever: `plan` gives the same content the
   * same positions, an edit names the positions that `parts` has, and no two parts share one.
   */
  readonly index: number;
  readonly kind: PartKind;
}

export const stepActions = ['create', 'update', 'remove', 'signal'] as const;
export type StepAction = (typeof stepActions)[number];

/**
 * One remote write. `payload` is the adapter's own rendering of it and is opaque to everyone else; it must be JSON,
 * since steps are shown in previews.
 */
export interface PartStep extends PartPlace {
  /** A `signal` makes no part, such as a reaction or a sign of typing. Its `index` is 0 and its `kind` is `text`; both mean nothing. */
  readonly action: StepAction;
  /**
   * For `create`: parts that the same write makes in addition to the first, such as the other files of an album. Each is a part
   * like any other afterwards, with an id of its own; whether the write happened holds for all of them.
   */
  readonly others?: readonly PartPlace[];
  /** The remote part that is updated or removed. */
  readonly targetId?: RemoteMessageId;
  readonly payload: JsonObject;
}

/** What `plan` answers: the writes in order, and what the platform can't show. */
export interface Plan {
  readonly steps: readonly PartStep[];
  readonly degradations: readonly Degradation[];
}

export interface ExecuteContext {
  readonly to: Destination;
  /**
   * Equal for every try of the same step, different for every other: 32 hexadecimal digits. Platforms that
   * deduplicate get it as nonce, platforms that can be searched get it as metadata.
   */
  readonly key: string;
  /**
   * Names this part to the bridge: letters, digits, `-` and `.`, at most 64 characters. A platform that reports on a message
   * by calling an address given with the create gets it in that address; the report then carries it
   * (`ReceiptReported.reference`), and so resolves a create whose answer was lost.
   */
  readonly reference?: string;
  /**
   * Aborted at shutdown or when the time for one write is over: 20 s, and with files a second more for each 256 KiB of
   * them. A client's own limit has to be longer than that where files are uploaded.
   */
  readonly signal: AbortSignal;
}

/** Proof that the platform accepted a step. */
export interface Receipt {
  /** The platform's id of the part; for `remove` and `signal` the id that was acted on, if any. */
  readonly remoteId?: RemoteMessageId;
  /** The ids of the step's `others`, in their order. */
  readonly otherIds?: readonly RemoteMessageId[];
  /** The chat in which it is, of a write that went to an address (see `writesToAddress`). */
  readonly chatId?: RemoteChatId;
  /** The thread that holds the part, where that is not `ExecuteContext.to.threadId`; null: the chat itself. */
  readonly threadId?: RemoteThreadId | null;
  /** Degradations that showed only while writing, such as a parse error answered by sending plain text. */
  readonly degradations?: readonly Degradation[];
  /** What the answer said of the platform's limits. */
  readonly rates?: readonly RateReading[];
}

/** What `lookup` found out about a write whose answer was lost. */
export type LookupResult =
  | {
      readonly outcome: 'found';
      readonly remoteId: RemoteMessageId;
      /** The ids of the step's `others`, in their order. */
      readonly otherIds?: readonly RemoteMessageId[];
      /** As in `Receipt`. */
      readonly threadId?: RemoteThreadId | null;
    }
  | {
      /** The message is not there at this moment. */
      readonly outcome: 'absent';
      /**
       * Why the create may be made again. `settled`: the platform documents how long a request can take effect after its
       * connection was closed, and that time has passed since `LookupQuery.closedAt`. `recognised`: the platform answers
       * another create with the same key with the message of the first, however late the first takes effect. Absent: the
       * request may still be in progress, so the bridge asks again later and does not send.
       */
      readonly resend?: 'settled' | 'recognised';
    }
  | {
      readonly outcome: 'undecidable';
      /** The platform may be able to tell later and is asked again after this time. Absent: it will never be able to. */
      readonly askAgainAfterMs?: number;
    };

export interface LookupQuery {
  readonly to: Destination;
  /** The `ExecuteContext.key` of the lost write. */
  readonly key: string;
  readonly step: PartStep;
  /** ISO 8601 UTC: the first try with an unknown outcome was started not before this. */
  readonly startedAt: string;
  /** The same of its latest try, which may be much later. Absent: there was one. */
  readonly lastStartedAt?: string;
  /**
   * When the bridge closed the connection that carried the latest try. The platform may have read the request before, and
   * may still be working on it. Absent: not known, as after a crash.
   */
  readonly closedAt?: string;
  /** Messages of this chat that are known to be other writes. They are never the answer. */
  readonly knownIds?: readonly RemoteMessageId[];
}
