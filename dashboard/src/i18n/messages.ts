import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { type Language, language } from './language';

const i18n = setupI18n({ locale: language, messages: { [language]: {} } });

type Catalog = Readonly<Record<string, string>>;

/**
 * Returns a function that formats the texts of one area. The texts are ICU messages in every language. A missing translation of
 * an English text is a type error.
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
