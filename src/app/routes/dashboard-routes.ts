import { AgentSessions } from '../../core/agents/sessions.js';
import { ReadLocalAnalytics } from '../../core/analytics/local-use-cases.js';
import { ManageApiKeys } from '../../core/api-keys/use-cases.js';
import { ChangeSentBroadcast } from '../../core/broadcasts/changes/use-cases.js';
import { ExportRecipients } from '../../core/broadcasts/export.js';
import { RehearseBroadcast } from '../../core/broadcasts/rehearsal/rehearse.js';
import { ReadBroadcasts } from '../../core/broadcasts/use-cases.js';
import { ManageContactImports } from '../../core/contact-imports/use-cases.js';
import { ConversationDrafts } from '../../core/conversations/drafts.js';
import { ConversationViewers } from '../../core/conversations/viewers.js';
import { ReadHome } from '../../core/home/use-cases.js';
import { ManageMembers } from '../../core/members/use-cases.js';
import { ActOnMessages } from '../../core/messages/act.js';
import { ReadMessages } from '../../core/messages/use-cases.js';
import * as ports from '../../core/modules/tokens.js';
import { OwnNotifications } from '../../core/notifications/use-cases.js';
import { ManageGrants } from '../../core/oauth/use-cases.js';
import { ManageOAuthApps } from '../../core/oauth-apps/use-cases.js';
import { ReadPlatforms } from '../../core/platforms/use-cases.js';
import { PreviewDraft } from '../../core/previews/preview-draft.js';
import { ChatIdentities } from '../../core/proposals/chat-identities.js';
import { Proposals } from '../../core/proposals/use-cases.js';
import { OwnSessions } from '../../core/sessions/own-sessions.js';
import { DEPARTURE_MS, ProviderSignIn } from '../../core/sessions/provider-sign-in.js';
import { OwnSecondStep } from '../../core/sessions/second-step.js';
import { AcceptInvitation, OpenSessions, ProveSignIn, SetUp, SignIn } from '../../core/sessions/use-cases.js';
import type { Simulator } from '../../core/simulators/ports.js';
import { PlaySimulators } from '../../core/simulators/use-cases.js';
import { ExportContacts } from '../../core/users/export.js';
import { ReadUsers } from '../../core/users/use-cases.js';
import { ReadWebhookAnswers } from '../../core/webhooks/use-cases/read-answers.js';
import { ManageRetention } from '../../core/workspaces/retention.js';
import { ManageStaffChat } from '../../core/workspaces/staff-chat.js';
import { ManageWorkspaces } from '../../core/workspaces/use-cases.js';
import { pagesPlugin } from '../../http/pages/plugin.js';
import type { Route } from '../../http/route.js';
import { agentSessionRoutes } from '../../http/routes/dashboard/agent-sessions.js';
import { localAnalyticsRoutes } from '../../http/routes/dashboard/analytics.js';
import { apiKeyRoutes } from '../../http/routes/dashboard/api-keys.js';
import { auditLogRoutes } from '../../http/routes/dashboard/audit-log.js';
import { broadcastChangeRoutes } from '../../http/routes/dashboard/broadcast-changes.js';
import { broadcastProgressRoutes, rehearsalRoutes } from '../../http/routes/dashboard/broadcasts.js';
import { chatIdentityRoutes } from '../../http/routes/dashboard/chat-identities.js';
import { contactImportRoutes } from '../../http/routes/dashboard/contact-imports.js';
import { contactRoutes } from '../../http/routes/dashboard/contacts.js';
import { homeRoutes } from '../../http/routes/dashboard/home.js';
import { inboxRoutes } from '../../http/routes/dashboard/inbox.js';
import { mapRoutes } from '../../http/routes/dashboard/map.js';
import { memberRoutes } from '../../http/routes/dashboard/members.js';
import { notificationRoutes } from '../../http/routes/dashboard/notifications.js';
import { oauthAppRoutes } from '../../http/routes/dashboard/oauth-apps.js';
import { oauthGrantRoutes } from '../../http/routes/dashboard/oauth-grants.js';
import { ownSessionRoutes } from '../../http/routes/dashboard/own-sessions.js';
import { proposalRoutes } from '../../http/routes/dashboard/proposals.js';
import { requestRoutes } from '../../http/routes/dashboard/requests.js';
import { retentionRoutes } from '../../http/routes/dashboard/retention.js';
import { secondStepRoutes } from '../../http/routes/dashboard/second-step.js';
import { sessionRoutes } from '../../http/routes/dashboard/sessions.js';
import { simulatorRoutes } from '../../http/routes/dashboard/simulators.js';
import { staffChatRoutes } from '../../http/routes/dashboard/staff-chat.js';
import { teamRoutes } from '../../http/routes/dashboard/teams.js';
import { webhookAnswerRoutes } from '../../http/routes/dashboard/webhook-answers.js';
import { workspaceRoutes } from '../../http/routes/dashboard/workspaces.js';
import { DepartureCookie, type SessionCookie } from '../../http/session-cookie.js';
import type { UseCases } from './route-table.js';

