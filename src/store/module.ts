import { ContainerModule } from 'inversify';
import type { Pool } from 'pg';
import type { SecretBox } from '../core/ports/secret-box.js';
import type { Senders } from '../core/ports/senders.js';
import * as ports from '../core/ports/tokens.js';
import { PostgresApiKeyManagement } from './api-key-management.js';
import { PostgresApiKeys } from './api-keys.js';
import { PostgresBroadcasts } from './broadcasts.js';
import { PostgresCallSockets } from './call-sockets.js';
import { PostgresCalls } from './calls.js';
import { PostgresConnectionRuntime } from './connection-runtime.js';
import { PostgresConnections } from './connections.js';
import { PostgresConversations } from './conversations.js';
import { PostgresDeliveries } from './deliveries.js';
import { PostgresEventLog } from './event-log.js';
import { PostgresEvents } from './events.js';
import { PostgresIdempotency } from './idempotency.js';
import { PostgresInbound } from './inbound.js';
import { PostgresInsights } from './insights.js';
import type { LifeSign } from './life-sign.js';
import { PostgresLinks } from './links.js';
import { PostgresLocations, PostgresTracking } from './locations.js';
import { PostgresMedia } from './media.js';
import { PostgresMembers } from './members.js';
import { PostgresMessageActions } from './message-actions.js';
import { PostgresMessages } from './messages.js';
import { PostgresOAuthApps } from './oauth-apps.js';
import { PostgresOAuthClients } from './oauth-clients.js';
import { PostgresOAuthGrants } from './oauth-grants.js';
import { PostgresOAuthTokens } from './oauth-tokens.js';
import { PostgresStreamLeases } from './open-streams.js';
import { PostgresOutbox } from './outbox.js';
import { PostgresParticipants } from './participants.js';
import { PostgresRateBuckets } from './rate-buckets.js';
import { PostgresRateWindows } from './rate-windows.js';
import { PostgresBroadcastWork } from './recipients.js';
import { PostgresSegments } from './segments.js';
import { PostgresSessions, PostgresSignInTries } from './sessions.js';
import { PostgresReactionCopies, PostgresTypingSigns } from './signals.js';
import { PostgresTemplates } from './templates.js';
import { PostgresTranslations } from './translations.js';
import { PostgresTvGuide, PostgresTvStore } from './tv.js';
import { PostgresPresence, PostgresUsers } from './users.js';
import { PostgresWakeUps } from './wake-ups.js';
import { PostgresWebhookDeliveries } from './webhook-deliveries.js';
import { PostgresWebhookLists } from './webhook-lists.js';
import { PostgresWebhookQueue } from './webhook-queue.js';
import { PostgresWebhooks } from './webhooks.js';
import { PostgresWorkspaces } from './workspaces.js';
import type { FileWriteJournal } from './write-journal.js';

/** Everything that PostgreSQL does for the core. */
export function storeModule(
  pool: Pool,
  secrets: SecretBox,
  senders: Senders,
  lifeSign: LifeSign,
  journal: FileWriteJournal,
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ports.SecretBox).toConstantValue(secrets);
    bind(ports.Senders).toConstantValue(senders);
    bind(ports.InboundStore).toConstantValue(new PostgresInbound(pool, senders));
    bind(ports.BroadcastWork).toConstantValue(new PostgresBroadcastWork(pool, senders));
    bind(ports.WriteJournal).toConstantValue(journal);
    bind(ports.DeliveryStore).toConstantValue(new PostgresDeliveries(pool, () => journal.read()));
    bindMessages(bind, pool, secrets);
    bind(ports.IdempotencyStore).toConstantValue(new PostgresIdempotency(pool, secrets, lifeSign));
    bindAccess(bind, pool);
    bindEvents(bind, pool, secrets);
    bindSurroundings(bind, pool);
  });
}

type Bind = Parameters<ConstructorParameters<typeof ContainerModule>[0]>[0]['bind'];

