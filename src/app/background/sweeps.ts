import type { Container } from 'inversify';
import { RemoveUnusedMedia } from '../../core/media/remove-unused.js';
import * as ports from '../../core/modules/tokens.js';
import { RunApprovals } from '../../core/proposals/run-approvals.js';
import type { SearchIndexer } from '../../store/listing/search-indexer.js';
import type { Housekeeping } from '../../store/maintenance/housekeeping.js';
import type { Retention } from '../../store/maintenance/retention.js';
import { FanOut } from '../../webhooks/fan-out.js';
import type { Sweep } from './sweeper.js';

/** Maintenance of the database as a whole. */
export interface Maintenance {
  readonly housekeeping: Housekeeping;
  readonly retention: Retention;
  readonly searchIndexer: SearchIndexer;
}

/** All sweeps of a round. */
export function sweeps(
  container: Container,
  { housekeeping, retention, searchIndexer }: Maintenance,
): Sweep[] {
  const deliveries = container.get(ports.DeliveryStore);
  const calls = container.get(ports.CallStore);
  const wakeUps = container.get(ports.WakeUps);
  return [
    {
      name: 'deliveries',
      run: async () => {
        for (const id of await deliveries.sweep()) await wakeUps.wakeConnection(id);
      },
    },
    { name: 'reactions', run: () => housekeeping.wakeReactions() },
    { name: 'pauses', run: () => housekeeping.endExpiredPauses() },
    { name: 'snoozes', run: () => housekeeping.endSnoozes() },
    { name: 'webhooks', run: () => container.get(ports.WebhookQueue).wakeStalled() },
    { name: 'events', run: () => inBatches(() => container.get(FanOut).recover()) },
    { name: 'broadcasts', run: () => container.get(ports.BroadcastWork).requeue() },
    { name: 'locations', run: () => container.get(ports.LocationStore).sweep() },
    { name: 'insights', run: () => inBatches(() => container.get(ports.InsightStore).count()) },
    { name: 'lists', run: () => searchIndexer.run() },
    { name: 'translations', run: () => container.get(ports.TranslationCache).purge() },
    { name: 'programmes', run: () => container.get(ports.TvStore).purge() },
    {
      name: 'calls',
      run: async () => {
        for (const id of await calls.sweep()) await calls.advance(id);
      },
    },
    { name: 'envelopes', run: () => housekeeping.wakeEnvelopes() },
    { name: 'oauth', run: () => container.get(ports.OAuthTokens).purge() },
    { name: 'segments', run: () => container.get(ports.SegmentStore).purge() },
    { name: 'contact imports', run: () => container.get(ports.ContactImportWork).sweep() },
    { name: 'broadcast changes', run: () => container.get(ports.BroadcastChangeWork).sweep() },
    { name: 'alerts', run: () => inBatches(() => sendAlert(container)) },
    { name: 'approvals', run: () => container.get(RunApprovals).run() },
    { name: 'pushes', run: () => container.get(ports.PushWork).sweep() },
    { name: 'presence', run: () => container.get(ports.Presence).expire() },
    { name: 'media', run: () => container.get(ports.MediaStore).wakeStalled() },
    { name: 'unused media', run: () => container.get(RemoveUnusedMedia).execute() },
    { name: 'retention', run: () => retention.run() },
    { name: 'expired', run: () => housekeeping.purge() },
  ];
}

async function sendAlert(container: Container): Promise<boolean> {
  const tried = await container.get(ports.AlertWork).send();
  if (tried?.problem != null) container.get(ports.Log).warn({ ...tried }, 'alert.failed');
  return tried !== null;
}

/** Maximum number of batches per round, because other sweeps wait for it. */
const BATCHES = 10;

/** `work` processes one batch and returns whether there is more. */
async function inBatches(work: () => Promise<boolean>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    if (!(await work())) return;
  }
}
