import Negotiator from 'negotiator';

const LANGUAGES = ['en', 'es', 'zh'] as const;
/** The languages of the pages, which are the same as those of the dashboard. */
export type PageLanguage = (typeof LANGUAGES)[number];

/** The value of the attribute `lang`. */
export const LANGUAGE_TAGS: Readonly<Record<PageLanguage, string>> = { en: 'en', es: 'es', zh: 'zh-CN' };

/** A longer header is ignored. Browsers send less than a tenth of this. */
const MAX_CHARACTERS = 1_000;

/** The language that a browser prefers according to `Accept-Language`. Default: English. */
export function languageOf(header: string | undefined): PageLanguage {
  if (header === undefined || header.length > MAX_CHARACTERS) return 'en';
  const [preferred] = new Negotiator({ headers: { 'accept-language': header } }).languages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === preferred) ?? 'en';
}
