import { language } from './language';

const names = new Intl.DisplayNames(language, { type: 'language' });

/** The name of a language tag in the language of the page. An unknown tag is returned as it is. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
