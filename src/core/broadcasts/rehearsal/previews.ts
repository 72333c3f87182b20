import type { PlannedContent } from './planner.js';
import type { RehearsedRecipient } from './ports.js';
import { MAX_PREVIEWS, type PreviewReason, previewReasons } from './record.js';

/** A chosen recipient and the reason. */
export interface Chosen {
  readonly reason: PreviewReason;
  readonly recipient: RehearsedRecipient;
  readonly planned: PlannedContent;
}

/** Maximum number of slots (reason and name) per platform. A broadcast has at most ten variants. */
const MAX_SLOTS = 100;

/** A sample that is spread evenly over any number of recipients. */
class Spread {
  kept: Chosen[] = [];
  #stride = 1;
  #seen = 0;

  consider(chosen: Chosen): void {
    if (this.#seen % this.#stride === 0) this.kept.push(chosen);
    this.#seen += 1;
    if (this.kept.length < 2 * MAX_PREVIEWS) return;
    this.kept = this.kept.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }
}

/** The most informative recipients of one platform. */
class PlatformChoice {
  readonly typical = new Spread();
  /** The first recipient of each slot (reason and name). */
  readonly #first = new Map<string, Chosen>();
  #longest: Chosen | undefined;
  #shortest: Chosen | undefined;

  consider(recipient: RehearsedRecipient, planned: PlannedContent): void {
    const { text, variant, is_new: isNew } = recipient;
    const { refusal, degradations } = planned;
    this.typical.consider({ reason: 'typical', recipient, planned });
    if (refusal !== null) return this.#keep('refused', recipient, planned, refusal.code);
    if (text.length > (this.#longest?.recipient.text.length ?? -1))
      this.#longest = { reason: 'longest', recipient, planned };
    if (text.length < (this.#shortest?.recipient.text.length ?? Number.POSITIVE_INFINITY))
      this.#shortest = { reason: 'shortest', recipient, planned };
    if (degradations.length > 0) this.#keep('loss', recipient, planned);
    if (variant !== null) this.#keep('variant', recipient, planned, variant);
    if (isNew) this.#keep('new_chat', recipient, planned);
  }

  #keep(reason: PreviewReason, recipient: RehearsedRecipient, planned: PlannedContent, name = ''): void {
    const slot = `${reason} ${name}`;
    if (!this.#first.has(slot) && this.#first.size < MAX_SLOTS)
      this.#first.set(slot, { reason, recipient, planned });
  }

  get all(): Chosen[] {
    const contested = [this.#longest, this.#shortest].flatMap((each) => each ?? []);
    return [...this.#first.values(), ...contested, ...this.typical.kept];
  }
}

/**
 * Chooses the most informative recipients of a broadcast. On each platform these are the longest and the shortest text,
 * each variant, a new chat, a loss of formatting, and a refusal. The rest is spread evenly over the audience.
 */
export class PreviewChoice {
  readonly #platforms = new Map<string, PlatformChoice>();

  consider(recipient: RehearsedRecipient, planned: PlannedContent): void {
    const known = this.#platforms.get(recipient.platform);
    const choice = known ?? new PlatformChoice();
    if (known === undefined) this.#platforms.set(recipient.platform, choice);
    choice.consider(recipient, planned);
  }

  /** At most `maxPreviews` recipients, each once: the most informative first, alternating between platforms. */
  chosen(maxPreviews: number): Chosen[] {
    const all = [...this.#platforms.values()].flatMap((choice) => choice.all);
    const seen = new Set<string>();
    const result: Chosen[] = [];
    for (const reason of previewReasons) {
      for (const each of inTurn(all.filter((one) => one.reason === reason))) {
        if (result.length >= maxPreviews) return result;
        if (seen.has(each.recipient.id)) continue;
        seen.add(each.recipient.id);
        result.push(each);
      }
    }
    return result;
  }
}

/** Alternates between platforms: the first of each, then the second of each, and so on. */
function inTurn(chosen: readonly Chosen[]): Chosen[] {
  const places = new Map<string, number>();
  const placed = chosen.map((each) => {
    const place = places.get(each.recipient.platform) ?? 0;
    places.set(each.recipient.platform, place + 1);
    return { each, place };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ each }) => each);
}
