/** The parts of irc-framework that this adapter uses. The package has no types. */
declare module 'irc-framework' {
  export interface IrcMessageEvent {
    readonly nick: string;
    readonly target: string;
    readonly message: string;
    readonly from_server?: boolean;
    readonly time?: number;
    readonly tags?: Readonly<Record<string, string>>;
  }

  export interface IrcErrorEvent {
    readonly error: string;
    readonly reason?: string;
    readonly channel?: string;
    readonly nick?: string;
  }

  export interface IrcEvents {
    registered: { readonly nick: string };
    close: boolean;
    'socket close': Error | false | undefined;
    join: { readonly nick: string; readonly channel: string };
    kick: { readonly kicked: string; readonly channel: string; readonly message?: string };
    nick: { readonly nick: string; readonly new_nick: string };
    'nick in use': { readonly nick: string };
    privmsg: IrcMessageEvent;
    action: IrcMessageEvent;
    notice: IrcMessageEvent;
    pong: { readonly message: string };
    'irc error': IrcErrorEvent;
  }

  export class Client {
    readonly user: { readonly nick: string };
    connect(options: Readonly<Record<string, unknown>>): void;
    on<K extends keyof IrcEvents>(event: K, listener: (event: IrcEvents[K]) => void): this;
    off<K extends keyof IrcEvents>(event: K, listener: (event: IrcEvents[K]) => void): this;
    join(channel: string): void;
    changeNick(nick: string): void;
    raw(line: string): void;
    quit(message?: string): void;
  }
}

declare module 'irc-framework/src/transports/net.js' {
  import type { Socket } from 'node:net';

  export default class NetTransport<Options> {
    readonly options: Options;
    socket: Socket | null;
    requested_disconnect: boolean;
    incoming_buffer: Buffer;
    connect(): void;
    disposeSocket(): void;
    _onSocketCreate(options: Options, socket: Socket): void;
  }
}
