import { type AttachmentType, contentMarks, type Mark } from './content.js';

export const capabilityLevels = ['native', 'emulated', 'dropped', 'rejected', 'unknown'] as const;
/**
 * How well a platform can do something: `native` as asked; `emulated` by a stated fallback that keeps the meaning;
 * `dropped` silently left out and reported as a degradation; `rejected` refused before any remote call; `unknown`
 * for things that can't be known beforehand.
 */
export type Level = (typeof capabilityLevels)[number];

export type TextUnit = 'utf16' | 'codepoint' | 'byte' | 'gsm7';

export const capabilityOps = [
  'edit',
  'delete',
  'react',
  'reply',
  'thread',
  'typing',
  'read_out',
  'read_in',
  'delivered',
  'buttons',
  'schedule',
  'history',
  'membership',
  'persona_override',
  'location',
  'live_location',
  'calls',
  'initiate',
] as const;
export type CapabilityOp = (typeof capabilityOps)[number];

export interface MediaCapability {
  readonly mime: Readonly<Record<string, Level>>;
  /** Bytes. Null: unlimited. */
  readonly max_bytes: number | null;
  readonly caption_max: number | null;
  readonly per_message: number | null;
}

/**
 * What a connection can do, as the API serves it (field names are those of the wire). Every cell is a promise:
 * the conformance kit proves each one. A null number means unlimited.
 */
export interface Capabilities {
  readonly text: {
    /** Longest text of one part, counted in `unit`. */
    readonly max: number | null;
    readonly unit: TextUnit;
    readonly formats: Readonly<Record<Mark, Level>>;
  };
  readonly ops: Readonly<Record<CapabilityOp, Level>>;
  readonly media: Readonly<Partial<Record<AttachmentType, MediaCapability>>>;
  readonly edit: {
    readonly max_age_s: number | null;
    readonly max_count: number | null;
    readonly media: boolean;
  } | null;
  readonly delete: { readonly max_age_s: number | null; readonly others: boolean } | null;
  readonly react: { readonly per_user: number | null; readonly allowed: readonly string[] | null } | null;
}

/** Formats table with every mark at one level, to be overridden by name. */
export function formats(base: Level, overrides: Partial<Record<Mark, Level>> = {}): Record<Mark, Level> {
  return {
    ...(Object.fromEntries(contentMarks.map((mark) => [mark, base])) as Record<Mark, Level>),
    ...overrides,
  };
}

/** Ops table with every operation at one level, to be overridden by name. */
export function ops(
  base: Level,
  overrides: Partial<Record<CapabilityOp, Level>> = {},
): Record<CapabilityOp, Level> {
  return {
    ...(Object.fromEntries(capabilityOps.map((op) => [op, base])) as Record<CapabilityOp, Level>),
    ...overrides,
  };
}
