import type { PlannedContent } from './planner.js';
import type { RehearsedRecipient } from './ports.js';
import { MOST_PREVIEWS, type PreviewReason, previewReasons } from './record.js';

/** A recipient who was chosen, and why. */
export interface Chosen {
  readonly reason: PreviewReason;
  readonly recipient: RehearsedRecipient;
  readonly planned: PlannedContent;
}

/** Names of variants that are remembered on each platform. A broadcast has ten at most. */
const MOST_SLOTS = 1_000;

/**
 * Chooses the recipients that show most of a broadcast: on each platform the longest and the shortest text, each variant, a chat
 * that is new, something that is lost, a refusal. The rest are spread evenly over the audience.
 */
export class PreviewChoice {
  readonly #slots = new Map<string, Chosen>();
  readonly #typical: Chosen[] = [];
  readonly #stride: number;
  #seen = 0;

  constructor(total: number) {
    this.#stride = Math.max(1, Math.floor(total / MOST_PREVIEWS));
  }

  consider(recipient: RehearsedRecipient, planned: PlannedContent): void {
    const { text, variant, is_new: isNew } = recipient;
    const offer = (reason: PreviewReason, name = '') => this.#offer({ reason, recipient, planned }, name);
    if (planned.refusal !== null) offer('refused', planned.refusal.code);
    else {
      this.#contest('longest', { recipient, planned }, (held) => text.length > held.length);
      this.#contest('shortest', { recipient, planned }, (held) => text.length < held.length);
      if (planned.degradations.length > 0) offer('loss');
      if (variant !== null) offer('variant', variant);
      if (isNew) offer('new_chat');
    }
    if (this.#seen % this.#stride === 0 && this.#typical.length < MOST_PREVIEWS)
      this.#typical.push({ reason: 'typical', recipient, planned });
    this.#seen += 1;
  }

  #offer(chosen: Chosen, name: string): void {
    const slot = JSON.stringify([chosen.reason, chosen.recipient.platform, name]);
    if (!this.#slots.has(slot) && this.#slots.size < MOST_SLOTS) this.#slots.set(slot, chosen);
  }

  #contest(reason: PreviewReason, rest: Omit<Chosen, 'reason'>, wins: (held: string) => boolean): void {
    const slot = JSON.stringify([reason, rest.recipient.platform, '']);
    const held = this.#slots.get(slot);
    if (held === undefined || wins(held.recipient.text)) this.#slots.set(slot, { reason, ...rest });
  }

  /** So many at most, each recipient once: the most telling first, and the platforms in turn. */
  chosen(most: number): Chosen[] {
    const all = [...this.#slots.values(), ...this.#typical];
    const seen = new Set<string>();
    const result: Chosen[] = [];
    for (const reason of previewReasons) {
      for (const each of inTurn(all.filter((one) => one.reason === reason))) {
        if (result.length >= most) return result;
        if (seen.has(each.recipient.id)) continue;
        seen.add(each.recipient.id);
        result.push(each);
      }
    }
    return result;
  }
}

/** One of each platform, then the second of each, and so on. */
function inTurn(chosen: readonly Chosen[]): Chosen[] {
  const places = new Map<string, number>();
  const placed = chosen.map((each) => {
    const place = places.get(each.recipient.platform) ?? 0;
    places.set(each.recipient.platform, place + 1);
    return { each, place };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ each }) => each);
}
