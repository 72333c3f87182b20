import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { phoneNumber } from '../../../contract/index.js';
import { AppError } from '../../../core/common/errors.js';
import { isProblem } from '../../../core/platforms/addresses.js';
import { type ContactAnswer, contactAnswer, contactOf, numberOf, payloadOf } from './answers.js';
import { metadataOf } from './attributes.js';
import type { ImportContext } from './context.js';
import { cut, isoTime, storable } from './text.js';

const REMEMBERED = 10_000;
const MAX_NAME_LENGTH = 128;
const MAX_ADDRESS_LENGTH = 256;

/** An imported contact, and its address in each inbox that has a connection. */
export interface ImportedContact {
  readonly userId: string;
  readonly name: string;
  readonly addresses: ReadonlyMap<number, string>;
}

/** The contacts of an account. Each is imported once. */
export class Contacts {
  readonly #known = new LRUCache<number, ImportedContact | { readonly reason: string }>({ max: REMEMBERED });

  constructor(private readonly context: ImportContext) {}

  /** Imports the contacts that Chatwoot lists: those with an e-mail address, a phone number or an identifier. */
  async importAll(): Promise<void> {
    const { client, report, progress } = this.context;
    const query = { sort: 'created_at', include_contact_inboxes: 'true' };
    for await (const page of client.pages('contacts', query, payloadOf))
      for (const each of page) {
        const contact = contactAnswer.safeParse(each).data;
        if (contact === undefined)
          report.skip('contacts', numberOf(each), 'The record has an unknown format.');
        else await this.#import(contact);
        progress();
      }
  }

  /** The contact of a conversation or message, which the list may not contain. If it can't be imported, the reason. */
  async of(sender: ContactAnswer): Promise<ImportedContact | { readonly reason: string }> {
    const known = this.#known.get(sender.id);
    if (known !== undefined) return known;
    const whole = contactOf(await this.context.client.get(`contacts/${sender.id}`));
    return this.#import(whole ?? sender);
  }

  async #import(contact: ContactAnswer): Promise<ImportedContact | { readonly reason: string }> {
    const { management, target, identifiers, report, dryRun } = this.context;
    const addresses = this.#addressesOf(contact);
    const name = nameOf(contact);
    const own = { chatwoot_id: contact.id, ...identifierOf(contact) };
    const { kept, left } = metadataOf(own, contact.custom_attributes);
    const input = {
      workspace_id: target.workspace.id,
      id: identifiers.of('contact', contact.id),
      display_name: name,
      email: this.#emailOf(contact),
      phone: this.#phoneOf(contact),
      identities: [...addresses].map(([inbox, address]) => ({
        platform: this.context.inboxes.get(inbox)?.platform ?? '',
        external_id: address,
      })),
      metadata: kept,
      created_at: isoTime(contact.created_at ?? 0),
    };
    const found = await refusable(() => management.inboxImports.contact(unique(input), dryRun));
    const outcome: ImportedContact | { readonly reason: string } =
      found.user_id === null
        ? { reason: reasonOf(found.reason) }
        : { userId: found.user_id, name, addresses };
    if ('reason' in outcome) report.skip('contacts', contact.id, outcome.reason);
    else report.count('contacts', found.status);
    if (left > 0 && found.status === 'created')
      report.note('contacts', contact.id, 'Custom attributes beyond the limits of metadata are left out.');
    this.#known.set(contact.id, outcome);
    return outcome;
  }

  /** Addresses by inbox. Ids that are not valid addresses of the platform are left out. */
  #addressesOf({ id, contact_inboxes: inboxes }: ContactAnswer): Map<number, string> {
    const { management, report } = this.context;
    const found = new Map<number, string>();
    for (const { source_id: source, inbox } of inboxes ?? []) {
      const mapped = inbox == null ? undefined : this.context.inboxes.get(inbox.id);
      if (mapped === undefined || inbox == null || source == null || source === '') continue;
      const address = management.addresses.read(mapped.platform, storable(source));
      if (isProblem(address) || address.address.length > MAX_ADDRESS_LENGTH)
        report.note('contacts', id, 'Its id in an inbox is not a valid address on the platform.');
      else found.set(inbox.id, address.address);
    }
    return found;
  }

  #emailOf({ id, email }: ContactAnswer): string {
    if (email == null || email === '') return '';
    const text = storable(email).toLowerCase();
    if (text.length <= 254 && z.email().safeParse(text).success) return text;
    this.context.report.note('contacts', id, 'Its e-mail address is not valid.');
    return '';
  }

  #phoneOf({ id, phone_number: phone }: ContactAnswer): string | null {
    if (phone == null || phone === '') return null;
    const number = phone.length <= MAX_ADDRESS_LENGTH ? phoneNumber(phone) : undefined;
    if (number === undefined) this.context.report.note('contacts', id, 'Its phone number is not valid.');
    return number ?? null;
  }
}

function nameOf({ id, name, email, phone_number: phone }: ContactAnswer): string {
  const given = [name, email, phone].map((each) => storable(each ?? '').trim()).find((each) => each !== '');
  return cut(given ?? `Contact ${id}`, MAX_NAME_LENGTH);
}

function identifierOf({ identifier }: ContactAnswer): { chatwoot_identifier?: string } {
  return identifier == null || identifier === ''
    ? {}
    : { chatwoot_identifier: cut(storable(identifier), 256) };
}

/** Removes duplicates, because two inboxes of one platform may have the same address. */
function unique<T extends { identities: readonly { platform: string; external_id: string }[] }>(input: T): T {
  const seen = new Map(input.identities.map((each) => [`${each.platform} ${each.external_id}`, each]));
  return { ...input, identities: [...seen.values()].slice(0, 50) };
}

type Result = Awaited<ReturnType<ImportContext['management']['inboxImports']['contact']>>;

/**
 * Tries a second time after a refusal. The running service may have just given the address to another contact, which the second
 * try finds.
 */
async function refusable(work: () => Promise<Result>): Promise<Result> {
  for (let again = true; ; again = false) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!again) return { status: 'skipped', user_id: null, reason: 'address_taken' };
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  erased: 'The contact was erased here.',
  several_contacts: 'Several contacts have its address, e-mail or phone.',
  address_taken: 'Another contact has its address.',
};

function reasonOf(code: string | null): string {
  return REASONS[code ?? ''] ?? 'It cannot be stored.';
}
