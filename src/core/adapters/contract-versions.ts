import {
  type Adapter,
  type AdapterDefinition,
  type AdapterHost,
  CONTRACT_VERSION,
  type ConnectionConfig,
  type Envelope,
  type InboundEvent,
  isChange,
  type RemoteUser,
} from '../../contract/index.js';

/** Converts an adapter from one version of the contract to the next. */
type Upgrade = (adapter: Adapter) => Adapter;

const upgrades: Readonly<Record<number, Upgrade>> = { 1: from1To2 };

/** Creates an adapter of the newest contract version, regardless of the supported version it was written for. */
export async function createAdapter(
  definition: AdapterDefinition,
  config: ConnectionConfig,
  host: AdapterHost,
): Promise<Adapter> {
  let adapter = withHooks(await definition.create(config, host));
  for (let version = definition.contractVersion; version < CONTRACT_VERSION; version += 1)
    adapter = upgrades[version]?.(adapter) ?? adapter;
  return adapter;
}

/** In version 1 a change does not have to state its authority. The bridge compares the named person with the author. */
function from1To2(adapter: Adapter): Adapter {
  return withDecode(adapter, (envelope) => {
    const events: unknown = adapter.decode(envelope);
    // A value that is not a list is rejected where all events are checked.
    return (Array.isArray(events) ? events.map(withAuthority) : events) as readonly InboundEvent[];
  });
}

function withAuthority(event: InboundEvent): InboundEvent {
  if (typeof event !== 'object' || event === null || !isChange(event)) return event;
  if (event.authority === 'platform' || event.authority === 'moderator') return event;
  const { actor, sender } = event as { actor?: RemoteUser; sender?: RemoteUser };
  return { ...event, authority: actor?.id || sender?.id ? 'author' : 'unknown' };
}

/** All hooks of an adapter. The type ensures that a new hook is not forgotten below. */
const hooks: {
  readonly [Hook in keyof Adapter]-?: undefined extends Adapter[Hook] ? 'optional' : 'required';
} = {
  identify: 'required',
  checkIngress: 'optional',
  start: 'required',
  handle: 'optional',
  decode: 'required',
  capabilities: 'required',
  plan: 'required',
  rate: 'optional',
  execute: 'required',
  lookup: 'optional',
  openDirect: 'optional',
  findChat: 'optional',
  writesToAddress: 'optional',
  openMedia: 'optional',
  stop: 'required',
};

/** The adapter, if it has the required hooks. Raises an error that names the first one that is missing or no function. */
function withHooks(adapter: Adapter): Adapter {
  if (typeof adapter !== 'object' || adapter === null) throw new TypeError('It must return an adapter.');
  for (const [name, kind] of Object.entries(hooks)) {
    const hook: unknown = Reflect.get(adapter, name);
    if (typeof hook === 'function' || (hook === undefined && kind === 'optional')) continue;
    throw new TypeError(`The hook ${name} of the adapter must be a function.`);
  }
  return adapter;
}

/** The same adapter with another `decode`. Hooks are bound to the original adapter, because it may be a class instance. */
function withDecode(adapter: Adapter, decode: (envelope: Envelope) => readonly InboundEvent[]): Adapter {
  const own = Object.keys(hooks).flatMap((name) => {
    const hook: unknown = Reflect.get(adapter, name);
    return typeof hook === 'function' ? [[name, hook.bind(adapter)] as const] : [];
  });
  return { ...Object.fromEntries(own), decode } as Adapter;
}
