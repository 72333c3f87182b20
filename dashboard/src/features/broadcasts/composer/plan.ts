import type { Broadcast } from '../queries';
import { type Delivery, deliveryBody, deliveryOf, hasTimes, PLAIN } from './delivery';
import { type Variant, variantBodies, variantsOf } from './variants';

interface Address {
  readonly platform: string;
  readonly address: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Values that an API client stored in a draft and that the form does not show. */
interface Kept {
  readonly userIds: readonly string[];
  readonly excludedUserIds: readonly string[];
  readonly recipients: readonly Address[];
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Form state of a broadcast. */
export interface Plan {
  readonly name: string;
  readonly category: Broadcast['category'];
  /** Empty means that the broadcast has its own text. */
  readonly templateId: string;
  readonly text: string;
  readonly contentType: Broadcast['content_type'];
  /** Values for all recipients. */
  readonly variables: Readonly<Record<string, string>>;
  readonly segmentIds: readonly string[];
  readonly excludedIds: readonly string[];
  readonly filter: string;
  /** One recipient per line: platform and address. */
  readonly addresses: string;
  /** Absent if an API client stored variants that the form cannot show. */
  readonly variants: readonly Variant[] | undefined;
  readonly delivery: Delivery;
  readonly kept: Kept;
}

/** Props of each card. */
export interface PlanProps {
  readonly plan: Plan;
  readonly onChange: (change: Partial<Plan>) => void;
  /** The error of each field that the service rejected. */
  readonly problems: Readonly<Record<string, string>>;
}

export const EMPTY: Plan = {
  name: '',
  category: 'marketing',
  templateId: '',
  text: '',
  contentType: 'text',
  variables: {},
  segmentIds: [],
  excludedIds: [],
  filter: '',
  addresses: '',
  variants: [],
  delivery: PLAIN,
  kept: { userIds: [], excludedUserIds: [], recipients: [], variables: {} },
};

/** Always available, because the service fills them from the contact. */
const OF_CONTACT = new Set(['user.display_name', 'user.username']);

/** The names in {{ }} that need a value, in order. */
export function variablesOf(text: string): string[] {
  const names = [...text.matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name = '']) => name.trim());
  return [...new Set(names)].filter((name) => name !== '' && !OF_CONTACT.has(name));
}

interface Addresses {
  readonly recipients: readonly Address[];
  /** Numbers of the lines without platform and address, starting at 1. */
  readonly wrongLines: readonly number[];
}

/** Parses lines such as `sms +4915112345678` and `telegram,77112233`. */
export function readAddresses(text: string): Addresses {
  const recipients: Address[] = [];
  const wrongLines: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const said = line.trim();
    const [, platform, address] = /^([a-z][a-z0-9_-]*)[\s,;:]+(\S.*)$/i.exec(said) ?? [];
    if (platform !== undefined && address !== undefined)
      recipients.push({ platform: platform.toLowerCase(), address });
    else if (said !== '') wrongLines.push(index + 1);
  }
  return { recipients, wrongLines };
}

const keyOf = ({ platform, address }: Address) => `${platform} ${address}`;

/** The request body to store or simulate the broadcast. */
export function bodyOf(plan: Plan, names: readonly string[]) {
  const { name, category, templateId, text, contentType, variables, kept } = plan;
  const entered = names.flatMap((key) => (variables[key] ? [[key, variables[key]] as const] : []));
  const others = Object.entries(kept.variables).filter(([key]) => !names.includes(key));
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    category,
    ...(templateId === ''
      ? { text, template_id: null, content_type: contentType }
      : { text: null, template_id: templateId }),
    variables: Object.fromEntries([...others, ...entered]),
    audience: audienceOf(plan),
    ...(plan.variants !== undefined && { variants: variantBodies(plan.variants) }),
    ...deliveryBody(plan.delivery),
  };
}

function audienceOf({ segmentIds, excludedIds, filter, addresses, kept }: Plan) {
  const known = new Map(kept.recipients.map((each) => [keyOf(each), each]));
  return {
    user_ids: kept.userIds,
    segment_ids: segmentIds,
    recipients: readAddresses(addresses).recipients.map((each) => known.get(keyOf(each)) ?? each),
    filter: filter.trim() === '' ? null : filter.trim(),
    exclude: { user_ids: kept.excludedUserIds, segment_ids: excludedIds },
  };
}

/** Whether content, recipients and valid times are present. */
export function isComplete(plan: Plan): boolean {
  const { user_ids: users, segment_ids: segments, recipients, filter } = audienceOf(plan);
  const hasAudience = users.length + segments.length + recipients.length > 0 || filter !== null;
  return hasAudience && hasTimes(plan.delivery) && (plan.templateId !== '' || plan.text.trim() !== '');
}

interface StoredAudience {
  readonly user_ids?: readonly string[];
  readonly segment_ids?: readonly string[];
  readonly recipients?: readonly Address[];
  readonly filter?: string | null;
  readonly exclude?: {
    readonly user_ids?: readonly string[];
    readonly segment_ids?: readonly string[];
  } | null;
}

/** Converts a stored broadcast to form state. */
export function planOf(broadcast: Broadcast): Plan {
  const { name, category, template_id, text, content_type, variables, audience } = broadcast;
  const { user_ids = [], segment_ids = [], recipients = [], filter, exclude } = audience as StoredAudience;
  return {
    name,
    category,
    templateId: template_id ?? '',
    text: text ?? '',
    contentType: content_type,
    variables: Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)])),
    segmentIds: segment_ids,
    excludedIds: exclude?.segment_ids ?? [],
    filter: filter ?? '',
    addresses: recipients.map(keyOf).join('\n'),
    variants: variantsOf(broadcast),
    delivery: deliveryOf(broadcast),
    kept: { userIds: user_ids, excludedUserIds: exclude?.user_ids ?? [], recipients, variables },
  };
}
