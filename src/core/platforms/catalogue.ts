import { type AdapterDefinition, SUPPORTED_CONTRACT_VERSIONS } from '../../contract/index.js';
import { definitionProblem, PLATFORM_ID } from './definition-shape.js';

/** The platform that a refused definition names. */
export interface UnservedPlatform {
  readonly platform: string;
  readonly name: string;
  readonly version: string;
}

/** An adapter that was refused, and the reason. */
export interface RefusedAdapter {
  /** Its package. For a bundled adapter, its platform. */
  readonly adapter: string;
  /** The platform of the adapter, if known. */
  readonly platform: UnservedPlatform | undefined;
  /** One or two sentences for the operator. */
  readonly reason: string;
}

/** The installed adapters. If one is not valid, only that one is refused. */
export class Platforms {
  readonly #definitions = new Map<string, AdapterDefinition>();
  readonly refused: readonly RefusedAdapter[];

  /** `packages`: the package of each definition that is not bundled. */
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

  /** Platforms without an adapter, because their adapter was refused. */
  unserved(): readonly UnservedPlatform[] {
    const named = this.refused.flatMap(({ platform }) => platform ?? []);
    const unserved = named.filter(({ platform }) => !this.#definitions.has(platform));
    return [...new Map(unserved.map((each) => [each.platform, each])).values()];
  }
}

/** The readable parts of a definition of unknown shape. */
function unservedOf(definition: unknown): UnservedPlatform | undefined {
  const { platform, displayName, version } = Object(definition) as Partial<Record<string, unknown>>;
  if (typeof platform !== 'string' || !PLATFORM_ID.test(platform)) return undefined;
  const text = (value: unknown, otherwise: string) =>
    typeof value === 'string' && value !== '' ? value.slice(0, 64) : otherwise;
  return { platform, name: text(displayName, platform), version: text(version, 'unknown') };
}

/** The platform of test workspaces. No data of this platform leaves the machine. */
const SANDBOX = 'sandbox';

export function isSandbox(platform: string): boolean {
  return platform === SANDBOX;
}
