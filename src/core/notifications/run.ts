import type { Log } from '../common/log.js';
import { contentFromMarkdown } from '../formatting/markdown.js';
import { FairWork } from '../shares/fair-work.js';
import type { ClaimedPush, NotificationStore, PushWork } from './ports.js';
import type { PushOutcome, PushPayload, PushSender } from './sender.js';

/** Pushes that a reminder takes at once. */
const BATCH = 20;
/** Longer than a request may take. */
const LEASE_SECONDS = 60;
/** Reminders at work in this process at once. */
const RUNS_AT_ONCE = 16;
/** Reminders that are kept here; the sweeper finds what is beyond them. */
const MAX_WAITING = 1_000;
/** Waits after failures that may pass. A push is dropped an hour after its message. */
const RETRY_SECONDS = [5, 30, 120, 600, 1_800];
const MAX_WAIT_SECONDS = 3_600;
const STOP_GRACE_MS = 0;
/** So that an encrypted push stays below its limit, whatever the alphabet. */
const MAX_BODY_CHARACTERS = 140;

/** Pushes messages and calls to browsers. Driven by rows: a call for a workspace without due pushes does nothing. */
export class SendPushes {
  readonly #work: FairWork;
  #reminders = 0;

  constructor(
    private readonly work: PushWork,
    private readonly store: NotificationStore,
    private readonly sender: PushSender,
    private readonly log: Log,
  ) {
    const shares = { capacity: RUNS_AT_ONCE, mostWaiting: MAX_WAITING };
    this.#work = new FairWork(shares, (_, err) => this.log.error({ err }, 'push.broke'));
  }

  /** Each reminder works by itself: one whose push service hangs does not hold up later messages. */
  ask(workspaceId: string): void {
    this.#reminders += 1;
    this.#work.ask(workspaceId, String(this.#reminders), (stopping) => this.run(workspaceId, stopping));
  }

  /** Takes nothing more; resolves when what is under way has ended. */
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
    // A push that arrives after the ringing would ring for nothing.
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

/** The beginning of what the message says, without the marks of its format. */
function bodyOf({ text, content_type: type }: ClaimedPush): string | null {
  if (text === null) return null;
  const said = type === 'markdown' ? contentFromMarkdown(text).text : text;
  return [...said].slice(0, MAX_BODY_CHARACTERS).join('');
}
