import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { Audiences, addressFormsOf } from '../broadcasts/audience.js';
import { RunBroadcastChanges } from '../broadcasts/changes/run.js';
import { ChangeSentBroadcast } from '../broadcasts/changes/use-cases.js';
import { ExportRecipients } from '../broadcasts/export.js';
import { RehearseBroadcast } from '../broadcasts/rehearsal/rehearse.js';
import { renderPreviewOf } from '../broadcasts/render-preview.js';
import { RunBroadcast } from '../broadcasts/run.js';
import { ControlBroadcast, CreateBroadcast, ReadBroadcasts } from '../broadcasts/use-cases.js';
import { TakeAttachments } from '../media/take-attachments.js';
import { Addresses } from '../platforms/addresses.js';
import { ManageSegments } from '../segments/use-cases.js';
import { ManageTemplates } from '../templates/use-cases.js';
import * as ports from './tokens.js';

/** The use cases of broadcasts and their audiences. */
export const broadcastUseCases = new ContainerModule((options) => {
  bindBroadcasts(options);
});

function bindBroadcasts({ bind }: ContainerModuleLoadOptions): void {
  bind(Audiences).toResolvedValue(
    (segments, platforms, cap) => new Audiences(segments, addressFormsOf(platforms), cap),
    [ports.SegmentStore, ports.InstalledPlatforms, ports.MarketingCap],
  );
  bind(CreateBroadcast).toResolvedValue(
    (store, audiences, attachments, platforms, addresses) =>
      new CreateBroadcast(store, audiences, attachments, renderPreviewOf(platforms), addresses),
    [ports.BroadcastStore, Audiences, TakeAttachments, ports.InstalledPlatforms, Addresses],
  );
  bind(RehearseBroadcast).toResolvedValue(
    (store, audiences, create, connections, platforms) =>
      new RehearseBroadcast({ store, audiences, create, connections, platforms }),
    [ports.RehearsalStore, Audiences, CreateBroadcast, ports.SendingConnections, ports.InstalledPlatforms],
  );
  bind(ReadBroadcasts).toResolvedValue((store) => new ReadBroadcasts(store), [ports.BroadcastStore]);
  bind(ExportRecipients).toResolvedValue((read) => new ExportRecipients(read), [ReadBroadcasts]);
  bind(ControlBroadcast).toResolvedValue(
    (store, work, attachments, addresses) => new ControlBroadcast(store, work, attachments, addresses),
    [ports.BroadcastStore, ports.BroadcastWork, TakeAttachments, Addresses],
  );
  bind(RunBroadcast).toResolvedValue(
    (work, audiences, dispatcher) => new RunBroadcast(work, audiences, dispatcher),
    [ports.BroadcastWork, Audiences, ports.LocalDispatcher],
  );
  bind(ChangeSentBroadcast).toResolvedValue(
    (store, broadcasts, platforms) => new ChangeSentBroadcast(store, broadcasts, platforms),
    [ports.BroadcastChangeStore, ReadBroadcasts, ports.InstalledPlatforms],
  );
  bind(RunBroadcastChanges).toResolvedValue(
    (work, log) => new RunBroadcastChanges(work, log),
    [ports.BroadcastChangeWork, ports.Log],
  );
  bind(ManageSegments).toResolvedValue(
    (store, users, addresses) => new ManageSegments(store, users, addresses),
    [ports.SegmentStore, ports.UserStore, Addresses],
  );
  bind(ManageTemplates).toResolvedValue(
    (store, attachments) => new ManageTemplates(store, attachments),
    [ports.TemplateStore, TakeAttachments],
  );
}
