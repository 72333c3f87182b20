// Sets the theme before anything is drawn. Loaded as a classic script for that reason.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const chosen = localStorage.getItem('theme');
    const theme = chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
  };
  dark.addEventListener('change', apply);
  addEventListener('theme', apply);
  addEventListener('storage', apply);
  apply();
})();
