import type { Container } from 'inversify';
import { clock } from '../../contract/clock.js';
import { ReadAnalytics } from '../../core/analytics/use-cases.js';
import { ControlBroadcast, CreateBroadcast, ReadBroadcasts } from '../../core/broadcasts/use-cases.js';
import { ExpandCalls } from '../../core/calls/expand.js';
import { type IceConfiguration, iceServers } from '../../core/calls/ice-servers.js';
import { CallSeats } from '../../core/calls/seats.js';
import { IssueJoinToken, ReadCalls, SendSignal, StartCall } from '../../core/calls/use-cases.js';
import { ReadCapabilities } from '../../core/conversations/capabilities.js';
import { ExpandMessages } from '../../core/conversations/expand-messages.js';
import {
  ManageLinks,
  ManageParticipants,
  OpenConversation,
  ReadConversations,
} from '../../core/conversations/use-cases.js';
import { EventStreams } from '../../core/events/streams.js';
import {
  ReadLocations,
  ReadTracking,
  RecordLocations,
  Track,
} from '../../core/extras/locations/use-cases.js';
import { Translate } from '../../core/extras/translations/translate.js';
import { ReadTvGuide } from '../../core/extras/tv/use-cases.js';
import { UploadFile } from '../../core/media/upload-file.js';
import { ActOnMessages } from '../../core/messages/act.js';
import { ChangeMessage, ReadMessages, SendMessage } from '../../core/messages/use-cases.js';
import * as ports from '../../core/modules/tokens.js';
import { TestConnection } from '../../core/platforms/test-connection.js';
import { ManageConnections, ReadPlatforms } from '../../core/platforms/use-cases.js';
import { ReceiveSandboxMessage } from '../../core/sandbox/receive-message.js';
import { ManageSegments } from '../../core/segments/use-cases.js';
import { ManageTemplates } from '../../core/templates/use-cases.js';
import { ChangeUsers, ReadUsers } from '../../core/users/use-cases.js';
import { CreateWebhook } from '../../core/webhooks/use-cases/create-webhook.js';
import { DeleteWebhook } from '../../core/webhooks/use-cases/delete-webhook.js';
import { GetWebhook } from '../../core/webhooks/use-cases/get-webhook.js';
import { ListWebhooks } from '../../core/webhooks/use-cases/list-webhooks.js';
import { RecoverWebhookDeliveries } from '../../core/webhooks/use-cases/recover-deliveries.js';
import { RetryWebhookDelivery } from '../../core/webhooks/use-cases/retry-delivery.js';
import { RotateSecret } from '../../core/webhooks/use-cases/rotate-secret.js';
import { TestWebhook } from '../../core/webhooks/use-cases/test-webhook.js';
import { UpdateWebhook } from '../../core/webhooks/use-cases/update-webhook.js';
import type { Route } from '../../http/route.js';
import { analyticsRoutes } from '../../http/routes/analytics.js';
import { attachmentRoutes } from '../../http/routes/attachments.js';
import { broadcastRoutes } from '../../http/routes/broadcasts.js';
import { callRoutes } from '../../http/routes/calls.js';
import { conversationRoutes } from '../../http/routes/conversations.js';
import { deliveryRoutes } from '../../http/routes/deliveries.js';
import { eventRoutes } from '../../http/routes/events.js';
import { locationRoutes } from '../../http/routes/extras/locations.js';
import { translationRoutes } from '../../http/routes/extras/translations.js';
import { tvRoutes } from '../../http/routes/extras/tv.js';
import { messageRoutes } from '../../http/routes/messages.js';
import { platformRoutes } from '../../http/routes/platforms.js';
import { type RtcOptions, rtcRoutes } from '../../http/routes/rtc.js';
import { sandboxRoutes } from '../../http/routes/sandbox.js';
import { segmentRoutes } from '../../http/routes/segments.js';
import { statusRoutes } from '../../http/routes/status.js';
import { templateRoutes } from '../../http/routes/templates.js';
import { userRoutes } from '../../http/routes/users.js';
import { webhookRoutes } from '../../http/routes/webhooks.js';
import { readStatus, type StatusSources } from './status.js';

