import { lookup } from 'node:dns/promises';

/** All addresses of a host name, as text. Rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The system's resolver. Concurrent lookups of one name share one call, because the resolver has few threads. */
export function createSystemResolver(): Resolve {
  const asked = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const running = asked.get(hostname);
    if (running !== undefined) return running;
    const answer = lookup(hostname, { all: true })
      .then((addresses) => addresses.map(({ address }) => address))
      .finally(() => asked.delete(hostname));
    asked.set(hostname, answer);
    return answer;
  };
}
