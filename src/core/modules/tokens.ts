import type { ServiceIdentifier } from 'inversify';
import type { AccessTokenLookup as AccessTokenLookupPort } from '../access/access-token-lookup.js';
import type { ApiKeyLookup as ApiKeyLookupPort } from '../access/api-key-lookup.js';
import type { RateWindows as RateWindowsPort } from '../access/rate-windows.js';
import type { AgentSessionStore as AgentSessionStorePort } from '../agents/ports.js';
import type { InsightStore as InsightStorePort } from '../analytics/ports.js';
import type { ApiKeyStore as ApiKeyStorePort } from '../api-keys/ports.js';
import type { AuditLog as AuditLogPort } from '../audit/ports.js';
import type {
  BroadcastChangeStore as BroadcastChangeStorePort,
  BroadcastChangeWork as BroadcastChangeWorkPort,
} from '../broadcasts/changes/ports.js';
import type {
  BroadcastStore as BroadcastStorePort,
  BroadcastWork as BroadcastWorkPort,
  FrequencyCap,
} from '../broadcasts/ports.js';
import type { RehearsalStore as RehearsalStorePort } from '../broadcasts/rehearsal/ports.js';
import type { JoinTokens as JoinTokensService } from '../calls/join-token.js';
import type { CallSockets as CallSocketsPort, CallStore as CallStorePort } from '../calls/ports.js';
import type { IdempotencyStore as IdempotencyStorePort } from '../common/idempotency.js';
import type { Log as LogPort } from '../common/log.js';
import type { Outbox as OutboxPort } from '../common/outbox.js';
import type {
  OutgoingRequests as OutgoingRequestsPort,
  TargetGuard as TargetGuardPort,
} from '../common/outgoing.js';
import type { Passwords as PasswordsPort } from '../common/passwords.js';
import type { SecretBox as SecretBoxPort } from '../common/secret-box.js';
import type {
  ContactImportStore as ContactImportStorePort,
  ContactImportWork as ContactImportWorkPort,
} from '../contact-imports/ports.js';
import type {
  ConversationStore as ConversationStorePort,
  DraftStore as DraftStorePort,
  LinkStore as LinkStorePort,
  ParticipantStore as ParticipantStorePort,
  ViewerStore as ViewerStorePort,
} from '../conversations/ports.js';
import type { LocalDispatcher as LocalDispatcherPort } from '../deliveries/dispatch/local-dispatcher.js';
import type {
  DeliveryStore as DeliveryStorePort,
  SendingConnections as SendingConnectionsPort,
  WakeUps as WakeUpsPort,
  WriteJournal as WriteJournalPort,
} from '../deliveries/ports.js';
import type { Telemetry as TelemetryPort } from '../deliveries/telemetry.js';
import type { EventLog as EventLogPort, StreamLeases as StreamLeasesPort } from '../events/ports.js';
import type { MapTiles as MapTilesPort } from '../extras/locations/map-tiles.js';
import type {
  LocationStore as LocationStorePort,
  TrackingStore as TrackingStorePort,
} from '../extras/locations/ports.js';
import type {
  TranslationCache as TranslationCachePort,
  Translator as TranslatorPort,
} from '../extras/translations/ports.js';
import type {
  GuideOpener as GuideOpenerPort,
  TvGuide as TvGuidePort,
  TvStore as TvStorePort,
} from '../extras/tv/ports.js';
import type { HomeStore as HomeStorePort } from '../home/ports.js';
import type { Decoders as DecodersPort, InboundStore as InboundStorePort } from '../inbound/ports.js';
import type {
  MediaDownloads as MediaDownloadsPort,
  MediaFiles as MediaFilesPort,
  MediaStore as MediaStorePort,
  PlatformMedia as PlatformMediaPort,
} from '../media/ports.js';
import type { MemberStore as MemberStorePort } from '../members/ports.js';
import type { MessageActions as MessageActionsPort } from '../messages/message-actions.js';
import type { MessageStore as MessageStorePort } from '../messages/ports.js';
import type {
  NotificationStore as NotificationStorePort,
  PushKeys as PushKeysPort,
  PushWork as PushWorkPort,
} from '../notifications/ports.js';
import type {
  OAuthClients as OAuthClientsPort,
  OAuthGrants as OAuthGrantsPort,
  OAuthTokens as OAuthTokensPort,
} from '../oauth/ports.js';
import type { OAuthAppStore as OAuthAppStorePort } from '../oauth-apps/ports.js';
import type { Platforms } from '../platforms/catalogue.js';
import type {
  ConnectionRuntime as ConnectionRuntimePort,
  ConnectionStore as ConnectionStorePort,
} from '../platforms/ports.js';
import type { AdapterFactory as AdapterFactoryPort } from '../platforms/test-connection.js';
import type {
  ApprovalWork as ApprovalWorkPort,
  ChatIdentityStore as ChatIdentityStorePort,
} from '../proposals/chat-ports.js';
import type { ProposalStore as ProposalStorePort } from '../proposals/ports.js';
import type { RateBuckets as RateBucketsPort } from '../rates/ports.js';
import type { RequestLogStore as RequestLogStorePort } from '../request-log/ports.js';
import type { SandboxEnvelopes as SandboxEnvelopesPort } from '../sandbox/ports.js';
import type { SegmentStore as SegmentStorePort } from '../segments/ports.js';
import type {
  IdentityProvider as IdentityProviderPort,
  ProviderSessionStore as ProviderSessionStorePort,
} from '../sessions/identity-provider.js';
import type { InvitationStore as InvitationStorePort } from '../sessions/invitations.js';
import type {
  OwnSessionStore as OwnSessionStorePort,
  SessionReader as SessionReaderPort,
  SessionStore as SessionStorePort,
  SetupToken as SetupTokenPort,
  SignInTries as SignInTriesPort,
} from '../sessions/ports.js';
import type {
  CodeTries as CodeTriesPort,
  OneTimeCodes as OneTimeCodesPort,
  SecondStepStore as SecondStepStorePort,
} from '../sessions/second-step-store.js';
import type {
  ReactionCopies as ReactionCopiesPort,
  TypingSigns as TypingSignsPort,
} from '../signals/ports.js';
import type { TeamStore as TeamStorePort } from '../teams/ports.js';
import type { TemplateStore as TemplateStorePort } from '../templates/ports.js';
import type { Presence as PresencePort, UserStore as UserStorePort } from '../users/ports.js';
import type {
  WebhookDeliveryStore as WebhookDeliveryStorePort,
  WebhookLists as WebhookListsPort,
  WebhookStore as WebhookStorePort,
  WebhookTester as WebhookTesterPort,
} from '../webhooks/ports.js';
import type {
  EventReader as EventReaderPort,
  WebhookQueue as WebhookQueuePort,
} from '../webhooks/webhook-queue.js';
import type { WorkspaceStore as WorkspaceStorePort } from '../workspaces/ports.js';
import type {
  InstallationRetention as InstallationRetentionPort,
  RetentionStore as RetentionStorePort,
} from '../workspaces/retention-store.js';
import type {
  AlertWork as AlertWorkPort,
  StaffChatStore as StaffChatStorePort,
} from '../workspaces/staff-chat-store.js';

