import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { AgentSessions } from '../agents/sessions.js';
import { ReadLocalAnalytics } from '../analytics/local-use-cases.js';
import { ReadAnalytics } from '../analytics/use-cases.js';
import { renderPreviewOf } from '../broadcasts/render-preview.js';
import { RunContactImports } from '../contact-imports/run.js';
import { ManageContactImports } from '../contact-imports/use-cases.js';
import { ReadCapabilities } from '../conversations/capabilities.js';
import { ConversationDrafts } from '../conversations/drafts.js';
import { ExpandMessages } from '../conversations/expand-messages.js';
import { LinkedChats } from '../conversations/linked-chats.js';
import {
  ManageLinks,
  ManageParticipants,
  OpenConversation,
  ReadConversations,
} from '../conversations/use-cases.js';
import { ConversationViewers } from '../conversations/viewers.js';
import { DeliveryWorker } from '../deliveries/delivery-worker.js';
import { EventStreams } from '../events/streams.js';
import { ReadLocations, ReadTracking, RecordLocations, Track } from '../extras/locations/use-cases.js';
import { Translate } from '../extras/translations/translate.js';
import { ReadTvGuide } from '../extras/tv/use-cases.js';
import { ReadHome } from '../home/use-cases.js';
import { Receive } from '../inbound/receive.js';
import { TakeAttachments } from '../media/take-attachments.js';
import { ActOnMessages } from '../messages/act.js';
import { ChangeMessage, ReadMessages, SendMessage } from '../messages/use-cases.js';
import { SendPushes } from '../notifications/run.js';
import { PushSender } from '../notifications/sender.js';
import { OwnNotifications } from '../notifications/use-cases.js';
import { Addresses } from '../platforms/addresses.js';
import { TestConnection } from '../platforms/test-connection.js';
import { ManageConnections, ReadPlatforms } from '../platforms/use-cases.js';
import { PreviewDraft } from '../previews/preview-draft.js';
import { ChatIdentities } from '../proposals/chat-identities.js';
import { RunApprovals } from '../proposals/run-approvals.js';
import { Proposals } from '../proposals/use-cases.js';
import { Rates } from '../rates/rates.js';
import { ReceiveSandboxMessage } from '../sandbox/receive-message.js';
import { ShowReactions } from '../signals/show-reactions.js';
import { ShowTyping } from '../signals/show-typing.js';
import { SignalShares } from '../signals/signal-shares.js';
import { ExportContacts } from '../users/export.js';
import { ChangeUsers, ReadUsers } from '../users/use-cases.js';
import { present } from '../versions/present.js';
import { recordType } from '../webhooks/record-type.js';
import { accessUseCases } from './access.js';
import { broadcastUseCases } from './broadcasts.js';
import { callUseCases } from './calls.js';
import { mediaUseCases } from './media.js';
import * as ports from './tokens.js';
import { webhookUseCases } from './webhooks.js';

/** The use cases of messages and related areas. Each use case is its own token. */
const messageUseCases = new ContainerModule((options) => {
  bindMessages(options);
  bindConversations(options);
  bindMemberStates(options);
  bindNotifications(options);
  bindImports(options);
  bindSignals(options);
  bindLocations(options);
  bindInsights(options);
  bindPlatforms(options);
  bindStreams(options);
});

/** All use cases. */
export const coreModules = [
  messageUseCases,
  mediaUseCases,
  broadcastUseCases,
  callUseCases,
  webhookUseCases,
  accessUseCases,
];