/** Who may act, and with what. */
function bindAccess(bind: Bind, pool: Pool): void {
  bind(ports.ApiKeyLookup).toConstantValue(new PostgresApiKeys(pool));
  bind(ports.ApiKeyStore).toConstantValue(new PostgresApiKeyManagement(pool));
  const members = new PostgresMembers(pool);
  bind(ports.InvitationStore).toConstantValue(members);
  bind(ports.MemberStore).toConstantValue(members);
  const tokens = new PostgresOAuthTokens(pool);
  bind(ports.AccessTokenLookup).toConstantValue(tokens);
  bind(ports.OAuthClients).toConstantValue(new PostgresOAuthClients(pool));
  bind(ports.OAuthGrants).toConstantValue(new PostgresOAuthGrants(pool));
  bind(ports.OAuthTokens).toConstantValue(tokens);
  bind(ports.OAuthAppStore).toConstantValue(new PostgresOAuthApps(pool));
  bind(ports.Presence).toConstantValue(new PostgresPresence(pool));
  bind(ports.RateWindows).toConstantValue(new PostgresRateWindows(pool));
  const sessions = new PostgresSessions(pool);
  bind(ports.SessionReader).toConstantValue(sessions);
  bind(ports.SessionStore).toConstantValue(sessions);
  bind(ports.SignInTries).toConstantValue(new PostgresSignInTries(pool));
  bind(ports.WorkspaceStore).toConstantValue(new PostgresWorkspaces(pool));
}

/** What tells of changes. */
function bindEvents(bind: Bind, pool: Pool, secrets: SecretBox): void {
  bind(ports.EventLog).toConstantValue(new PostgresEventLog(pool));
  bind(ports.EventReader).toConstantValue(new PostgresEvents(pool));
  bind(ports.Outbox).toConstantValue(new PostgresOutbox(pool));
  bind(ports.StreamLeases).toConstantValue(new PostgresStreamLeases(pool));
  bind(ports.WakeUps).toConstantValue(new PostgresWakeUps(pool));
  bind(ports.WebhookDeliveryStore).toConstantValue(new PostgresWebhookDeliveries(pool));
  bind(ports.WebhookLists).toConstantValue(new PostgresWebhookLists(pool));
  bind(ports.WebhookQueue).toConstantValue(new PostgresWebhookQueue(pool, secrets));
  bind(ports.WebhookStore).toConstantValue(new PostgresWebhooks(pool, secrets));
}

/** Messages, who exchanges them, and where they go. */
function bindMessages(bind: Bind, pool: Pool, secrets: SecretBox): void {
  bind(ports.BroadcastStore).toConstantValue(new PostgresBroadcasts(pool));
  bind(ports.CallStore).toConstantValue(new PostgresCalls(pool));
  bind(ports.CallSockets).toConstantValue(new PostgresCallSockets(pool));
  bind(ports.ConversationStore).toConstantValue(new PostgresConversations(pool));
  bind(ports.LinkStore).toConstantValue(new PostgresLinks(pool));
  bind(ports.ParticipantStore).toConstantValue(new PostgresParticipants(pool));
  bind(ports.UserStore).toConstantValue(new PostgresUsers(pool));
  bind(ports.ConnectionRuntime).toConstantValue(new PostgresConnectionRuntime(pool, secrets));
  bind(ports.ConnectionStore).toConstantValue(new PostgresConnections(pool, secrets));
  bind(ports.RateBuckets).toConstantValue(new PostgresRateBuckets(pool));
  bind(ports.MessageActions).toConstantValue(new PostgresMessageActions(pool));
  bind(ports.MediaStore).toConstantValue(new PostgresMedia(pool));
  bind(ports.MessageStore).toConstantValue(new PostgresMessages(pool));
  bind(ports.SegmentStore).toConstantValue(new PostgresSegments(pool));
  bind(ports.TemplateStore).toConstantValue(new PostgresTemplates(pool));
  bind(ports.ReactionCopies).toConstantValue(new PostgresReactionCopies(pool));
  bind(ports.TypingSigns).toConstantValue(new PostgresTypingSigns(pool));
}

/** What is around the messages: where people are, what is counted, other languages, television. */
function bindSurroundings(bind: Bind, pool: Pool): void {
  bind(ports.InsightStore).toConstantValue(new PostgresInsights(pool));
  bind(ports.LocationStore).toConstantValue(new PostgresLocations(pool));
  bind(ports.TrackingStore).toConstantValue(new PostgresTracking(pool));
  bind(ports.TranslationCache).toConstantValue(new PostgresTranslations(pool));
  bind(ports.TvGuide).toConstantValue(new PostgresTvGuide(pool));
  bind(ports.TvStore).toConstantValue(new PostgresTvStore(pool));
}