/** Names of the services that the core needs from the container. A token has the name of its interface. */
function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol.for(`trunkline.${name}`);
}

export const AccessTokenLookup = token<AccessTokenLookupPort>('AccessTokenLookup');
export const AdapterFactory = token<AdapterFactoryPort>('AdapterFactory');
export const ApiKeyLookup = token<ApiKeyLookupPort>('ApiKeyLookup');
export const ApiKeyStore = token<ApiKeyStorePort>('ApiKeyStore');
export const AuditLog = token<AuditLogPort>('AuditLog');
export const CallSockets = token<CallSocketsPort>('CallSockets');
export const CallStore = token<CallStorePort>('CallStore');
export const ConnectionRuntime = token<ConnectionRuntimePort>('ConnectionRuntime');
export const ConnectionStore = token<ConnectionStorePort>('ConnectionStore');
export const ContactImportStore = token<ContactImportStorePort>('ContactImportStore');
export const ContactImportWork = token<ContactImportWorkPort>('ContactImportWork');
export const Decoders = token<DecodersPort>('Decoders');
export const DeliveryStore = token<DeliveryStorePort>('DeliveryStore');
export const EventLog = token<EventLogPort>('EventLog');
export const EventReader = token<EventReaderPort>('EventReader');
export const IdempotencyStore = token<IdempotencyStorePort>('IdempotencyStore');
export const HomeStore = token<HomeStorePort>('HomeStore');
/** Null: people sign in only with passwords. */
export const IdentityProvider = token<IdentityProviderPort | null>('IdentityProvider');
export const InboundStore = token<InboundStorePort>('InboundStore');
export const InstalledPlatforms = token<Platforms>('InstalledPlatforms');
export const InvitationStore = token<InvitationStorePort>('InvitationStore');
export const InsightStore = token<InsightStorePort>('InsightStore');
export const LocationStore = token<LocationStorePort>('LocationStore');
export const JoinTokens = token<JoinTokensService>('JoinTokens');
/** Null: the number of marketing messages per contact is not limited. */
export const MarketingCap = token<FrequencyCap | null>('MarketingCap');
export const Log = token<LogPort>('Log');
export const Telemetry = token<TelemetryPort>('Telemetry');
export const MemberStore = token<MemberStorePort>('MemberStore');
export const TeamStore = token<TeamStorePort>('TeamStore');
export const MessageActions = token<MessageActionsPort>('MessageActions');
export const MediaDownloads = token<MediaDownloadsPort>('MediaDownloads');
export const MapTiles = token<MapTilesPort>('MapTiles');
export const MediaFiles = token<MediaFilesPort>('MediaFiles');
export const MediaStore = token<MediaStorePort>('MediaStore');
export const MessageStore = token<MessageStorePort>('MessageStore');
export const OAuthClients = token<OAuthClientsPort>('OAuthClients');
export const OAuthGrants = token<OAuthGrantsPort>('OAuthGrants');
export const OAuthTokens = token<OAuthTokensPort>('OAuthTokens');
export const OAuthAppStore = token<OAuthAppStorePort>('OAuthAppStore');
export const Outbox = token<OutboxPort>('Outbox');
export const OutgoingRequests = token<OutgoingRequestsPort>('OutgoingRequests');
export const Passwords = token<PasswordsPort>('Passwords');
/** The origin of absolute URLs, known once the service listens. */
export const PublicUrl = token<() => string>('PublicUrl');
export const Presence = token<PresencePort>('Presence');
export const PlatformMedia = token<PlatformMediaPort>('PlatformMedia');
export const RateBuckets = token<RateBucketsPort>('RateBuckets');
export const RateWindows = token<RateWindowsPort>('RateWindows');
export const InstallationRetention = token<InstallationRetentionPort>('InstallationRetention');
export const StaffChatStore = token<StaffChatStorePort>('StaffChatStore');
export const AlertWork = token<AlertWorkPort>('AlertWork');
export const RetentionStore = token<RetentionStorePort>('RetentionStore');
export const RequestLogStore = token<RequestLogStorePort>('RequestLogStore');
export const SandboxEnvelopes = token<SandboxEnvelopesPort>('SandboxEnvelopes');
export const ReactionCopies = token<ReactionCopiesPort>('ReactionCopies');
export const SecretBox = token<SecretBoxPort>('SecretBox');
export const CodeTries = token<CodeTriesPort>('CodeTries');
export const OneTimeCodes = token<OneTimeCodesPort>('OneTimeCodes');
export const SecondStepStore = token<SecondStepStorePort>('SecondStepStore');
export const SessionReader = token<SessionReaderPort>('SessionReader');
export const SessionStore = token<SessionStorePort>('SessionStore');
export const OwnSessionStore = token<OwnSessionStorePort>('OwnSessionStore');
export const ProviderSessionStore = token<ProviderSessionStorePort>('ProviderSessionStore');
export const SetupToken = token<SetupTokenPort>('SetupToken');
export const SignInTries = token<SignInTriesPort>('SignInTries');
export const SegmentStore = token<SegmentStorePort>('SegmentStore');
export const SendingConnections = token<SendingConnectionsPort>('SendingConnections');
export const StreamLeases = token<StreamLeasesPort>('StreamLeases');
export const TargetGuard = token<TargetGuardPort>('TargetGuard');
export const TemplateStore = token<TemplateStorePort>('TemplateStore');
export const TypingSigns = token<TypingSignsPort>('TypingSigns');
export const TrackingStore = token<TrackingStorePort>('TrackingStore');
export const TranslationCache = token<TranslationCachePort>('TranslationCache');
export const Translator = token<TranslatorPort>('Translator');
export const GuideOpener = token<GuideOpenerPort>('GuideOpener');
export const TvGuide = token<TvGuidePort>('TvGuide');
export const TvStore = token<TvStorePort>('TvStore');
export const WakeUps = token<WakeUpsPort>('WakeUps');
export const WriteJournal = token<WriteJournalPort>('WriteJournal');
export const WebhookDeliveryStore = token<WebhookDeliveryStorePort>('WebhookDeliveryStore');
export const WebhookLists = token<WebhookListsPort>('WebhookLists');
export const WebhookQueue = token<WebhookQueuePort>('WebhookQueue');
export const WebhookStore = token<WebhookStorePort>('WebhookStore');
export const WebhookTester = token<WebhookTesterPort>('WebhookTester');
export const WorkspaceStore = token<WorkspaceStorePort>('WorkspaceStore');
export const BroadcastChangeStore = token<BroadcastChangeStorePort>('BroadcastChangeStore');
export const BroadcastChangeWork = token<BroadcastChangeWorkPort>('BroadcastChangeWork');
export const BroadcastStore = token<BroadcastStorePort>('BroadcastStore');
export const LocalDispatcher = token<LocalDispatcherPort>('LocalDispatcher');
export const RehearsalStore = token<RehearsalStorePort>('RehearsalStore');
export const BroadcastWork = token<BroadcastWorkPort>('BroadcastWork');
export const ConversationStore = token<ConversationStorePort>('ConversationStore');
export const LinkStore = token<LinkStorePort>('LinkStore');
export const ParticipantStore = token<ParticipantStorePort>('ParticipantStore');
export const UserStore = token<UserStorePort>('UserStore');
export const ViewerStore = token<ViewerStorePort>('ViewerStore');
export const DraftStore = token<DraftStorePort>('DraftStore');
export const AgentSessionStore = token<AgentSessionStorePort>('AgentSessionStore');
export const ChatIdentityStore = token<ChatIdentityStorePort>('ChatIdentityStore');
export const ApprovalWork = token<ApprovalWorkPort>('ApprovalWork');
export const ProposalStore = token<ProposalStorePort>('ProposalStore');
export const NotificationStore = token<NotificationStorePort>('NotificationStore');
export const PushKeys = token<PushKeysPort>('PushKeys');
export const PushWork = token<PushWorkPort>('PushWork');
