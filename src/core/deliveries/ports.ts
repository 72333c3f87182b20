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

/** The new location of a chat. `renumbered`: its messages have other ids there. */
export interface MovedChat {
  readonly toChatId: RemoteChatId;
  readonly renumbered?: boolean;
}

export interface DeliveryStore {
  /**
   * Leases up to `maxLanes` lanes of a connection with due work and opens the attempts of the first `atOnce` of them, in
   * one transaction. The other sends are leased ahead. `urgent`: only messages that a person waits for, not those of
   * broadcasts.
   */
  claim(
    connectionId: string,
    maxLanes: number,
    options?: { readonly urgent?: boolean; readonly atOnce?: number },
  ): Promise<readonly DeliveryTask[]>;
  /**
   * Opens the attempts of sends of one connection that were leased ahead, except in lanes that were taken over. Returns
   * attempt ids by delivery id.
   */
  openAttempts(tasks: readonly DeliveryTask[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Closes attempts and frees their lanes, in one transaction. Results with an old fence change nothing. Resolves with
   * the links whose lanes were freed and have more work.
   */
  settle(results: readonly TaskResult[]): Promise<readonly string[]>;
  /**
   * Returns those sends that must not begin any more, because they were stopped, canceled, deleted or refused since
   * they were leased.
   */
  withheld(deliveryIds: readonly string[]): Promise<readonly string[]>;
  /** Records parts of an unfinished delivery and renews its lease. Resolves with false if the lease was lost. */
  progress(task: DeliveryTask, parts: readonly KnownPart[]): Promise<boolean>;
  /** Frees the lanes of dead workers and expires deliveries. Resolves with the connections that have work. */
  sweep(): Promise<readonly string[]>;
  /** Expires due deliveries. Resolves with the milliseconds until the next one expires, if that is within a minute. */
  expire(): Promise<number | undefined>;
  /** Frees every lane. Only valid if no other process uses the database. */
  releaseAllLanes(): Promise<void>;
  /** Records the chat that was opened for an address. */
  assignChatId(linkId: string, chatId: string): Promise<void>;
  moveChat(connectionId: string, from: string, to: MovedChat): Promise<void>;
  markLinkBroken(linkId: string): Promise<void>;
  /** Records that the recipient of a direct chat has blocked the account or has unsubscribed on the platform. */
  suppressRecipient(linkId: string, reason: 'blocked_by_recipient' | 'opted_out'): Promise<void>;
  /** Stores a wait of the whole account, so that a restarted process respects it. Does nothing for an older generation. */
  pauseConnection(connectionId: string, until: Date, generation?: number): Promise<void>;
}

/**
 * Records writes right before they begin, in storage that outlives the process. Its successor can then distinguish
 * attempts that were only opened from those that may have reached the platform.
 */
export interface WriteJournal {
  /** Throws if the write could not be recorded; then it must not begin. */
  begin(attemptId: string, part: number): void;
  /** Called when the result of the attempt is recorded. */
  end(attemptId: string): void;
}

/** A worker without a journal. Every open attempt may have reached the platform. */
export const noJournal: WriteJournal = { begin: () => undefined, end: () => undefined };

/** A connection that can send now. */
export interface SendingConnection {
  /** Changes with the credentials or settings. Tasks that were leased for one generation must not be sent by another. */
  readonly generation: number;
  readonly workspaceId: string;
  readonly platform: string;
  readonly adapter: Adapter;
  readonly capabilities: Capabilities;
  /** Absent if messages of the platform have no buttons. */
  readonly buttons?: ButtonRules | undefined;
  readonly uncertainPolicy: UncertainPolicy;
  /** Null if the bridge does not limit the rate. */
  readonly account: AccountRate | null;
  /** The rate limits that apply to a write. */
  rate(step: PartStep, to: Destination): WriteRate;
  readonly pausedUntil: Date | null;
}

/** The live connections of this process. */
export interface SendingConnections {
  find(connectionId: string): SendingConnection | undefined;
  /** Reports that the platform refused the credentials or the setup of this generation while sending. */
  refused(connectionId: string, cause: unknown, generation: number): void;
  /** Reports that the platform asked the account of this generation to wait. */
  limited(connectionId: string, until: Date, generation: number): void;
}

/** Adds reminders to the queue through the outbox. */
export interface WakeUps {
  wakeConnection(connectionId: string, at?: Date): Promise<void>;
}
