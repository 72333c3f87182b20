import { ImportError } from '../problem.js';
import { fieldOf, isTable, type Table } from './read-file.js';

/** Limits that no manually written configuration exceeds. */
const LIMITS = { accounts: 200, gateways: 2_000, channels: 200 };

/** An account of a platform, such as `[telegram.main]`. */
export interface Account {
  /** The name that gateways use, in lower case. */
  readonly key: string;
  /** The name as written in the file. */
  readonly label: string;
  readonly protocol: string;
  readonly name: string;
  readonly options: Table;
}

type Direction = 'two_way' | 'inbound' | 'outbound';

/** A chat of an account in a gateway. */
export interface Channel {
  readonly account: string;
  readonly channel: string;
  readonly direction: Direction;
  readonly options: Table;
  /** Path for a report: `gateway.main.inout.telegram.main/-100`. */
  readonly path: string;
}

/** A set of chats that are bridged with each other. */
export interface Gateway {
  /** Identifies the gateway in the file. */
  readonly key: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly channels: readonly Channel[];
}

/** An option that belongs to no account and no channel. */
export interface LooseOption {
  readonly path: string;
  readonly value: unknown;
}

export interface Configuration {
  readonly accounts: readonly Account[];
  readonly gateways: readonly Gateway[];
  /** `[general]`: defaults for all accounts. */
  readonly general: Table;
  readonly loose: readonly LooseOption[];
}

/** Parses the configuration of matterbridge. Raises ImportError if it has another structure. */
export function configurationOf(file: Table): Configuration {
  const accounts: Account[] = [];
  const gateways: Gateway[] = [];
  const loose: LooseOption[] = [];
  let general: Table = {};
  for (const [name, value] of Object.entries(file)) {
    const section = name.toLowerCase();
    if (section === 'gateway') gateways.push(...tablesOf(name, value).map((each) => gatewayOf(each, loose)));
    else if (section === 'samechannelgateway')
      gateways.push(...tablesOf(name, value).flatMap((each) => sameChannelGateways(each, loose)));
    else if (section === 'general' && isTable(value)) general = value;
    else if (section === 'tengo' && isTable(value)) loose.push(...optionsOf(name, value));
    else if (isTable(value)) readAccounts(name, value, accounts, loose);
    else loose.push({ path: name, value });
  }
  loose.push(...optionsOf('general', general));
  bounded('accounts', accounts.length, LIMITS.accounts);
  bounded('gateways', gateways.length, LIMITS.gateways);
  refuseTwice(gateways);
  return { accounts, gateways, general, loose };
}

function bounded(what: string, found: number, maximum: number): void {
  if (found > maximum) throw new ImportError(`The file has ${found} ${what}; at most ${maximum} are read.`);
}

function refuseTwice(gateways: readonly Gateway[]): void {
  const seen = new Set<string>();
  for (const { key } of gateways) {
    if (seen.has(key)) throw new ImportError(`Two gateways have the name ${JSON.stringify(key)}.`);
    seen.add(key);
  }
}

export function optionsOf(path: string, table: Table): LooseOption[] {
  return Object.entries(table).map(([name, value]) => ({ path: `${path}.${name}`, value }));
}

/** Reads a section such as `[telegram]`. Each table is an account. Other values belong to no account. */
function readAccounts(protocol: string, section: Table, accounts: Account[], loose: LooseOption[]): void {
  for (const [name, value] of Object.entries(section)) {
    const label = `${protocol}.${name}`;
    if (!isTable(value)) loose.push({ path: label, value });
    else
      accounts.push({
        key: label.toLowerCase(),
        label,
        protocol: protocol.toLowerCase(),
        name,
        options: value,
      });
  }
}

function tablesOf(name: string, value: unknown): readonly Table[] {
  if (Array.isArray(value) && value.every(isTable)) return value;
  throw new ImportError(`"${name}" must be written [[${name}]].`);
}

const LISTS = [
  ['inout', 'two_way'],
  ['in', 'inbound'],
  ['out', 'outbound'],
] as const;

function gatewayOf(table: Table, loose: LooseOption[]): Gateway {
  const name = textOf(table, 'name', 'A gateway');
  const path = `gateway.${name}`;
  const channels = new Map<string, Channel>();
  for (const [list, direction] of LISTS) {
    const value = fieldOf(table, list);
    if (value === undefined) continue;
    for (const each of tablesOf(`gateway.${list}`, value)) {
      const channel = channelOf(each, `${path}.${list}`, direction, loose);
      const key = JSON.stringify([channel.account, channel.channel]);
      const before = channels.get(key);
      // A channel that is read and written is in both lists.
      channels.set(
        key,
        before === undefined || before.direction === direction
          ? channel
          : { ...before, direction: 'two_way' },
      );
    }
  }
  bounded(`channels in ${path}`, channels.size, LIMITS.channels);
  loose.push(...othersOf(path, table, ['name', 'enable', ...LISTS.map(([list]) => list)]));
  return { key: name, title: name, enabled: isOn(table), channels: [...channels.values()] };
}

function channelOf(table: Table, path: string, direction: Direction, loose: LooseOption[]): Channel {
  const account = textOf(table, 'account', path).toLowerCase();
  const channel = textOf(table, 'channel', path);
  const own = `${path}.${account}/${channel}`;
  const options = fieldOf(table, 'options');
  loose.push(...othersOf(own, table, ['account', 'channel', 'options']));
  return { account, channel, direction, options: isTable(options) ? options : {}, path: own };
}

/** Each channel becomes one conversation, which contains the chats of this name in all accounts. */
function sameChannelGateways(table: Table, loose: LooseOption[]): Gateway[] {
  const name = textOf(table, 'name', 'A samechannelgateway');
  const path = `samechannelgateway.${name}`;
  const accounts = [...new Set(textsOf(table, 'accounts', path).map((account) => account.toLowerCase()))];
  const channels = [...new Set(textsOf(table, 'channels', path))];
  bounded(`channels in ${path}`, accounts.length, LIMITS.channels);
  bounded(`channels in ${path}`, channels.length, LIMITS.channels);
  loose.push(...othersOf(path, table, ['name', 'enable', 'accounts', 'channels']));
  return channels.map((channel) => ({
    key: `${name}/${channel}`,
    title: `${name}: ${channel}`,
    enabled: isOn(table),
    channels: accounts.map((account) => ({
      account,
      channel,
      direction: 'two_way',
      options: {},
      path: `${path}.${account}/${channel}`,
    })),
  }));
}

function othersOf(path: string, table: Table, known: readonly string[]): LooseOption[] {
  return optionsOf(path, table).filter(({ path: each }) => {
    const name = each.slice(path.length + 1).toLowerCase();
    return !known.includes(name);
  });
}

function isOn(table: Table): boolean {
  return isTrue(fieldOf(table, 'enable'));
}

/** Matterbridge also accepts strings for boolean options. */
export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && ['true', '1', 't'].includes(value.toLowerCase()));
}

function textOf(table: Table, name: string, path: string): string {
  const value = fieldOf(table, name);
  if (typeof value === 'string' && value !== '' && value.length <= 256) return value;
  throw new ImportError(`${path}: "${name}" must be a text of 1 to 256 characters.`);
}

function textsOf(table: Table, name: string, path: string): readonly string[] {
  const value = fieldOf(table, name);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' && each.length <= 256))
    return value;
  throw new ImportError(`${path}: "${name}" must be a list of texts.`);
}
