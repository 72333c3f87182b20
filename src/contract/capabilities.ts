import { type AttachmentType, contentMarks, type Mark } from './content.js';

export const capabilityLevels = ['native', 'emulated', 'dropped', 'rejected', 'unknown'] as const;
/**
 * How well a platform supports something. `native`: as requested. `emulated`: by a documented fallback that keeps the
 * meaning. `dropped`: omitted and reported as a degradation. `rejected`: refused before any remote call. `unknown`: known
 * only after an attempt.
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
 * The capabilities of a connection, with the field names of the API. The conformance kit tests every cell. A null number
 * means unlimited.
 */
export interface Capabilities {
  readonly text: {
    /** Maximum length of one part, in `unit`. */
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

/** A table of formats with every mark at the level `base`, except for the overrides. */
export function formats(base: Level, overrides: Partial<Record<Mark, Level>> = {}): Record<Mark, Level> {
  return {
    ...(Object.fromEntries(contentMarks.map((mark) => [mark, base])) as Record<Mark, Level>),
    ...overrides,
  };
}

/** A table of operations with every operation at the level `base`, except for the overrides. */
export function ops(
  base: Level,
  overrides: Partial<Record<CapabilityOp, Level>> = {},
): Record<CapabilityOp, Level> {
  return {
    ...(Object.fromEntries(capabilityOps.map((op) => [op, base])) as Record<CapabilityOp, Level>),
    ...overrides,
  };
}
