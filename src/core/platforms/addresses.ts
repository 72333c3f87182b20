import { type FieldProblem, invalidRequest } from '../common/errors.js';
import { codePointLength } from '../schema/scalars.js';
import type { Platforms } from './catalogue.js';

const MAX_ADDRESS_LENGTH = 256;
const NOT_INSTALLED = 'must be an installed platform';

/** An address on a platform, as it is stored. */
export interface Address {
  readonly platform: string;
  readonly address: string;
}

/** What is wrong with an address that a client sent. */
export interface AddressProblem {
  readonly about: 'platform' | 'address';
  readonly code: 'invalid_value' | 'invalid_format';
  /** In words that follow the name of a field. */
  readonly message: string;
}

/** Names of the fields that an address was sent in. */
export interface AddressFields {
  readonly platform: string;
  readonly address: string;
}

/** The addresses of people, in the one form that each platform has for them. */
export class Addresses {
  constructor(private readonly platforms: Pick<Platforms, 'find'>) {}

  /** The address as it is stored, or why it can't be one. A platform that is not installed has no addresses. */
  read(platform: string, sent: string): Address | AddressProblem {
    const definition = this.platforms.find(platform);
    if (definition === undefined) {
      return { about: 'platform', code: 'invalid_value', message: NOT_INSTALLED };
    }
    const { normalize, description } = definition.addresses ?? {};
    const address = normalize === undefined ? sent : normalize(sent);
    if (address !== undefined && address !== '' && codePointLength(address) <= MAX_ADDRESS_LENGTH) {
      return { platform, address };
    }
    const what = description ?? `an address of 1 to ${MAX_ADDRESS_LENGTH} characters`;
    return { about: 'address', code: 'invalid_format', message: `must be ${what}` };
  }

  /** The address as it is stored. Raises `invalid_request`. A platform that is not installed is left to those who look for a connection. */
  ofOne(platform: string, sent: string, field: string): string {
    const found = this.read(platform, sent);
    if (!isProblem(found)) return found.address;
    if (found.about === 'platform') return sent;
    throw invalidRequest([{ field, code: found.code, message: found.message }]);
  }

  /** The id of a chat as it is stored. Raises `invalid_request`. */
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

  /** The same items with their addresses as they are stored. Raises `invalid_request` with every one that can't be. */
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

/** Platforms whose addresses are phone numbers. */
export function phonePlatformsOf(platforms: Platforms): string[] {
  const all = [...platforms.of('live'), ...platforms.of('test')];
  return all.filter(({ addresses }) => addresses?.arePhoneNumbers === true).map(({ platform }) => platform);
}

/** Problems reported of one request. */
const MAX_REPORTED = 50;

export function isProblem(found: Address | AddressProblem): found is AddressProblem {
  return 'about' in found;
}
