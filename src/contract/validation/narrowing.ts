import {
  type Capabilities,
  capabilityLevels,
  capabilityOps,
  type Level,
  type MediaCapability,
} from '../capabilities.js';
import { contentMarks } from '../content.js';
import { isObject } from './check.js';

/**
 * The first cell in which the capabilities of a connection or chat are malformed or wider than the definition. Undefined if
 * there is none. A connection may support less than its definition: a self-hosted server may accept only smaller files, or
 * an account may not edit.
 */
export function widerCell(claimed: Capabilities, declared: Capabilities): string | undefined {
  if (!isObject(claimed) || !isObject(claimed.text) || !isObject(claimed.ops) || !isObject(claimed.media))
    return 'text, ops or media';
  return (
    widerText(claimed.text, declared.text) ??
    widerLevel('ops', claimed.ops, declared.ops, capabilityOps) ??
    widerMedia(claimed.media, declared.media) ??
    widerPart('edit', claimed.edit, declared.edit) ??
    widerPart('delete', claimed.delete, declared.delete) ??
    widerPart('react', claimed.react, declared.react)
  );
}

function widerText(claimed: Capabilities['text'], declared: Capabilities['text']): string | undefined {
  if (claimed.unit !== declared.unit) return 'text.unit';
  if (isMore(claimed.max, declared.max)) return 'text.max';
  return widerLevel('text.formats', claimed.formats, declared.formats, contentMarks);
}

type Levels = Readonly<Record<string, Level>>;

function widerLevel(at: string, claimed: Levels, declared: Levels, names: readonly string[]) {
  const wider = names.find((name) => !isAtMost(claimed?.[name], declared[name]));
  return wider === undefined ? undefined : `${at}.${wider}`;
}

function isAtMost(claimed: Level | undefined, declared: Level | undefined): boolean {
  if (claimed === undefined || declared === undefined || !capabilityLevels.includes(claimed)) return false;
  // A connection may know a level that is unknown in the definition.
  return declared === 'unknown' || capabilityLevels.indexOf(claimed) >= capabilityLevels.indexOf(declared);
}

function widerMedia(claimed: Capabilities['media'], declared: Capabilities['media']): string | undefined {
  for (const [type, media] of Object.entries(claimed)) {
    const allowed = (declared as Readonly<Record<string, MediaCapability>>)[type];
    if (allowed === undefined || !isObject(media) || !isObject(media.mime)) return `media.${type}`;
    const limit = (['max_bytes', 'caption_max', 'per_message'] as const).find((name) =>
      isMore(media[name], allowed[name]),
    );
    if (limit !== undefined) return `media.${type}.${limit}`;
    const names = [...new Set([...Object.keys(media.mime), ...Object.keys(allowed.mime)])];
    const wider = names.find((name) => !isAtMost(levelOf(media.mime, name), levelOf(allowed.mime, name)));
    if (wider !== undefined) return `media.${type}.mime.${wider}`;
  }
  return undefined;
}

/** Looks up the level of a MIME type as the bridge does: by the type, by its family, or for all types. */
const levelOf = (mime: Levels, name: string): Level =>
  mime[name] ?? mime[`${name.split('/')[0]}/*`] ?? mime['*/*'] ?? 'rejected';

/** A claimed part may have smaller numbers, fewer permissions and shorter lists. */
function widerPart(at: string, claimed: unknown, declared: unknown): string | undefined {
  if (claimed === null) return undefined;
  if (!isObject(claimed) || !isObject(declared)) return at;
  const wider = Object.keys(declared).find((name) => {
    const [value, allowed] = [claimed[name], declared[name]];
    if (typeof allowed === 'boolean') return value !== allowed && value !== false;
    if (Array.isArray(allowed) || Array.isArray(value)) return isMoreOf(value, allowed);
    return isMore(value, allowed);
  });
  return wider === undefined ? undefined : `${at}.${wider}`;
}

/** Null means no limit. */
function isMore(claimed: unknown, declared: unknown): boolean {
  if (claimed === null) return declared !== null;
  return typeof claimed !== 'number' || !(claimed >= 0) || (declared !== null && claimed > Number(declared));
}

function isMoreOf(claimed: unknown, declared: unknown): boolean {
  if (!Array.isArray(claimed) || claimed.some((one) => typeof one !== 'string')) return true;
  return Array.isArray(declared) && claimed.some((one) => !declared.includes(one));
}
