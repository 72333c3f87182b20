import { ContainerModule } from 'inversify';
import type { Pool } from 'pg';
import type { SecretBox } from '../core/common/secret-box.js';
import type { LocalDispatcher } from '../core/deliveries/dispatch/local-dispatcher.js';
import * as ports from '../core/modules/tokens.js';
import { PostgresApiKeyManagement } from './access/api-key-management.js';
import { PostgresApiKeys } from './access/api-keys.js';
import { PostgresAuditLog } from './access/audit-log.js';
import { PostgresMembers } from './access/members.js';
import { PostgresOAuthApps } from './access/oauth-apps.js';
import { PostgresOAuthClients } from './access/oauth-clients.js';
import { PostgresOAuthGrants } from './access/oauth-grants.js';
import { PostgresOAuthTokens } from './access/oauth-tokens.js';
import { PostgresRateWindows } from './access/rate-windows.js';
import { PostgresRequestLog } from './access/request-log.js';
import { PostgresSecondSteps } from './access/second-steps.js';
import { PostgresOwnSessions, PostgresSessions } from './access/sessions.js';
import { PostgresSignInTries } from './access/sign-in-tries.js';
import { PostgresAgentSessions } from './agents/agent-sessions.js';
import { PostgresChatApprovals } from './agents/chat-approvals.js';
import { PostgresProposals } from './agents/proposals.js';
import { PostgresInsights } from './analytics/insights.js';
import { PostgresBroadcasts } from './broadcasts/broadcasts.js';
import { PostgresBroadcastChanges } from './broadcasts/changes.js';
import { PostgresBroadcastWork } from './broadcasts/recipients.js';
import { PostgresRehearsals } from './broadcasts/rehearsals.js';
import { PostgresCallSockets } from './calls/call-sockets.js';
import { PostgresCalls } from './calls/calls.js';
import type { ProcessLiveness } from './connection/process-liveness.js';
import { PostgresConversations } from './conversations/conversations.js';
import { PostgresDrafts } from './conversations/drafts.js';
import { PostgresLinks } from './conversations/links.js';
import { PostgresParticipants } from './conversations/participants.js';
import { PostgresViewers } from './conversations/viewers.js';
import { PostgresDeliveries } from './deliveries/deliveries.js';
import { PostgresWakeUps } from './deliveries/wake-ups.js';
import type { FileWriteJournal } from './deliveries/write-journal.js';
import { PostgresEventLog } from './events/event-log.js';
import { PostgresEvents } from './events/events.js';
import { PostgresStreamLeases } from './events/open-streams.js';
import { PostgresOutbox } from './events/outbox.js';
import { PostgresLocations, PostgresTracking } from './extras/locations.js';
import { PostgresTranslations } from './extras/translations.js';
import { PostgresTvGuide, PostgresTvStore } from './extras/tv.js';
import { PostgresHome } from './home/home.js';
import { PostgresIdempotency } from './idempotency/idempotency.js';
import { PostgresInbound } from './inbound/inbound.js';
import { PostgresMedia } from './media/media.js';
import { PostgresMessageActions } from './messages/message-actions.js';
import { PostgresMessages } from './messages/messages.js';
import { PostgresNotifications } from './notifications/notifications.js';
import { PostgresPushKeys } from './notifications/push-keys.js';
import { PostgresContactImports } from './people/contact-imports.js';
import { PostgresPresence, PostgresUsers } from './people/users.js';
import { PostgresConnectionRuntime } from './platforms/connection-runtime.js';
import { PostgresConnections } from './platforms/connections.js';
import { PostgresRateBuckets } from './rates/rate-buckets.js';
import { PostgresSegments } from './segments/segments.js';
import { PostgresReactionCopies, PostgresTypingSigns } from './signals/signals.js';
import { PostgresTeams } from './teams/teams.js';
import { PostgresTemplates } from './templates/templates.js';
import { PostgresWebhookDeliveries } from './webhooks/deliveries.js';
import { PostgresWebhookLists } from './webhooks/lists.js';
import { PostgresWebhookQueue } from './webhooks/queue.js';
import { PostgresWebhooks } from './webhooks/webhooks.js';
import { PostgresRetention } from './workspaces/retention.js';
import { PostgresStaffChats } from './workspaces/staff-chats.js';
import { PostgresWorkspaces } from './workspaces/workspaces.js';

/** Binds the core's ports to their PostgreSQL implementations. */
export function storeModule(
  pool: Pool,
  secrets: SecretBox,
  dispatcher: LocalDispatcher,
  liveness: ProcessLiveness,
  journal: FileWriteJournal,
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ports.SecretBox).toConstantValue(secrets);
    bind(ports.LocalDispatcher).toConstantValue(dispatcher);
    bind(ports.InboundStore).toConstantValue(new PostgresInbound(pool, dispatcher));
    bind(ports.BroadcastWork).toConstantValue(new PostgresBroadcastWork(pool, dispatcher));
    bind(ports.WriteJournal).toConstantValue(journal);
    bind(ports.DeliveryStore).toConstantValue(new PostgresDeliveries(pool, () => journal.read()));
    bindMessages(bind, pool, secrets);
    bind(ports.IdempotencyStore).toConstantValue(new PostgresIdempotency(pool, secrets, liveness));
    bindAccess(bind, pool, secrets);
    bindEvents(bind, pool, secrets);
    bindSurroundings(bind, pool);
  });
}

