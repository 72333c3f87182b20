import net, { type LookupFunction } from 'node:net';
import tls from 'node:tls';
import NetTransport from 'irc-framework/src/transports/net.js';

interface Dial {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly lookup: LookupFunction;
}

/** The library's transport resolves names itself. This one uses the addresses that the bridge checked. */
export class CheckedTransport extends NetTransport<Dial> {
  override connect(): void {
    const { host, port, tls: isSecure, lookup } = this.options;
    this.disposeSocket();
    this.requested_disconnect = false;
    this.incoming_buffer = Buffer.from('');
    const servername = net.isIP(host) === 0 ? { servername: host } : {};
    this.socket = isSecure
      ? tls.connect({ host, port, lookup, ...servername })
      : net.connect({ host, port, lookup });
    this._onSocketCreate(this.options, this.socket);
  }
}
