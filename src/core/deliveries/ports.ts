import type {
  Adapter,
  ButtonRules,
  Capabilities,
  Destination,
  PartStep,
  RemoteChatId,
  WriteRate,
} from '../../contract/index.js';
import type { UncertainPolicy } from '../platforms/uncertain-policy.js';
import type { AccountRate } from '../rates/rates.js';
import type { DeliveryTask, KnownPart, TaskResult } from './task.js';

/** Where a chat is now; `renumbered`: its messages have other ids there. */
export interface MovedChat {
  readonly toChatId: RemoteChatId;
  readonly renumbered?: boolean;
}

export interface DeliveryStore {
  /**
   * Leases up to `most` lanes of a connection that have something due and opens the attempts of the first `atOnce` of
   * them, in one transaction; the other sends are leased ahead. `urgent`: only messages that a person waits for, not what goes to
   * many.
   */
  claim(
    connectionId: string,
    most: number,
    options?: { readonly urgent?: boolean; readonly atOnce?: number },
  ): Promise<readonly DeliveryTask[]>;
  /** Opens the attempts of sends of one connection that were leased ahead; none for a lane that was taken over. By delivery. */
  openAttempts(tasks: readonly DeliveryTask[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Closes attempts and frees their lanes, in one transaction. Results under an old fence change nothing. Resolves with the
   * links whose lanes were freed and hold more work.
   */
  settle(results: readonly TaskResult[]): Promise<readonly string[]>;
  /** Which of these sends must not begin any more: stopped, canceled, deleted or refused since they were leased. */
  withheld(deliveryIds: readonly string[]): Promise<readonly string[]>;
  /** Records parts of a delivery that has more to come and renews its lease. False when the lease was lost. */
  progress(task: DeliveryTask, parts: readonly KnownPart[]): Promise<boolean>;
  /** Frees what dead workers held, ends what time has ended; resolves with the connections that have work. */
  sweep(): Promise<readonly string[]>;
  /** Ends what time has ended; resolves with the milliseconds until the next one ends, if one does within a minute. */
  expire(): Promise<number | undefined>;
  /** Frees every lane: only for a process that is alone on its database. */
  releaseAllLanes(): Promise<void>;
  /** The chat of an address was opened on the platform. */
  openChat(linkId: string, chatId: string): Promise<void>;
  moveChat(connectionId: string, from: string, to: MovedChat): Promise<void>;
  breakLink(linkId: string): Promise<void>;
  /** The other person of a direct chat has blocked the account, or has unsubscribed on the platform. */
  suppressRecipient(linkId: string, reason: 'blocked_by_recipient' | 'opted_out'): Promise<void>;
  /** A wait of the whole account, kept so that a restart does not call before its end. Not kept for an older generation. */
  pauseConnection(connectionId: string, until: Date, generation?: number): Promise<void>;
}

/**
 * Notes writes right before they begin, where it outlives the process. A successor then tells an attempt that was only opened
 * from one that may have reached the platform.
 */
export interface WriteJournal {
  /** Raises when the write must not begin, since it could not be noted. */
  begin(attemptId: string, part: number): void;
  /** The result of the attempt is recorded. */
  end(attemptId: string): void;
}

/** Without one, every open attempt may have reached the platform. */
export const noJournal: WriteJournal = { begin: () => undefined, end: () => undefined };

/** A connection that can be used to send right now. */
export interface SendingConnection {
  /** Another one after a change of credentials or settings: what was leased for this one may not go out by it any more. */
  readonly generation: number;
  readonly workspaceId: string;
  readonly platform: string;
  readonly adapter: Adapter;
  readonly capabilities: Capabilities;
  /** Absent: its messages have no buttons. */
  readonly buttons?: ButtonRules | undefined;
  readonly uncertainPolicy: UncertainPolicy;
  /** Null: not paced by us. */
  readonly account: AccountRate | null;
  /** What a write counts against. */
  rate(step: PartStep, to: Destination): WriteRate;
  readonly pausedUntil: Date | null;
}

/** The live connections of this process. */
export interface SendingConnections {
  find(connectionId: string): SendingConnection | undefined;
  /** The platform refused the credentials or the set-up of this generation while sending. */
  refused(connectionId: string, cause: unknown, generation: number): void;
  /** The platform asked the account of this generation to wait. */
  limited(connectionId: string, until: Date, generation: number): void;
}

/** Puts a reminder on the queue, through the outbox. */
export interface WakeUps {
  wakeConnection(connectionId: string, at?: Date): Promise<void>;
}
