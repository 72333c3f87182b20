import Negotiator from 'negotiator';

const LANGUAGES = ['en', 'es', 'zh'] as const;
/** The languages of the pages, which are those of the dashboard. */
export type PageLanguage = (typeof LANGUAGES)[number];

/** The value of `lang` of a page. */
export const LANGUAGE_TAGS: Readonly<Record<PageLanguage, string>> = { en: 'en', es: 'es', zh: 'zh-CN' };

/** A longer header is ignored: browsers send less than a tenth of it. */
const MAX_CHARACTERS = 1_000;

/** The language that a browser prefers by its `Accept-Language`, or English. */
export function languageOf(header: string | undefined): PageLanguage {
  if (header === undefined || header.length > MAX_CHARACTERS) return 'en';
  const [preferred] = new Negotiator({ headers: { 'accept-language': header } }).languages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === preferred) ?? 'en';
}
