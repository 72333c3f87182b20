import type { Log } from '../common/log.js';
import { contentFromMarkdown } from '../formatting/markdown.js';
import { FairWork } from '../shares/fair-work.js';
import type { ClaimedPush, NotificationStore, PushWork } from './ports.js';
import type { PushOutcome, PushPayload, PushSender } from './sender.js';

/** Number of pushes per claim. */
const BATCH = 20;
/** Longer than the timeout of a request. */
const LEASE_SECONDS = 60;
/** Maximum number of concurrent runs in this process. */
const RUNS_AT_ONCE = 16;
/** Maximum number of waiting runs. The sweeper finds other due pushes. */
const MAX_WAITING = 1_000;
/** Waits after transient failures. A push is dropped an hour after its message. */
const RETRY_SECONDS = [5, 30, 120, 600, 1_800];
const MAX_WAIT_SECONDS = 3_600;
const STOP_GRACE_MS = 0;
/** Keeps an encrypted push below its size limit in any alphabet. */
const MAX_BODY_CHARACTERS = 140;

/**
 * Sends pushes for messages and calls to browsers. Rows define the work: a call for a workspace without due pushes has no effect.
 */
export class SendPushes {
  readonly #work: FairWork;
  #reminders = 0;

  constructor(
    private readonly work: PushWork,
    private readonly store: NotificationStore,
    private readonly sender: PushSender,
    private readonly log: Log,
  ) {
    const shares = { capacity: RUNS_AT_ONCE, maxWaiting: MAX_WAITING };
    this.#work = new FairWork(shares, (_, err) => this.log.error({ err }, 'push.run_failed'));
  }

  /** Each call starts a separate run, so that a push service that hangs does not delay later messages. */
  ask(workspaceId: string): void {
    this.#reminders += 1;
    this.#work.ask(workspaceId, String(this.#reminders), (stopping) => this.run(workspaceId, stopping));
  }

  /** Accepts no more work. Resolves when the runs in progress have ended. */
  stop(): Promise<void> {
    return this.#work.stop(STOP_GRACE_MS);
  }

  async run(workspaceId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const { found, pushes } = await this.work.claim(workspaceId, BATCH, LEASE_SECONDS);
      await Promise.all(pushes.map((push) => this.#push(push)));
      if (found < BATCH) return;
    }
  }

  async #push(push: ClaimedPush): Promise<void> {
    const shown = { tag: push.tag, title: push.name, path: `/dashboard/inbox/${push.conversation_number}` };
    const outcome = await this.#send(push, shown);
    await this.#settle(push, outcome);
  }

  #send(push: ClaimedPush, shown: Pick<PushPayload, 'tag' | 'title' | 'path'>): Promise<PushOutcome> {
    const { call, message_id } = push;
    if (call === null) return this.sender.send(push, { ...shown, id: message_id ?? '', body: bodyOf(push) });
    const { id, type, is_missed, seconds } = call;
    const payload = { ...shown, id: `${id}${is_missed ? ':missed' : ''}`, body: null };
    // A push that arrives after the call has stopped ringing is useless.
    return this.sender.send(
      push,
      { ...payload, call: { id, type, is_missed } },
      is_missed ? undefined : seconds,
    );
  }

  async #settle(push: ClaimedPush, outcome: PushOutcome): Promise<void> {
    const about = { session_id: push.session_id, host: new URL(push.endpoint).host, try: push.tries + 1 };
    if (outcome.result === 'gone') {
      this.log.info(about, 'push.subscription_gone');
      return this.store.unsubscribe(push.session_id, push.endpoint);
    }
    if (outcome.result === 'later') {
      const seconds = RETRY_SECONDS[push.tries];
      const asked = Math.ceil((outcome.waitMs ?? 0) / 1_000);
      if (seconds !== undefined && asked <= MAX_WAIT_SECONDS)
        return this.work.postpone(push, Math.max(seconds, asked));
    }
    if ('status' in outcome) this.log.warn({ ...about, status: outcome.status }, 'push.refused');
    await this.work.end(push);
  }
}

/** The beginning of the message, without Markdown. */
function bodyOf({ text, content_type: type }: ClaimedPush): string | null {
  if (text === null) return null;
  const said = type === 'markdown' ? contentFromMarkdown(text).text : text;
  return [...said].slice(0, MAX_BODY_CHARACTERS).join('');
}
