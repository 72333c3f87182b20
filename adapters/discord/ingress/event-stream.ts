import type { GatewayDispatchPayload, GatewayReadyDispatchData } from 'discord-api-types/v10';
import { type AdapterHost, clock, PlatformError, UNKNOWN_TIME } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { Backfill } from './backfill.js';
import { gapEnvelope, laneOf, sentAt, unfetchedEnvelope } from './dispatch.js';
import { GatewayCommitter } from './gateway-committer.js';
import { Intake } from './intake.js';
import { respondToInteraction } from './interaction-response.js';
import { hashOf, type Session } from './session.js';

/** Number of attempts to fetch a gap in one channel. */
const REPAIR_TRIES = 8;

type Work = () => Promise<void>;

const inTurn = (first: Work, second: Work | undefined): Work =>
  second === undefined ? first : () => first().then(second);

/** Stores gateway events in order across sessions, and fetches messages that were missed between two sessions. */
export class EventStream {
  readonly journal: GatewayCommitter;
  readonly #rest: DiscordRest;
  readonly #host: AdapterHost;
  readonly #token: string;
  readonly #intake: Intake;
  readonly #repair: Backfill;
  readonly #signal: AbortSignal;
  /** The lost session before the next one. */
  #lost: Session | undefined;
  /** The record of the session before this process is damaged. Nothing says which messages were missed. */
  #isDamaged = false;
  /** Servers of this session's login that have not been announced yet. Absent if another process opened the session. */
  #awaited: Set<string> | undefined;

  constructor(
    rest: DiscordRest,
    token: string,
    host: AdapterHost,
    directory: Directory,
    signal: AbortSignal,
  ) {
    this.#rest = rest;
    this.#host = host;
    this.#token = token;
    this.#signal = signal;
    this.#intake = new Intake(host, directory);
    this.#repair = new Backfill(rest, host, this.#intake);
    this.journal = new GatewayCommitter(host);
  }

  /** A session belongs to its token. A resume with another token would look like an invalid token. */
  async load(): Promise<void> {
    this.#isDamaged = !(await this.journal.load());
    const { session } = this.journal;
    if (session !== undefined && session.tokenHash !== hashOf(this.#token))
      this.lose('The bot token has changed');
  }

  open(ready: GatewayReadyDispatchData): void {
    this.#awaited = new Set((ready.guilds ?? []).map(({ id }) => id));
    // A session without committed events is replayed from its READY.
    if (this.journal.session?.sessionId !== ready.session_id) this.#begin(this.#sessionOf(ready));
    this.#repairDirect(this.journal.session);
  }

  /** Reports a damaged record before the new session replaces it. */
  #begin(session: Session): void {
    this.journal.open(session);
    if (!this.#isDamaged) return;
    this.#isDamaged = false;
    const { sessionId } = session;
    const reason = 'The record of the last session is damaged, so missed messages are not fetched.';
    const envelope = unfetchedEnvelope(UNKNOWN_TIME, sessionId, session, reason);
    this.journal.push({ sessionId, sequence: 0, envelope });
  }

  #sessionOf(ready: GatewayReadyDispatchData): Session {
    const lost = this.#lost?.userId === ready.user.id ? this.#lost : undefined;
    this.#lost = undefined;
    return {
      sessionId: ready.session_id,
      resumeUrl: ready.resume_gateway_url ?? '',
      // READY itself arrives as the first dispatch and moves the sequence.
      sequence: 0,
      tokenHash: hashOf(this.#token),
      userId: ready.user.id,
      // For bots that were created with their application, both ids are equal.
      applicationId: ready.application?.id ?? ready.user.id,
      at: clock.date().toISOString(),
      ...(lost === undefined ? {} : { missedSince: lost.missedSince ?? lost.at }),
    };
  }

  /** Runs before any event of the session. READY itself is passed on later, after the first servers. */
  #repairDirect(session: Session | undefined): void {
    const since = session?.missedSince;
    if (session === undefined || since === undefined) return;
    const work = this.#withRetryLimit('direct', since, session, async () => {
      await this.#repair.directChats(since, session, this.#signal);
      if (this.#awaited?.size === 0) this.journal.repaired();
    });
    this.journal.push({ sessionId: session.sessionId, sequence: 0, work });
  }

  /** The session cannot be resumed. Events after its last one have to be fetched. */
  lose(reason: string): void {
    const { session } = this.journal;
    if (session === undefined) return;
    this.#lost = session;
    const { sessionId, sequence } = session;
    this.journal.forget();
    this.journal.push({ sessionId, sequence, envelope: gapEnvelope(session, reason) });
  }

  take(dispatch: GatewayDispatchPayload): void {
    const { session } = this.journal;
    if (session === undefined) return;
    const place = { sessionId: session.sessionId, sequence: dispatch.s, ...sentAt(dispatch) };
    const store = this.#intake.take(dispatch, session);
    const repair = this.#repairOf(dispatch, session);
    // Fetched messages precede all later events.
    if (repair !== undefined) this.journal.push({ ...place, work: inTurn(repair, store) });
    else if (store === undefined) this.journal.push(place);
    else this.journal.push({ ...place, lane: laneOf(dispatch), work: this.#storing(dispatch, store) });
  }

  #storing(dispatch: GatewayDispatchPayload, store: Work): Work {
    if (dispatch.t === 'INTERACTION_CREATE') return this.#answering(dispatch, store);
    return async () => {
      await this.#repair.notice(dispatch);
      await store();
    };
  }

  /** The first events of a session contain everything that is needed to fetch the gap before it. */
  #repairOf(dispatch: GatewayDispatchPayload, session: Session): Work | undefined {
    const { missedSince: since } = session;
    if (since === undefined) return undefined;
    const awaited = this.#awaited;
    if (dispatch.t === 'GUILD_CREATE') {
      return this.#withRetryLimit(dispatch.d.id, since, session, async () => {
        await this.#repair.server(dispatch.d, since, session, this.#signal);
        awaited?.delete(dispatch.d.id);
        if (awaited?.size === 0) this.journal.repaired();
      });
    }
    // Discord has now replayed all events that the other process did not commit.
    if (dispatch.t === 'RESUMED' && awaited === undefined) return async () => this.journal.repaired();
    return undefined;
  }

  /** New events wait for the backfill, so a fetch that Discord refuses repeatedly is abandoned. */
  #withRetryLimit(place: string, since: string, session: Session, repair: Work): Work {
    let tries = 0;
    return async () => {
      try {
        await repair();
      } catch (error) {
        tries += error instanceof PlatformError ? 1 : 0;
        if (tries < REPAIR_TRIES || this.#signal.aborted) throw error;
        this.#host.log.warn('discord.gap_not_fetched', { error });
        const reason = 'Discord refused to list the missed messages.';
        await this.#host.receive(unfetchedEnvelope(since, place, session, reason));
      }
    };
  }

  /** A person waits at most three seconds, so interactions overtake the queue. */
  #answering(dispatch: GatewayDispatchPayload, store: Work): Work {
    const answer = async () => {
      await store();
      await respondToInteraction(this.#rest, dispatch).catch((error: unknown) => {
        this.#host.log.info('discord.interaction_not_answered', { error });
      });
    };
    const first = answer().then(
      () => true,
      () => false,
    );
    return async () => {
      if (!(await first)) await answer();
    };
  }
}
