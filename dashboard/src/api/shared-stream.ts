import { followEvents, type Listener, type ServiceEvent, type StreamState } from './event-stream';

const NAME = 'trunkline.events';

type Said =
  | { readonly kind: 'event'; readonly event: ServiceEvent }
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'gap' | 'lost' }
  | { readonly kind: 'new tab' };

/**
 * Follows the events with one stream for all tabs of this browser, because all tabs share a small number of connections. The tab
 * that holds the lock reads the stream and forwards each event. When that tab closes, another tab resumes after the last event
 * that it received. If the browser has no locks, as on pages without HTTPS, each tab opens its own stream.
 */
export async function followTogether(listener: Listener, signal: AbortSignal): Promise<void> {
  if (navigator.locks === undefined) return followEvents(listener, signal);
  const channel = new BroadcastChannel(NAME);
  let lastId: string | undefined;
  let ownState: StreamState | undefined;
  const hear = (said: Said): void => {
    if (said.kind === 'event') {
      lastId = said.event.id;
      listener.event(said.event);
    } else if (said.kind === 'state') listener.state(said.state);
    else if (said.kind === 'gap') listener.gap();
    else if (said.kind === 'lost') listener.lost();
    else if (ownState !== undefined) channel.postMessage({ kind: 'state', state: ownState });
  };
  channel.onmessage = ({ data }: MessageEvent<Said>) => hear(data);
  const tell = (said: Said): void => {
    if (said.kind === 'state') ownState = said.state;
    hear(said);
    channel.postMessage(said);
  };
  channel.postMessage({ kind: 'new tab' } satisfies Said);
  const passOn: Listener = {
    event: (event) => tell({ kind: 'event', event }),
    state: (state) => tell({ kind: 'state', state }),
    gap: () => tell({ kind: 'gap' }),
    lost: () => tell({ kind: 'lost' }),
  };
  try {
    await navigator.locks.request(NAME, { signal }, () => followEvents(passOn, signal, lastId));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}