/** The source of the use cases. */
export type UseCases = Pick<Container, 'get'>;

/** Dependencies of the call routes in addition to their use cases. */
export interface RtcParts extends Pick<RtcOptions, 'publicUrl' | 'accept'> {
  readonly ice: IceConfiguration;
}

/** All routes of the REST API. */
export function routeTable(container: UseCases, status: StatusSources, rtc: RtcParts): Route[] {
  return [
    ...messageRoutes({
      send: container.get(SendMessage),
      read: container.get(ReadMessages),
      expand: container.get(ExpandMessages),
      change: container.get(ChangeMessage),
      act: container.get(ActOnMessages),
    }),
    ...deliveryRoutes({ read: container.get(ReadMessages), actions: container.get(ports.MessageActions) }),
    ...attachmentRoutes({ upload: container.get(UploadFile), files: container.get(ports.MediaFiles) }),
    ...conversationRoutes({
      open: container.get(OpenConversation),
      read: container.get(ReadConversations),
      store: container.get(ports.ConversationStore),
      links: container.get(ManageLinks),
      participants: container.get(ManageParticipants),
      capabilities: container.get(ReadCapabilities),
      typing: container.get(ports.TypingSigns),
    }),
    ...userRoutes({ read: container.get(ReadUsers), change: container.get(ChangeUsers) }),
    ...callTable(container, rtc),
    ...broadcastRoutes({
      create: container.get(CreateBroadcast),
      read: container.get(ReadBroadcasts),
      control: container.get(ControlBroadcast),
    }),
    ...segmentRoutes(container.get(ManageSegments), container.get(ports.MediaFiles)),
    ...templateRoutes(container.get(ManageTemplates)),
    ...surroundingRoutes(container),
    ...platformRoutes({
      read: container.get(ReadPlatforms),
      manage: container.get(ManageConnections),
      test: container.get(TestConnection),
    }),
    ...sandboxRoutes(container.get(ReceiveSandboxMessage)),
    ...eventTable(container),
    ...statusRoutes(readStatus(container, status)),
  ];
}

/** Routes for locations, analytics, translations and television. */
function surroundingRoutes(container: UseCases): Route[] {
  return [
    ...locationRoutes({
      read: container.get(ReadLocations),
      record: container.get(RecordLocations),
      sessions: container.get(ReadTracking),
      track: container.get(Track),
    }),
    ...analyticsRoutes(container.get(ReadAnalytics)),
    ...translationRoutes(container.get(Translate)),
    ...tvRoutes(container.get(ReadTvGuide)),
  ];
}

function callTable(container: UseCases, rtc: RtcParts): Route[] {
  return [
    ...callRoutes({
      start: container.get(StartCall),
      read: container.get(ReadCalls),
      expand: container.get(ExpandCalls),
      store: container.get(ports.CallStore),
      token: container.get(IssueJoinToken),
      signal: container.get(SendSignal),
      iceServers: (userId) => iceServers(rtc.ice, userId, clock.now()),
    }),
    ...rtcRoutes({ ...rtc, seat: container.get(CallSeats).authenticate }),
  ];
}

function eventTable(container: UseCases): Route[] {
  return [
    ...webhookRoutes({
      create: container.get(CreateWebhook),
      get: container.get(GetWebhook),
      list: container.get(ListWebhooks),
      update: container.get(UpdateWebhook),
      delete: container.get(DeleteWebhook),
      test: container.get(TestWebhook),
      rotate: container.get(RotateSecret),
      recover: container.get(RecoverWebhookDeliveries),
      retry: container.get(RetryWebhookDelivery),
    }),
    ...eventRoutes(container.get(EventStreams)),
  ];
}
