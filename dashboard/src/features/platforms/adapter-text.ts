import { language } from '../../i18n/language';
import { TRANSLATIONS } from './adapter-messages';

/** A text of an adapter in the language of the page. Adapters that are not bundled have texts in one language. */
export const adapterText = (text: string): string =>
  language === 'en' ? text : (TRANSLATIONS[language][text] ?? text);
