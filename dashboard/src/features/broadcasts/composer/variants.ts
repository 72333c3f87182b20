import type { Broadcast } from '../queries';

/** One of several texts. Each recipient receives one of them. */
export interface Variant {
  readonly key: string;
  readonly weight: string;
  /** Empty means the text of the broadcast. */
  readonly text: string;
}

const LETTERS = 'ABCDEFGHIJ';
export const MAX_VARIANTS = LETTERS.length;
const HALF = '50';

/** Adds a variant. The first call adds two, because a single variant has no effect. */
export function withVariant(variants: readonly Variant[]): readonly Variant[] {
  const free = [...LETTERS].filter((letter) => variants.every(({ key }) => key !== letter));
  const added = free.slice(0, variants.length === 0 ? 2 : 1);
  return [...variants, ...added.map((key) => ({ key, weight: HALF, text: '' }))].slice(0, MAX_VARIANTS);
}

/** The percentage of recipients for each variant. */
export function shares(variants: readonly Variant[]): number[] {
  const weights = variants.map(({ weight }) => Math.max(0, Number(weight)) || 0);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : Math.round((weight * 100) / sum)));
}

export const variantBodies = (variants: readonly Variant[]) =>
  variants.map(({ key, weight, text }) => ({
    key,
    weight: Number(weight),
    text: text.trim() === '' ? null : text,
  }));

interface StoredVariant {
  readonly key: string;
  readonly weight: number;
  readonly text?: string | null;
  readonly attachments?: readonly unknown[] | null;
}

/** Undefined if variants have their own files, which the form does not show and must not drop. */
export function variantsOf({ variants }: Broadcast): readonly Variant[] | undefined {
  const stored = variants as unknown as readonly StoredVariant[];
  if (stored.some(({ attachments }) => attachments != null)) return undefined;
  return stored.map(({ key, weight, text }) => ({ key, weight: String(weight), text: text ?? '' }));
}
