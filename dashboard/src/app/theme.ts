export type Theme = 'system' | 'light' | 'dark';

/** `public/theme.js` applies the theme, as it does before the first paint. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem('theme', theme);
  dispatchEvent(new Event('theme'));
}
