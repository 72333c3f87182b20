import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { type Answer, decode, encode, type Packet, type Question } from 'dns-packet';
import type { Resolve } from '../../src/outgoing/resolve.js';

/** The records of a name: addresses, another name, or a kind of failed answer. */
type DnsRecords = readonly string[] | { readonly cname: string } | 'nxdomain' | 'servfail' | 'silence';

/** A DNS server of the test, on loopback. */
export interface DnsServer {
  /** Names that it was asked for, one entry per question: `name type`. */
  readonly asked: readonly string[];
  /** Sets the records of a name. A function is called again for every pair of questions. */
  set(name: string, records: DnsRecords | ((round: number) => DnsRecords)): void;
  /** Asks this server for both kinds of addresses, over its socket. */
  readonly resolve: Resolve;
  close(): Promise<void>;
}

const noName = 3;
const serverFailure = 2;
const MAX_CHAIN_LENGTH = 8;
/** A busy machine needs many times as long as an idle one for an answer. */
const TIMEOUT_MS = 30_000;
/** For names that get no answer. */
const SILENCE_MS = 200;

export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, (round: number) => DnsRecords>();
  const silent = new Set<string>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const query = decode(message);
    const question = query.questions?.[0];
    if (question === undefined) return;
    const key = `${question.name} ${question.type}`;
    asked.push(key);
    const round = asked.filter((each) => each === key).length;
    const reply = replyTo(question, (name) => zone.get(name)?.(round) ?? 'nxdomain');
    if (reply === undefined) return;
    socket.send(
      encode({ ...reply, id: query.id ?? 0, type: 'response', questions: [question] }),
      port,
      address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    asked,
    set: (name, records) => {
      zone.set(name, typeof records === 'function' ? records : () => records);
      if (records === 'silence') silent.add(name);
      else silent.delete(name);
    },
    resolve: resolveAt(socket, (name) => silent.has(name)),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Answers like a resolver of an access provider: the whole chain in one answer. Undefined: no answer. */
function replyTo(question: Question, find: (name: string) => DnsRecords): Partial<Packet> | undefined {
  const answers: Answer[] = [];
  let { name } = question;
  for (let length = 0; length < MAX_CHAIN_LENGTH; length += 1) {
    const records = find(name);
    if (records === 'silence') return undefined;
    if (records === 'servfail') return { flags: serverFailure };
    if (records === 'nxdomain') return { flags: noName, answers };
    if (!('cname' in records)) return { answers: [...answers, ...addressesOf(name, question, records)] };
    answers.push({ type: 'CNAME', name, ttl: 0, data: records.cname });
    name = records.cname;
  }
  return { answers };
}

function addressesOf(name: string, { type }: Question, addresses: readonly string[]): Answer[] {
  if (type !== 'A' && type !== 'AAAA') return [];
  return addresses
    .filter((address) => address.includes(':') === (type === 'AAAA'))
    .map((data) => ({ type, name, ttl: 0, data }));
}

function resolveAt(socket: Socket, isSilent: (name: string) => boolean): Resolve {
  const resolverWith = (timeout: number) => {
    const resolver = new Resolver({ timeout, tries: 1 });
    resolver.setServers([`127.0.0.1:${socket.address().port}`]);
    return resolver;
  };
  const [patient, impatient] = [resolverWith(TIMEOUT_MS), resolverWith(SILENCE_MS)];
  return async (name) => {
    const resolver = isSilent(name) ? impatient : patient;
    const kinds = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = kinds.flatMap((kind) => (kind.status === 'fulfilled' ? kind.value : []));
    const failure = kinds.find((kind) => kind.status === 'rejected');
    if (found.length === 0 && failure !== undefined) throw failure.reason;
    return found;
  };
}