function bindMessages({ bind }: ContainerModuleLoadOptions): void {
  bind(SendMessage).toResolvedValue(
    (store, attachments, addresses) => new SendMessage(store, attachments, addresses),
    [ports.MessageStore, TakeAttachments, Addresses],
  );
  bind(ReadMessages).toResolvedValue((store) => new ReadMessages(store), [ports.MessageStore]);
  bind(ExpandMessages).toResolvedValue(
    (conversations, users) => new ExpandMessages(conversations, users),
    [ports.ConversationStore, ports.UserStore],
  );
  bind(ChangeMessage).toResolvedValue(
    (store, attachments) => new ChangeMessage(store, attachments),
    [ports.MessageStore, TakeAttachments],
  );
  bind(ActOnMessages).toResolvedValue((store) => new ActOnMessages(store), [ports.MessageActions]);
  bind(Receive).toResolvedValue(
    (store, decoders, log) => new Receive(store, decoders, log),
    [ports.InboundStore, ports.Decoders, ports.Log],
  );
  bind(ReceiveSandboxMessage).toResolvedValue(
    (connections, envelopes, receive, inbound, attachments, media) =>
      new ReceiveSandboxMessage(connections, envelopes, receive, inbound, attachments, media),
    [
      ports.ConnectionStore,
      ports.SandboxEnvelopes,
      Receive,
      ports.InboundStore,
      TakeAttachments,
      ports.MediaStore,
    ],
  );
  bind(Rates).toResolvedValue((buckets) => new Rates(buckets), [ports.RateBuckets]);
  bind(DeliveryWorker).toResolvedValue(
    (store, connections, wakeUps, rates, log, telemetry, journal) =>
      new DeliveryWorker(store, connections, wakeUps, rates, log, telemetry, journal),
    [
      ports.DeliveryStore,
      ports.SendingConnections,
      ports.WakeUps,
      Rates,
      ports.Log,
      ports.Telemetry,
      ports.WriteJournal,
    ],
  );
}

/** Open conversations and drafts of members, and proposals of agents. */
function bindMemberStates({ bind }: ContainerModuleLoadOptions): void {
  bind(ConversationDrafts).toResolvedValue(
    (conversations, store) => new ConversationDrafts(conversations, store),
    [ReadConversations, ports.DraftStore],
  );
  bind(ChatIdentities).toResolvedValue((store) => new ChatIdentities(store), [ports.ChatIdentityStore]);
  bind(RunApprovals).toResolvedValue(
    (work, log) => new RunApprovals(work, log),
    [ports.ApprovalWork, ports.Log],
  );
  bind(Proposals).toResolvedValue(
    (conversations, store) => new Proposals(conversations, store),
    [ReadConversations, ports.ProposalStore],
  );
  bind(AgentSessions).toResolvedValue(
    (conversations, store) => new AgentSessions(conversations, store),
    [ReadConversations, ports.AgentSessionStore],
  );
  bind(ConversationViewers).toResolvedValue(
    (conversations, store) => new ConversationViewers(conversations, store),
    [ReadConversations, ports.ViewerStore],
  );
}

/** Notifications of members. */
function bindNotifications({ bind }: ContainerModuleLoadOptions): void {
  bind(PushSender).toResolvedValue(
    (keys, client, publicUrl) => new PushSender(keys, client, publicUrl),
    [ports.PushKeys, ports.OutgoingRequests, ports.PublicUrl],
  );
  bind(OwnNotifications).toResolvedValue(
    (store, keys, guard, sender) => new OwnNotifications(store, keys, guard, sender),
    [ports.NotificationStore, ports.PushKeys, ports.TargetGuard, PushSender],
  );
  bind(SendPushes).toResolvedValue(
    (work, store, sender, log) => new SendPushes(work, store, sender, log),
    [ports.PushWork, ports.NotificationStore, PushSender, ports.Log],
  );
}

function bindConversations({ bind }: ContainerModuleLoadOptions): void {
  bind(LinkedChats).toResolvedValue(
    (addresses, connections, adapters) => new LinkedChats(addresses, connections, adapters),
    [Addresses, ports.ConnectionStore, ports.AdapterFactory],
  );
  bind(OpenConversation).toResolvedValue(
    (store, attachments, addresses, chats) => new OpenConversation(store, attachments, addresses, chats),
    [ports.ConversationStore, TakeAttachments, Addresses, LinkedChats],
  );
  bind(ReadConversations).toResolvedValue((store) => new ReadConversations(store), [ports.ConversationStore]);
  bind(ReadCapabilities).toResolvedValue(
    (read, connections, platforms) => new ReadCapabilities(read, connections, platforms),
    [ReadConversations, ports.SendingConnections, ports.InstalledPlatforms],
  );
  bind(PreviewDraft).toResolvedValue(
    (conversations, messages, connections, platforms, publicUrl) =>
      new PreviewDraft({
        conversations,
        messages,
        connections,
        platforms,
        renderPreview: renderPreviewOf(platforms),
        publicUrl,
      }),
    [ReadConversations, ReadMessages, ports.SendingConnections, ports.InstalledPlatforms, ports.PublicUrl],
  );
  bind(ManageLinks).toResolvedValue(
    (store, chats) => new ManageLinks(store, chats),
    [ports.LinkStore, LinkedChats],
  );
  bind(ManageParticipants).toResolvedValue(
    (store) => new ManageParticipants(store),
    [ports.ParticipantStore],
  );
  bind(ReadUsers).toResolvedValue((store) => new ReadUsers(store), [ports.UserStore]);
  bind(ChangeUsers).toResolvedValue(
    (store, guard, addresses) => new ChangeUsers(store, guard, addresses),
    [ports.UserStore, ports.TargetGuard, Addresses],
  );
}

