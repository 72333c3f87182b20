import { platformName } from '../../kit/platform';
import { messages as t } from './messages';
import { REST } from './series';
import { statusTitle } from './status-messages';

/** The title of a measure, by its name in the API. */
export const measureTitle = (key: string): string => t(key as Parameters<typeof t>[0]);

export function groupTitle(group: string | null | typeof REST, by: string | null): string {
  if (group === null) return t('noneOfGroup');
  if (group === REST || group === 'other') return t('otherGroups');
  if (by === 'platform') return platformName(group);
  return by === 'status' ? statusTitle(group) : group;
}
