import * as audiences from './audiences.js';
import * as messages from './messages.js';
import * as people from './people.js';
import * as platforms from './platforms.js';
import * as surroundings from './surroundings.js';

/** One example of each record in its 1.0 shape, by the name of its schema. */
export const recordExamples: Readonly<Record<string, object>> = {
  Message: messages.message,
  Attachment: messages.attachment,
  Delivery: messages.delivery,
  MessageTrace: messages.messageTrace,
  Conversation: messages.conversation,
  Participant: messages.participant,
  Link: messages.link,
  ConversationCapabilities: messages.conversationCapabilities,
  User: people.user,
  Call: people.call,
  RtcToken: people.rtcToken,
  IceServers: people.iceServers,
  Location: people.location,
  TrackingSession: people.trackingSession,
  Broadcast: audiences.broadcast,
  BroadcastRecipient: audiences.broadcastRecipient,
  DryRun: audiences.dryRun,
  Segment: audiences.segment,
  Template: audiences.template,
  Protocol: platforms.protocol,
  Platform: platforms.platform,
  Connection: platforms.connection,
  ConnectionTest: platforms.connectionTest,
  Webhook: surroundings.webhook,
  WebhookDelivery: surroundings.webhookDelivery,
  WebhookPayload: surroundings.webhookPayload,
  RecoveredCount: { count: 3 },
  Analytics: surroundings.analytics,
  Translation: surroundings.translation,
  TvNetwork: surroundings.tvNetwork,
  TvProgramme: surroundings.tvProgramme,
  ApiStatus: surroundings.apiStatus,
};