function bindImports({ bind }: ContainerModuleLoadOptions): void {
  bind(ExportContacts).toResolvedValue((store) => new ExportContacts(store), [ports.UserStore]);
  bind(ManageContactImports).toResolvedValue(
    (store, addresses) => new ManageContactImports(store, addresses),
    [ports.ContactImportStore, Addresses],
  );
  bind(RunContactImports).toResolvedValue(
    (work, addresses, log) => new RunContactImports(work, addresses, log),
    [ports.ContactImportWork, Addresses, ports.Log],
  );
}

function bindSignals({ bind }: ContainerModuleLoadOptions): void {
  const signals = new SignalShares();
  bind(ShowTyping).toResolvedValue(
    (signs, { errorEffects }, connections, rates, log) =>
      new ShowTyping(signs, errorEffects, connections, rates, log, signals),
    [ports.TypingSigns, DeliveryWorker, ports.SendingConnections, Rates, ports.Log],
  );
  bind(ShowReactions).toResolvedValue(
    (copies, { errorEffects }, connections, rates, log) =>
      new ShowReactions(copies, errorEffects, connections, rates, log, signals),
    [ports.ReactionCopies, DeliveryWorker, ports.SendingConnections, Rates, ports.Log],
  );
}

function bindLocations({ bind }: ContainerModuleLoadOptions): void {
  bind(ReadLocations).toResolvedValue(
    (locations, sessions, users) => new ReadLocations(locations, sessions, users),
    [ports.LocationStore, ports.TrackingStore, ports.UserStore],
  );
  bind(RecordLocations).toResolvedValue((store) => new RecordLocations(store), [ports.LocationStore]);
  bind(ReadTracking).toResolvedValue((store) => new ReadTracking(store), [ports.TrackingStore]);
  bind(Track).toResolvedValue((store) => new Track(store), [ports.TrackingStore]);
}

function bindInsights({ bind }: ContainerModuleLoadOptions): void {
  bind(ReadAnalytics).toResolvedValue((store) => new ReadAnalytics(store), [ports.InsightStore]);
  bind(ReadHome).toResolvedValue(
    (store, connections, analytics) => new ReadHome(store, connections, analytics),
    [ports.HomeStore, ports.ConnectionStore, ReadAnalytics],
  );
  bind(ReadLocalAnalytics).toResolvedValue((store) => new ReadLocalAnalytics(store), [ports.InsightStore]);
  bind(ReadTvGuide).toResolvedValue((guide) => new ReadTvGuide(guide), [ports.TvGuide]);
  bind(Translate).toResolvedValue(
    (messages, translator, cache) => new Translate(messages, translator, cache),
    [ports.MessageStore, ports.Translator, ports.TranslationCache],
  );
}

function bindPlatforms({ bind }: ContainerModuleLoadOptions): void {
  bind(Addresses).toResolvedValue((platforms) => new Addresses(platforms), [ports.InstalledPlatforms]);
  bind(ReadPlatforms).toResolvedValue(
    (platforms, store) => new ReadPlatforms(platforms, store),
    [ports.InstalledPlatforms, ports.ConnectionStore],
  );
  bind(ManageConnections).toResolvedValue(
    (platforms, store, runtime, guard) => new ManageConnections(platforms, store, runtime, guard),
    [ports.InstalledPlatforms, ports.ConnectionStore, ports.ConnectionRuntime, ports.TargetGuard],
  );
  bind(TestConnection).toResolvedValue(
    (store, adapters) => new TestConnection(store, adapters),
    [ports.ConnectionStore, ports.AdapterFactory],
  );
}

function bindStreams({ bind }: ContainerModuleLoadOptions): void {
  bind(EventStreams).toResolvedValue(
    (log, leases, presence, logger) =>
      new EventStreams({
        log,
        leases,
        presence,
        logger,
        presentData: (type, data) => present(recordType(type), data, '2.0'),
      }),
    [ports.EventLog, ports.StreamLeases, ports.Presence, ports.Log],
  );
}
