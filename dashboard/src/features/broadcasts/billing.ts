import { language } from '../../i18n/language';
import { actionMessages as t } from './action-messages';

/** What a platform bills. A unit that the dashboard does not know is shown as the adapter names it, in the plural. */
export function billedText(count: number, unit: string): string {
  return unit === 'segments' ? t('segments', { count }) : `${count.toLocaleString(language)} ${unit}`;
}
