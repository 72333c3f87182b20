export type Theme = 'system' | 'light' | 'dark';

/** `public/theme.js` does it, as it does before anything is drawn. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem('theme', theme);
  dispatchEvent(new Event('theme'));
}
