// Shows the descriptions that this service serves. Nothing is loaded or requested from other origins.
const description = (title, slug, version) => ({ title, slug, url: `/openapi.json?version=${version}` });

window.Scalar.createApiReference('#reference', {
  sources: [
    { ...description('Version 1.0', 'v1', '1.0'), default: true },
    description('Version 2.0 (beta)', 'v2', '2.0'),
  ],
  // With some fonts, the button next to a long heading makes the page wider than the screen of a phone.
  customCss: '#reference { overflow-x: clip; }',
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  persistAuth: false,
  documentDownloadType: 'json',
  defaultOpenFirstTag: true,
});
