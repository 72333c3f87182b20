import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { type Language, language } from './language';

const i18n = setupI18n({ locale: language, messages: { [language]: {} } });

type Catalog = Readonly<Record<string, string>>;

/**
 * The texts of one area in every language, as ICU messages, and the function that shows them. A language without one of the
 * English texts is a type error.
 */
export function defineMessages<const English extends Catalog>(
  area: string,
  catalogs: Readonly<Record<'en', English> & Record<Exclude<Language, 'en'>, Record<keyof English, string>>>,
) {
  const texts = Object.entries<string>(catalogs[language]);
  i18n.load(
    language,
    Object.fromEntries(texts.map(([key, text]) => [`${area}.${key}`, compileMessage(text)])),
  );
  return (key: keyof English & string, values?: Readonly<Record<string, string | number>>): string =>
    i18n._(`${area}.${key}`, values);
}
