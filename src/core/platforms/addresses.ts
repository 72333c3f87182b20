import type { AdapterDefinition } from '../../contract/index.js';
import { AdapterDefect } from '../adapters/hook-runner.js';
import { type FieldProblem, invalidRequest } from '../common/errors.js';
import { codePointLength } from '../schema/scalars.js';
import { isSandbox, type Platforms } from './catalogue.js';
import { normalizedAddress } from './definition-hooks.js';

const MAX_ADDRESS_LENGTH = 256;
const NOT_INSTALLED = 'must be an installed platform';

/** An address on a platform, in its stored form. */
export interface Address {
  readonly platform: string;
  readonly address: string;
}

/** The problem of an address in a request. */
export interface AddressProblem {
  readonly about: 'platform' | 'address';
  readonly code: 'invalid_value' | 'invalid_format';
  /** Text that follows the name of a field. */
  readonly message: string;
}

/** Names of the fields that an address was sent in. */
export interface AddressFields {
  readonly platform: string;
  readonly address: string;
}

/** Converts addresses of people to the form of their platform. */
export class Addresses {
  constructor(private readonly platforms: Pick<Platforms, 'find'>) {}

  /**
   * The same for a workspace of this environment. A live workspace lacks the sandbox. A test workspace accepts contacts of every
   * platform, so that the requests of a program can be tried there.
   */
  of(environment: 'live' | 'test'): Addresses {
    const find = (platform: string) =>
      environment === 'live' && isSandbox(platform) ? undefined : this.platforms.find(platform);
    return new Addresses({ find });
  }

  /** The stored form of the address, or its problem. A platform that is not installed has no addresses. */
  read(platform: string, sent: string): Address | AddressProblem {
    const definition = this.platforms.find(platform);
    if (definition === undefined) {
      return { about: 'platform', code: 'invalid_value', message: NOT_INSTALLED };
    }
    const address = stored(definition, sent);
    if (address instanceof AdapterDefect)
      return { about: 'address', code: 'invalid_format', message: `cannot be checked. ${address.message}` };
    if (address !== undefined && address !== '' && codePointLength(address) <= MAX_ADDRESS_LENGTH) {
      return { platform, address };
    }
    const what = definition.addresses?.description ?? `an address of 1 to ${MAX_ADDRESS_LENGTH} characters`;
    return { about: 'address', code: 'invalid_format', message: `must be ${what}` };
  }

  /**
   * The stored form of the address. Raises `invalid_request`. For a platform that is not installed it returns the address
   * unchanged, because the lookup of a connection reports that problem.
   */
  ofOne(platform: string, sent: string, field: string): string {
    const found = this.read(platform, sent);
    if (!isProblem(found)) return found.address;
    if (found.about === 'platform') return sent;
    throw invalidRequest([{ field, code: found.code, message: found.message }]);
  }

  /** The stored form of a chat id. Raises `invalid_request`. */
  ofChat(platform: string, sent: string, field: string): string {
    const sameForm = this.platforms.find(platform)?.addresses?.areChatIds === true;
    return sameForm ? this.ofOne(platform, sent, field) : sent;
  }

  /** Raises `invalid_request` for each platform of a list that is not installed. */
  checkPlatforms(sent: readonly string[], field: string): void {
    const problems = sent.flatMap((platform, index): FieldProblem[] =>
      this.platforms.find(platform) === undefined
        ? [{ field: `${field}.${index}`, code: 'invalid_value', message: NOT_INSTALLED }]
        : [],
    );
    if (problems.length > 0) throw invalidRequest(problems);
  }

  /** The items with their addresses in stored form. Raises `invalid_request` with all addresses that are not valid. */
  ofAll<T>(
    items: readonly T[],
    named: (item: T) => Address,
    renamed: (item: T, address: string) => T,
    fields: (index: number) => AddressFields,
  ): T[] {
    const problems: FieldProblem[] = [];
    const read = items.map((item, index) => {
      const { platform, address } = named(item);
      const found = this.read(platform, address);
      if (!isProblem(found)) return renamed(item, found.address);
      const { about, code, message } = found;
      problems.push({ field: fields(index)[about], code, message });
      return item;
    });
    if (problems.length > 0) throw invalidRequest(problems.slice(0, MAX_REPORTED));
    return read;
  }
}

/** The stored form, or the failure of the adapter that determines it. */
function stored(definition: AdapterDefinition, sent: string): string | undefined | AdapterDefect {
  try {
    return normalizedAddress(definition, sent);
  } catch (cause) {
    if (cause instanceof AdapterDefect) return cause;
    throw cause;
  }
}

/** Platforms whose addresses are phone numbers. */
export function phonePlatformsOf(platforms: Platforms): string[] {
  const all = [...platforms.of('live'), ...platforms.of('test')];
  return all.filter(({ addresses }) => addresses?.arePhoneNumbers === true).map(({ platform }) => platform);
}

/** Maximum number of problems reported per request. */
const MAX_REPORTED = 50;

export function isProblem(found: Address | AddressProblem): found is AddressProblem {
  return 'about' in found;
}
