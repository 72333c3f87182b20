import { describe, expect, it } from 'vitest';
import { GapDetector } from '../../../../../adapters/slack/ingress/gap-detector.js';
import { RecordingHost } from '../../../../support/adapter-host.js';

const GAP = 'history-gap';
const at = (hour: number) => `2026-05-01T${hour}:00:00.000Z`;

/** A process that could not store events since this hour and stores them again now. */
function recovered(host: RecordingHost, hour: number): Promise<void> {
  return new Promise((resolve) => {
    const detector = new GapDetector({ host, byWebhook: true, onGap: resolve });
    detector.stored(0, at(hour));
    detector.failed();
    detector.stored(0, at(20));
  });
}

const since = (host: RecordingHost) => JSON.parse(host.saved(GAP) ?? '{}').since;

/** All processes read the recorded gap before the first one of them writes it. */
function together(host: RecordingHost, processes: number): void {
  const { load } = host.state;
  let release: () => void = () => undefined;
  const everyOne = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  host.state.load = async (name) => {
    const value = await load(name);
    if (name !== GAP) return value;
    reads += 1;
    if (reads === processes) release();
    await everyOne;
    return value;
  };
}

describe('A gap of Slack', () => {
  it.each([[[10, 11]], [[11, 10]]])(
    'is kept from its earliest time when processes record it at once: %j',
    async (hours) => {
      const host = new RecordingHost();
      together(host, hours.length);
      await Promise.all(hours.map((hour) => recovered(host, hour)));
      expect(since(host)).toBe(at(10));
    },
  );

  it('keeps its start when a later gap is recorded', async () => {
    const host = new RecordingHost();
    await recovered(host, 10);
    await recovered(host, 11);
    expect(since(host)).toBe(at(10));
  });

  it.each(['no JSON', '{"since":7}'])('keeps a damaged record unchanged: %s', async (damaged) => {
    const host = new RecordingHost();
    await host.state.save(GAP, damaged);
    await recovered(host, 10);
    // The process that fetches it begins as early as it ever does.
    expect(host.saved(GAP)).toBe(damaged);
  });
});