type Bind = Parameters<ConstructorParameters<typeof ContainerModule>[0]>[0]['bind'];

/** Ports for access: API keys, members, tokens, sessions and workspaces. */
function bindAccess(bind: Bind, pool: Pool, secrets: SecretBox): void {
  bind(ports.ApiKeyLookup).toConstantValue(new PostgresApiKeys(pool));
  bind(ports.ApiKeyStore).toConstantValue(new PostgresApiKeyManagement(pool));
  const members = new PostgresMembers(pool);
  bind(ports.InvitationStore).toConstantValue(members);
  bind(ports.MemberStore).toConstantValue(members);
  bind(ports.TeamStore).toConstantValue(new PostgresTeams(pool));
  const tokens = new PostgresOAuthTokens(pool);
  bind(ports.AccessTokenLookup).toConstantValue(tokens);
  bind(ports.OAuthClients).toConstantValue(new PostgresOAuthClients(pool));
  bind(ports.OAuthGrants).toConstantValue(new PostgresOAuthGrants(pool));
  bind(ports.OAuthTokens).toConstantValue(tokens);
  bind(ports.OAuthAppStore).toConstantValue(new PostgresOAuthApps(pool));
  bind(ports.Presence).toConstantValue(new PostgresPresence(pool));
  bind(ports.RateWindows).toConstantValue(new PostgresRateWindows(pool));
  bind(ports.RequestLogStore).toConstantValue(new PostgresRequestLog(pool));
  const sessions = new PostgresSessions(pool);
  bind(ports.SessionReader).toConstantValue(sessions);
  bind(ports.SessionStore).toConstantValue(sessions);
  bind(ports.ProviderSessionStore).toConstantValue(sessions);
  bind(ports.OwnSessionStore).toConstantValue(new PostgresOwnSessions(pool));
  bind(ports.AuditLog).toConstantValue(new PostgresAuditLog(pool));
  bind(ports.SecondStepStore).toConstantValue(new PostgresSecondSteps(pool, secrets));
  const tries = new PostgresSignInTries(pool);
  bind(ports.SignInTries).toConstantValue(tries);
  bind(ports.CodeTries).toConstantValue(tries);
  bind(ports.WorkspaceStore).toConstantValue(new PostgresWorkspaces(pool));
  const staffChats = new PostgresStaffChats(pool);
  bind(ports.StaffChatStore).toConstantValue(staffChats);
  bind(ports.AlertWork).toConstantValue(staffChats);
  bind(ports.RetentionStore).toConstantValue(new PostgresRetention(pool));
}

/** Ports for events and webhooks. */
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

/** Ports for messages, their participants and their connections. */
function bindMessages(bind: Bind, pool: Pool, secrets: SecretBox): void {
  bind(ports.BroadcastStore).toConstantValue(new PostgresBroadcasts(pool));
  bind(ports.RehearsalStore).toConstantValue(new PostgresRehearsals(pool));
  bind(ports.CallStore).toConstantValue(new PostgresCalls(pool));
  bind(ports.CallSockets).toConstantValue(new PostgresCallSockets(pool));
  bind(ports.ConversationStore).toConstantValue(new PostgresConversations(pool));
  bind(ports.LinkStore).toConstantValue(new PostgresLinks(pool));
  bind(ports.DraftStore).toConstantValue(new PostgresDrafts(pool));
  bind(ports.AgentSessionStore).toConstantValue(new PostgresAgentSessions(pool));
  const approvals = new PostgresChatApprovals(pool);
  bind(ports.ChatIdentityStore).toConstantValue(approvals);
  bind(ports.ApprovalWork).toConstantValue(approvals);
  bind(ports.ProposalStore).toConstantValue(new PostgresProposals(pool));
  const notifications = new PostgresNotifications(pool);
  bind(ports.NotificationStore).toConstantValue(notifications);
  bind(ports.PushWork).toConstantValue(notifications);
  bind(ports.PushKeys).toConstantValue(new PostgresPushKeys(pool, secrets));
  bind(ports.ViewerStore).toConstantValue(new PostgresViewers(pool));
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

/** Ports for everything else: home, insights, locations, imports, translations and television. */
function bindSurroundings(bind: Bind, pool: Pool): void {
  bind(ports.HomeStore).toConstantValue(new PostgresHome(pool));
  bind(ports.InsightStore).toConstantValue(new PostgresInsights(pool));
  bind(ports.LocationStore).toConstantValue(new PostgresLocations(pool));
  bind(ports.TrackingStore).toConstantValue(new PostgresTracking(pool));
  const changes = new PostgresBroadcastChanges(pool);
  bind(ports.BroadcastChangeStore).toConstantValue(changes);
  bind(ports.BroadcastChangeWork).toConstantValue(changes);
  const imports = new PostgresContactImports(pool);
  bind(ports.ContactImportStore).toConstantValue(imports);
  bind(ports.ContactImportWork).toConstantValue(imports);
  bind(ports.TranslationCache).toConstantValue(new PostgresTranslations(pool));
  bind(ports.TvGuide).toConstantValue(new PostgresTvGuide(pool));
  bind(ports.TvStore).toConstantValue(new PostgresTvStore(pool));
}
