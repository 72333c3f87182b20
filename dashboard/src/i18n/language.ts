export const LANGUAGES = { en: 'English', es: 'Español', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'language';

function isLanguage(text: string | null | undefined): text is Language {
  return text != null && text in LANGUAGES;
}

function preferred(): Language {
  const chosen = globalThis.localStorage?.getItem(KEY);
  if (isLanguage(chosen)) return chosen;
  const wanted = globalThis.navigator?.languages ?? [];
  return wanted.map((tag) => tag.split('-', 1)[0]).find(isLanguage) ?? 'en';
}

/** The language of this page. A change of the language requires a reload. */
export const language: Language = preferred();

export function changeLanguage(to: Language): void {
  localStorage.setItem(KEY, to);
  location.reload();
}
