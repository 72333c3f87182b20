import type { LooseOption } from './configuration.js';

/** An option of the file that the import leaves out, and why. Its value is not shown. */
export interface LeftOption {
  readonly path: string;
  readonly reason: string;
}

const NAMES = 'Trunkline writes the name of an author in its own way: see the attribution of a link.';
const FILTER = 'Trunkline relays every message; there is no filter by name or text.';
const REWRITE = 'Trunkline relays texts and names as they are written.';
const EDITS = 'Edits are relayed as edits where the platform can show them.';
const FILES = 'Files go through the storage of Trunkline, with up to 25 MiB each.';
const JOINS =
  'Joins, leaves and changes of a topic are events of the conversation and are not relayed as texts.';
const THREADS = 'Replies and threads are relayed as far as each platform has them.';
const HOOK = 'Messages are sent by the account of the connection.';
const LOGS = 'Logs go to standard output. LOG_LEVEL sets how much is logged.';
const SCRIPT =
  'Trunkline runs no scripts. A program can read events and write messages through the REST API.';

const REASONS: Readonly<Record<string, string>> = {
  allowmention: 'Mentions that are relayed do not notify.',
  avatarurl: NAMES,
  bindaddress: 'The REST API listens on PORT.',
  buffer: 'The event stream resumes after any event of the last 24 hours.',
  debug: LOGS,
  debuglevel: LOGS,
  disablewebpagepreview: 'Trunkline has no setting for previews of links.',
  editdisable: EDITS,
  editsuffix: EDITS,
  extractnicks: REWRITE,
  iconurl: NAMES,
  ignorefailureonstart: 'A connection that fails does not hinder the others.',
  ignoremessages: FILTER,
  ignorenicks: FILTER,
  inmessage: SCRIPT,
  joindelay: 'A connection joins its chats by itself.',
  key: 'A link has no key of a channel.',
  label: NAMES,
  logfile: LOGS,
  mediaconverttgs: 'Files are relayed as they are.',
  mediaconvertwebptopng: 'Files are relayed as they are.',
  mediadownloadblacklist: FILES,
  mediadownloadpath: FILES,
  mediadownloadsize: FILES,
  mediaserverdownload: FILES,
  mediaserverupload: FILES,
  message: SCRIPT,
  messageformat: 'Formats are translated for each platform.',
  nickformatter: NAMES,
  nicksperrow: NAMES,
  nosendjoinpart: JOINS,
  outmessage: SCRIPT,
  prefixmessageswithnick: NAMES,
  preservethreading: THREADS,
  quotedisable: THREADS,
  quoteformat: THREADS,
  quotelengthlimit: THREADS,
  remotenickformat: NAMES,
  replacemessages: REWRITE,
  replacenicks: REWRITE,
  server: 'A chat is known by its id, which needs no server or team.',
  showembeds:
    'Embeds of other bots are kept with their message. messages_of_bots of the connection relays them.',
  showjoinpart: JOINS,
  showtopicchange: JOINS,
  showusertyping: 'Typing is relayed as far as each platform shows it.',
  stripmarkdown: 'Formats are translated for each platform.',
  stripnick: REWRITE,
  synctopic: JOINS,
  team: 'A chat is known by its id, which needs no server or team.',
  tengomodifymessage: SCRIPT,
  uselocalavatar: NAMES,
  usediscriminator: NAMES,
  usefirstname: NAMES,
  useinsecureurl: 'Files are downloaded and sent again. No address with a token is relayed.',
  useusername: NAMES,
  verbosejoinpart: JOINS,
  webhookbindaddress: HOOK,
  webhookurl: HOOK,
};

/** The option with the reason why it is left out. */
export function leftOption({ path, value }: LooseOption): LeftOption {
  const name = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return { path, reason: isOff(value) ? 'It is empty or off.' : (REASONS[name] ?? 'It has no counterpart.') };
}

function isOff(value: unknown): boolean {
  if (value === false || value === '' || value === 0 || value === 'false') return true;
  return Array.isArray(value) && value.length === 0;
}
