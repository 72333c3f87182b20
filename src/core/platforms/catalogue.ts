import { type AdapterDefinition, SUPPORTED_CONTRACT_VERSIONS } from '../../contract/index.js';
import { definitionProblem, PLATFORM_ID } from './definition-shape.js';

/** A platform as a refused definition names it. */
export interface UnservedPlatform {
  readonly platform: string;
  readonly name: string;
  readonly version: string;
}

/** An adapter that was not taken in, and why. */
export interface RefusedAdapter {
  /** The package it came from; for one that came with the bridge, its platform. */
  readonly adapter: string;
  /** What it would have served, as far as that is known. */
  readonly platform: UnservedPlatform | undefined;
  /** One sentence or two for a person. */
  readonly reason: string;
}

/** The installed adapters. One that does not fit is refused alone; the others work. */
export class Platforms {
  readonly #definitions = new Map<string, AdapterDefinition>();
  readonly refused: readonly RefusedAdapter[];

  /** `packages` says which package a definition came from; the others came with the bridge. */
  constructor(
    definitions: readonly AdapterDefinition[],
    refusedBefore: readonly RefusedAdapter[] = [],
    packages: ReadonlyMap<AdapterDefinition, string> = new Map(),
  ) {
    const refused = [...refusedBefore];
    for (const definition of definitions) {
      const reason = this.#problem(definition);
      const platform = unservedOf(definition);
      const adapter = packages.get(definition) ?? platform?.platform ?? 'unnamed';
      if (reason === undefined) this.#definitions.set(definition.platform, definition);
      else refused.push({ adapter, platform, reason });
    }
    this.refused = refused;
  }

  #problem(definition: AdapterDefinition): string | undefined {
    if (typeof definition !== 'object' || definition === null) return 'It is no adapter definition.';
    const { contractVersion } = definition;
    if (!SUPPORTED_CONTRACT_VERSIONS.includes(contractVersion)) {
      const supported = SUPPORTED_CONTRACT_VERSIONS.join(' and ');
      return `It is written for adapter contract ${String(contractVersion)}; this Trunkline supports ${supported}. Install a release of the adapter, or of Trunkline, that fits.`;
    }
    const problem = definitionProblem(definition);
    if (problem !== undefined) return problem;
    if (this.#definitions.has(definition.platform)) return 'Another adapter serves this platform already.';
    return undefined;
  }

  find(platform: string): AdapterDefinition | undefined {
    return this.#definitions.get(platform);
  }

  /** The platforms a workspace can use: the sandbox in test workspaces, everything else in live ones. */
  of(environment: 'live' | 'test'): readonly AdapterDefinition[] {
    const all = [...this.#definitions.values()];
    return all.filter((definition) => isSandbox(definition.platform) === (environment === 'test'));
  }

  /** Platforms without an adapter, because theirs was refused. */
  unserved(): readonly UnservedPlatform[] {
    const named = this.refused.flatMap(({ platform }) => platform ?? []);
    const unserved = named.filter(({ platform }) => !this.#definitions.has(platform));
    return [...new Map(unserved.map((each) => [each.platform, each])).values()];
  }
}

/** What can be read from a definition of unknown shape. */
function unservedOf(definition: unknown): UnservedPlatform | undefined {
  const { platform, displayName, version } = Object(definition) as Partial<Record<string, unknown>>;
  if (typeof platform !== 'string' || !PLATFORM_ID.test(platform)) return undefined;
  const text = (value: unknown, otherwise: string) =>
    typeof value === 'string' && value !== '' ? value.slice(0, 64) : otherwise;
  return { platform, name: text(displayName, platform), version: text(version, 'unknown') };
}

/** The platform of test workspaces; nothing of it leaves the machine. */
const SANDBOX = 'sandbox';

export function isSandbox(platform: string): boolean {
  return platform === SANDBOX;
}
