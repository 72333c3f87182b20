/** One page in the side bar. `page` is its file from the top of the repository. */
export interface NavigationPage {
  readonly text: string;
  readonly page: string;
}

export interface NavigationGroup {
  readonly text: string;
  readonly pages: readonly NavigationPage[];
}

const docs = (text: string, name: string): NavigationPage => ({ text, page: `docs/${name}.md` });

/** The side bar: all pages that a reader should find by topic. Other pages are found by search and by links. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    text: 'Start',
    pages: [
      docs('Quickstart', 'quickstart'),
      docs('Quickstart: Telegram', 'quickstart-telegram'),
      docs('Quickstart: Discord', 'quickstart-discord'),
      docs('Quickstart: Slack', 'quickstart-slack'),
      docs('Quickstart: SMS', 'quickstart-sms'),
    ],
  },
  {
    text: 'Concepts',
    pages: [
      docs('Concepts', 'concepts'),
      docs('Architecture', 'architecture'),
      docs('Follow a message through the code', 'code-paths'),
      docs('Glossary', 'glossary'),
    ],
  },
  {
    text: 'Platforms',
    pages: [
      docs('What each platform can do', 'capabilities'),
      { text: 'Telegram', page: 'adapters/telegram/README.md' },
      { text: 'Discord', page: 'adapters/discord/README.md' },
      { text: 'Slack', page: 'adapters/slack/README.md' },
      { text: 'SMS', page: 'adapters/sms/README.md' },
      { text: 'Sandbox', page: 'adapters/sandbox/README.md' },
      docs('Simulators', 'simulators'),
    ],
  },
  {
    text: 'Guides',
    pages: [
      docs('The REST API', 'rest-api'),
      docs('Link chats', 'linking-chats'),
      docs('Messages', 'messages'),
      docs('Attachments', 'attachments'),
      docs('Returning content', 'returning-content'),
      docs('Contacts and audiences', 'audiences'),
      docs('Broadcasts', 'broadcasts'),
      docs('Events', 'events'),
      docs('Webhooks', 'webhooks'),
      docs('Event catalogue', 'events-catalogue'),
      docs('Calls', 'calls'),
      docs('Locations', 'locations'),
      docs('Lists', 'lists'),
      docs('Analytics', 'analytics'),
      docs('Translations and television', 'translations-and-television'),
      docs('Client library', 'client'),
      docs('OAuth', 'oauth'),
      docs('Agents', 'agents'),
    ],
  },
  {
    text: 'Dashboard',
    pages: [docs('Tour', 'dashboard-tour'), docs('Reference', 'dashboard')],
  },
  {
    text: 'Writing an adapter',
    pages: [
      docs('Writing an adapter', 'writing-an-adapter'),
      docs('Contract reference', 'contract-reference'),
      docs('Conformance', 'conformance'),
      { text: 'Examples', page: 'examples/README.md' },
    ],
  },
  {
    text: 'Operations',
    pages: [
      docs('Configuration', 'configuration'),
      docs('Commands', 'commands'),
      docs('Deployment', 'deployment'),
      docs('Operations and scaling', 'operations'),
      docs('Checking an installation', 'doctor'),
      docs('Runbook by log line', 'runbook'),
      docs('Sizing', 'sizing'),
      docs('Security', 'security'),
      docs('Configuration as a file', 'apply'),
      docs('Importing from other programs', 'importing'),
      docs('Backup and restore', 'backup'),
      docs('Upgrading', 'upgrading'),
      docs('Partitions', 'partitions'),
      docs('Reliability', 'reliability'),
      docs('Benchmarks', 'benchmarks'),
      docs('Quality', 'quality'),
      docs('Behaviours', 'behaviours'),
    ],
  },
  {
    text: 'Project',
    pages: [
      docs('Questions', 'faq'),
      docs('Comparison', 'comparison'),
      docs('All pages', 'README'),
      { text: 'Contributing', page: 'CONTRIBUTING.md' },
      docs('Releasing', 'releasing'),
      { text: 'Changelog', page: 'CHANGELOG.md' },
    ],
  },
];

/** The pages in the top bar. */
export const TOP_BAR: readonly NavigationPage[] = [
  docs('Quickstart', 'quickstart'),
  docs('Platforms', 'capabilities'),
  docs('REST API', 'rest-api'),
  docs('Configuration', 'configuration'),
];

/** The address of a page on the site, without its ending. */
export const linkOf = (page: string): string => `/${page.replace(/\.md$/, '')}`;
