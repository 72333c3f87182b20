import { clock } from '../../contract/clock.js';
import { type ReactOperation, remoteChatId, remoteMessageId, remoteThreadId } from '../../contract/index.js';
import type { Log } from '../common/log.js';
import { dispose } from '../deliveries/disposition.js';
import type { PlatformErrorEffects } from '../deliveries/platform-error-effects.js';
import type { SendingConnection, SendingConnections } from '../deliveries/ports.js';
import { later } from '../deliveries/task-result.js';
import type { Rates } from '../rates/rates.js';
import { perform } from './perform.js';
import type { ReactionCopies, ReactionOutcome, ReactionTask } from './ports.js';
import type { SignalShares } from './signal-shares.js';

const AT_A_TIME = 10;
/** Minimum wait before a connection that needs an operator is tried again. */
const UNUSABLE_MS = 60_000;

/** Updates the reactions that chats show to the wanted state. */
export class ShowReactions {
  constructor(
    private readonly copies: ReactionCopies,
    private readonly effects: PlatformErrorEffects,
    private readonly connections: SendingConnections,
    private readonly rates: Rates,
    private readonly log: Log,
    private readonly shares: SignalShares,
  ) {}

  /** Resolves when nothing is due on the connection, or it can't be used, or its workspace has too many calls in progress. */
  async run(connectionId: string, signal: AbortSignal): Promise<void> {
    const workspaceId = this.connections.find(connectionId)?.workspaceId;
    if (workspaceId !== undefined)
      await this.shares.try(workspaceId, () => this.#showAll(connectionId, signal));
  }

  async #showAll(connectionId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const connection = this.connections.find(connectionId);
      if (connection === undefined) return;
      const single = connection.capabilities.react?.per_user === 1;
      // If one reaction replaces another, each result is recorded before the next claim.
      const tasks = await this.copies.claim(connectionId, single ? 1 : AT_A_TIME);
      if (tasks.length === 0) return;
      for (const task of tasks) {
        await this.copies.settle(task, await this.#show(task, connectionId, connection, signal), single);
      }
    }
  }

  async #show(
    task: ReactionTask,
    connectionId: string,
    connection: SendingConnection,
    signal: AbortSignal,
  ): Promise<ReactionOutcome> {
    const emoji = formOf(task.emoji, connection.capabilities.react?.allowed ?? null);
    if (task.wanted && emoji === undefined) return { outcome: 'never' };
    const operation = operationOf({ ...task, emoji: emoji ?? task.emoji });
    try {
      return {
        outcome: (await perform(
          operation,
          { connectionId, connection, rates: this.rates, effects: this.effects },
          signal,
        ))
          ? 'done'
          : 'never',
      };
    } catch (cause) {
      const next = outcomeOf(task, cause);
      this.log.info(
        { connection_id: connectionId, message_id: task.message_id, outcome: next.outcome },
        'reaction.failed',
      );
      return next;
    }
  }
}

/** The emoji in the platform's form, which may differ in variation selectors. Undefined if the platform does not have it. */
function formOf(emoji: string, allowed: readonly string[] | null): string | undefined {
  return allowed === null ? emoji : allowed.find((known) => bare(known) === bare(emoji));
}

const bare = (emoji: string) => emoji.replaceAll('\uFE0F', '');

/** A repeated reaction has no further effect, so a lost response needs no check. */
function outcomeOf(task: ReactionTask, cause: unknown): ReactionOutcome {
  const circumstances = {
    attemptCount: task.tries,
    policy: 'hold',
    repeatable: true,
    random: Math.random(),
  } as const;
  const next = dispose(cause, circumstances);
  if (next.action !== 'retry' && next.action !== 'wait') return { outcome: 'never' };
  const at = later(clock.date(), next.waitMs ?? UNUSABLE_MS);
  return { outcome: 'later', at, counted: next.action === 'retry' };
}

function operationOf(task: ReactionTask): ReactOperation {
  const thread = task.external_thread_id;
  return {
    type: 'react',
    to: {
      chatId: remoteChatId(task.external_chat_id),
      ...(thread === null ? {} : { threadId: remoteThreadId(thread) }),
    },
    messageId: remoteMessageId(task.external_id),
    emoji: task.emoji,
    change: task.wanted ? 'added' : 'removed',
  };
}