/** Routes that only the dashboard has, in addition to those of the REST API. */
export function dashboardRoutes(
  container: UseCases,
  cookie: SessionCookie,
  simulators: readonly Simulator[] = [],
): Route[] {
  return [
    ...ownRoutes(container, cookie),
    ...localAnalyticsRoutes(container.get(ReadLocalAnalytics)),
    ...apiKeyRoutes(container.get(ManageApiKeys)),
    ...broadcastChangeRoutes(container.get(ChangeSentBroadcast)),
    ...broadcastProgressRoutes(container.get(ReadBroadcasts), container.get(ExportRecipients)),
    ...rehearsalRoutes(container.get(RehearseBroadcast)),
    ...contactRoutes(container.get(ReadUsers), container.get(ExportContacts)),
    ...contactImportRoutes(container.get(ManageContactImports), container.get(ports.MediaFiles)),
    ...homeRoutes(container.get(ReadHome)),
    ...inboxRoutes({
      preview: container.get(PreviewDraft),
      viewers: container.get(ConversationViewers),
      drafts: container.get(ConversationDrafts),
      messages: container.get(ReadMessages),
      acts: container.get(ActOnMessages),
    }),
    ...agentSessionRoutes(container.get(AgentSessions)),
    ...mapRoutes(container.get(ports.MapTiles)),
    ...proposalRoutes(container.get(Proposals)),
    ...memberRoutes(container.get(ManageMembers)),
    ...teamRoutes(container.get(ports.TeamStore)),
    ...oauthAppRoutes(container.get(ManageOAuthApps)),
    ...oauthGrantRoutes(container.get(ManageGrants)),
    ...auditLogRoutes(container.get(ports.AuditLog)),
    ...webhookAnswerRoutes(container.get(ReadWebhookAnswers)),
    ...requestRoutes(container.get(ports.RequestLogStore)),
    ...simulatorRoutes(new PlaySimulators(simulators, container.get(ReadPlatforms))),
    ...retentionRoutes(container.get(ManageRetention)),
    ...staffChatRoutes(container.get(ManageStaffChat)),
    ...workspaceRoutes(container.get(ManageWorkspaces)),
  ];
}

/** Routes of the signed-in person: sign-in, sessions and preferences. */
function ownRoutes(container: UseCases, cookie: SessionCookie): Route[] {
  return [
    ...sessionRoutes(
      {
        signIn: container.get(SignIn),
        prove: container.get(ProveSignIn),
        setUp: container.get(SetUp),
        invitations: container.get(AcceptInvitation),
        sessions: container.get(OpenSessions),
      },
      cookie,
    ),
    ...ownSessionRoutes(container.get(OwnSessions)),
    ...notificationRoutes(container.get(OwnNotifications)),
    ...secondStepRoutes(container.get(OwnSecondStep)),
    ...chatIdentityRoutes(container.get(ChatIdentities)),
  ];
}

/** The pages before the dashboard: sign-in, setup and invitations. */
export function dashboardPages(container: UseCases, cookie: SessionCookie, publicUrl: string) {
  return pagesPlugin({
    cookie,
    departures: new DepartureCookie(publicUrl, DEPARTURE_MS / 1_000),
    provider: container.get(ProviderSignIn),
    reader: container.get(ports.SessionReader),
    sessions: container.get(OpenSessions),
    setUp: container.get(SetUp),
    invitations: container.get(AcceptInvitation),
  });
}
