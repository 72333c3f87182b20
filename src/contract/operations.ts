import type { Content } from './content.js';
import type { Degradation } from './degradations.js';
import type { RemoteChatId, RemoteMessageId, RemoteThreadId } from './ids.js';
import type { JsonObject } from './json.js';
import type { RateReading } from './rates.js';

/** The destination of a write. */
export interface Destination {
  readonly chatId: RemoteChatId;
  /**
   * The thread of the link. For a link to a whole chat: the thread that contains the message, or the message or thread root
   * that it replies to.
   */
  readonly threadId?: RemoteThreadId;
  /** The link is to the whole chat: a new message that cannot be written to the thread is written to the chat itself. */
  readonly mayLeaveThread?: true;
}

/** The displayed author of a relayed message. Only passed to adapters that declare `persona_override: native`. */
export interface Persona {
  readonly displayName: string;
  readonly avatarUrl?: string;
}

/** A part that exists on the platform. `kind` is the `PartStep.kind` with which it was created. */
export interface RemotePart {
  readonly index: number;
  readonly kind: PartKind;
  readonly id: RemoteMessageId;
}

/** A button below a message. A press is reported in `MessageReceived.press`. */
export interface Button {
  readonly label: string;
  /** Identifies the action of the button. It is not a secret, and a person can send any other value. */
  readonly value: string;
}

export interface SendOperation {
  readonly type: 'send';
  readonly to: Destination;
  readonly content: Content;
  /** The first remote part of the message that is replied to, if it exists in this chat. */
  readonly replyToId?: RemoteMessageId;
  /**
   * The first remote part of the root of the message's thread, if it exists in this chat and the platform declares
   * `thread: native`. A message that cannot be written to the thread gets the degradation `thread`.
   */
  readonly threadRootId?: RemoteMessageId;
  readonly persona?: Persona;
  /** The message was written by a program. Automatic replies must not reply to it. */
  readonly automatic?: boolean;
  /**
   * Buttons in one row below the last part, which is a text. Only passed to adapters whose definition has `buttons`, and
   * within those limits. An edit removes them.
   */
  readonly buttons?: readonly Button[];
}

/** Changes the remote parts so that they show `content`. Parts may be updated, added or removed. */
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

/** The position of a part in its message, and its kind. */
export interface PartPlace {
  /**
   * The position among the parts of the message, from 0. It permanently identifies the part: `plan` assigns the same
   * positions to the same content, an edit uses the positions in `parts`, and no two parts share a position.
   */
  readonly index: number;
  readonly kind: PartKind;
}

export const stepActions = ['create', 'update', 'remove', 'signal'] as const;
export type StepAction = (typeof stepActions)[number];

/**
 * One remote write. `payload` is the adapter's rendering of it and is opaque to the bridge. It must be JSON, because
 * previews show steps.
 */
export interface PartStep extends PartPlace {
  /** A `signal` is a reaction or a typing indicator. It creates no part, so its `index` (0) and `kind` (`text`) mean nothing. */
  readonly action: StepAction;
  /**
   * For `create`: parts that the same write creates in addition to the first, such as the other files of an album. Each has
   * its own id and is a normal part afterwards. The outcome of the write applies to all of them.
   */
  readonly others?: readonly PartPlace[];
  /** The remote part that is updated or removed. */
  readonly targetId?: RemoteMessageId;
  readonly payload: JsonObject;
}

/** The result of `plan`: the writes in order, and what the platform cannot show. */
export interface Plan {
  readonly steps: readonly PartStep[];
  readonly degradations: readonly Degradation[];
}

export interface ExecuteContext {
  readonly to: Destination;
  /**
   * Identifies the step: equal for every attempt of the same step, different for every other step. 32 hexadecimal digits.
   * Pass it to the platform as a nonce if the platform deduplicates writes, or as metadata if messages can be searched.
   */
  readonly key: string;
  /**
   * Identifies this part in receipts: letters, digits, `-` and `.`, at most 64 characters. If the platform reports the status
   * of a message to a URL that is passed with the create, add it to that URL. The receipt then contains it
   * (`ReceiptReported.reference`) and resolves a create whose response was lost.
   */
  readonly reference?: string;
  /**
   * Aborted at shutdown and after the time limit of one write: 20 s, plus one second for each 256 KiB of files. A timeout of
   * the platform's client must be longer than that for uploads.
   */
  readonly signal: AbortSignal;
}

/** The response of the platform to a step that it accepted. */
export interface Receipt {
  /** The id of the part on the platform. For `remove` and `signal`, the id of the target, if any. */
  readonly remoteId?: RemoteMessageId;
  /** The ids of the `others` of the step, in the same order. */
  readonly otherIds?: readonly RemoteMessageId[];
  /** The chat of a write to an address (see `writesToAddress`). */
  readonly chatId?: RemoteChatId;
  /** The thread that contains the part, if it is not `ExecuteContext.to.threadId`. Null: the chat itself. */
  readonly threadId?: RemoteThreadId | null;
  /** Degradations that occurred during the write, such as plain text after a parse error of the platform. */
  readonly degradations?: readonly Degradation[];
  /** The rate limits that the response reports. */
  readonly rates?: readonly RateReading[];
}

/** The result of `lookup` for a write whose response was lost. */
export type LookupResult =
  | {
      readonly outcome: 'found';
      readonly remoteId: RemoteMessageId;
      /** The ids of the `others` of the step, in the same order. */
      readonly otherIds?: readonly RemoteMessageId[];
      /** As in `Receipt`. */
      readonly threadId?: RemoteThreadId | null;
    }
  | {
      /** The message is not there at this moment. */
      readonly outcome: 'absent';
      /**
       * Why the create may be repeated. `settled`: the platform documents how long a request can take effect after its
       * connection was closed, and this time has passed since `LookupQuery.closedAt`. `recognised`: the platform returns
       * the message of the first create for another create with the same key, however late the first one takes effect.
       * Absent: the request may still be in progress, so the bridge does not send, and looks up the message again later.
       */
      readonly resend?: 'settled' | 'recognised';
    }
  | {
      readonly outcome: 'undecidable';
      /** The platform may know the outcome later and is asked again after this time. Absent: it will never know it. */
      readonly askAgainAfterMs?: number;
    };

export interface LookupQuery {
  readonly to: Destination;
  /** The `ExecuteContext.key` of the lost write. */
  readonly key: string;
  readonly step: PartStep;
  /** ISO 8601 in UTC. The first attempt with an unknown outcome began at this time or later. */
  readonly startedAt: string;
  /** The same for the latest attempt, which may be much later. Absent: there was only one attempt. */
  readonly lastStartedAt?: string;
  /**
   * The time at which the bridge closed the connection of the latest attempt. The platform may have read the request before
   * and may still be processing it. Absent: unknown, for example after a crash.
   */
  readonly closedAt?: string;
  /** Messages of this chat that are known to be other writes. They are never the lost message. */
  readonly knownIds?: readonly RemoteMessageId[];
}
