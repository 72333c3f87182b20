/** Scopes of API keys by area, in the order of the API's documentation. `:write` never implies `:read`. */
export const SCOPE_AREAS = {
  messages: ['read', 'write', 'draft'],
  conversations: ['read', 'write'],
  broadcasts: ['read', 'write'],
  profile: ['read', 'write'],
  calls: ['read', 'write'],
  rtc: ['write'],
  locations: ['read', 'write'],
  platforms: ['read', 'write'],
  protocols: ['read'],
  analytics: ['read'],
  translation: ['write'],
  tv: ['read'],
} as const;

export type Area = keyof typeof SCOPE_AREAS;
export type Preset = 'all' | 'messaging' | 'agent' | 'readOnly' | 'custom';

export const AREAS = Object.keys(SCOPE_AREAS) as Area[];

const scopesOf = (area: Area): string[] => SCOPE_AREAS[area].map((right) => `${area}:${right}`);

export const ALL_SCOPES: readonly string[] = AREAS.flatMap(scopesOf);

const PRESETS: Readonly<Record<Exclude<Preset, 'custom'>, readonly string[]>> = {
  all: ALL_SCOPES,
  messaging: [
    'messages:read',
    'messages:write',
    ...scopesOf('conversations'),
    ...scopesOf('profile'),
    'platforms:read',
    'protocols:read',
  ],
  agent: ['messages:read', 'messages:draft', 'conversations:read', 'profile:read', 'platforms:read'],
  readOnly: ALL_SCOPES.filter((scope) => scope.endsWith(':read')),
};

/** The scopes of a preset. `custom` keeps the selected ones. */
export function scopesOfPreset(preset: Preset, chosen: readonly string[]): readonly string[] {
  return preset === 'custom' ? chosen : PRESETS[preset];
}

/** The preset with exactly these scopes. */
export function presetOf(scopes: readonly string[]): Preset {
  const chosen = [...scopes].sort().join();
  const presets = Object.entries(PRESETS) as [Exclude<Preset, 'custom'>, readonly string[]][];
  return presets.find(([, each]) => [...each].sort().join() === chosen)?.[0] ?? 'custom';
}
