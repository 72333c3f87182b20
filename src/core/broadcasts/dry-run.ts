import { MAX_PARTS } from '../../contract/index.js';
import type { DryRunResult, NewBroadcast, RenderedText } from './ports.js';
import type { DryRunRecord } from './record.js';

/** How a platform would split a text, which parts of its formatting would be lost, and what the platform would bill for it. */
export type RenderPreview = (
  platform: string,
  text: string,
  contentType: 'text' | 'markdown',
) => {
  readonly parts: number;
  readonly degradations: readonly string[];
  readonly billed?: { readonly unit: string; readonly count: number };
};

/** Recipients per second assumed for a broadcast without throttle on a connection without a rate. */
const UNTHROTTLED_PER_SECOND = 30;

interface PlatformTally {
  recipients: number;
  parts: number;
  billed: number;
  unit: string | undefined;
  readonly lost: Set<string>;
  tooLong: number;
}

/** Adds up the result of a dry run, text by text. */
export class DryRunTally {
  readonly #platforms = new Map<string, PlatformTally>();
  #inParts = 0;

  constructor(private readonly renderPreview: RenderPreview) {}

  /** Adds a text that `times` recipients would get on a platform. */
  add({ platform, text, times }: RenderedText, contentType: 'text' | 'markdown'): void {
    const { parts, degradations, billed } = this.renderPreview(platform, text, contentType);
    const tally = this.#platforms.get(platform) ?? emptyTally(billed?.unit);
    tally.recipients += times;
    tally.parts += times * parts;
    tally.billed += times * (billed?.count ?? 0);
    this.#platforms.set(platform, tally);
    if (parts > MAX_PARTS) tally.tooLong += times;
    else if (parts > 1) this.#inParts += times;
    for (const name of degradations) tally.lost.add(name);
  }

  describe(result: DryRunResult, { throttle }: NewBroadcast): DryRunRecord {
    const recipients = this.#sum(({ recipients: count }) => count);
    return {
      recipients,
      skips: { ...result.skips },
      parts: this.#sum(({ parts }) => parts),
      eta_seconds: Math.ceil(Math.max(throttled(recipients, throttle), ...this.#secondsOf(result.rates))),
      samples: result.samples.map((sample) => {
        const { parts, degradations } = this.renderPreview(sample.platform, sample.text, result.content_type);
        return { ...sample, parts, degradations: [...degradations] };
      }),
      platforms: this.#byPlatform(),
      without_zone: result.without_zone,
      warnings: this.#warnings(recipients, result.without_zone),
    };
  }

  #byPlatform(): DryRunRecord['platforms'] {
    return [...this.#platforms]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([platform, { recipients, parts, billed, unit, lost, tooLong }]) => ({
        platform,
        recipients,
        parts,
        billed: unit === undefined ? null : { unit, count: billed },
        degradations: [...lost].sort(),
        too_long: tooLong,
      }));
  }

  #sum(of: (tally: PlatformTally) => number): number {
    return [...this.#platforms.values()].reduce((sum, tally) => sum + of(tally), 0);
  }

  /** Seconds that each platform needs at the rate of its connection. The larger of its parts and its billed units counts. */
  #secondsOf(rates: DryRunResult['rates']): number[] {
    return [...this.#platforms].map(
      ([platform, { parts, billed }]) =>
        Math.max(parts, billed) / (rates[platform] || UNTHROTTLED_PER_SECOND),
    );
  }

  /** Warnings about results that the user may not expect. */
  #warnings(recipients: number, withoutZone: number): string[] {
    if (recipients === 0) return ['No recipient of the audience can be reached.'];
    const bills = [...this.#platforms].flatMap(([platform, { billed, unit }]) =>
      unit === undefined ? [] : [`${platform} bills ${billed} ${unit}.`],
    );
    const tooLong = [...this.#platforms].flatMap(([platform, { tooLong: count }]) =>
      count === 0
        ? []
        : [`Too long for ${recipientsOf(count)}: ${platform} takes ${MAX_PARTS} parts at most.`],
    );
    const lost = [...this.#platforms].flatMap(([platform, tally]) =>
      [...tally.lost].map((name) => `Not shown: ${name} on ${platform}.`),
    );
    return [
      ...tooLong.sort(),
      ...(this.#inParts === 0
        ? []
        : [
            `${recipientsOf(this.#inParts)} ${this.#inParts === 1 ? 'gets' : 'get'} the text in more than one part.`,
          ]),
      ...bills.sort(),
      ...zoneWarning(withoutZone),
      ...lost.sort(),
    ];
  }
}

const emptyTally = (unit: string | undefined): PlatformTally => ({
  recipients: 0,
  parts: 0,
  billed: 0,
  unit,
  lost: new Set(),
  tooLong: 0,
});

/** The seconds that a throttle needs for this number of recipients. */
function throttled(recipients: number, throttle: unknown): number {
  const perMinute = (throttle as { per_minute?: number } | null | undefined)?.per_minute;
  return perMinute === undefined ? 0 : (recipients / perMinute) * 60;
}

function zoneWarning(count: number): string[] {
  if (count === 0) return [];
  return [`${recipientsOf(count)} ${count === 1 ? 'has' : 'have'} no time zone`];
}

const recipientsOf = (count: number): string => (count === 1 ? '1 recipient' : `${count} recipients`);
