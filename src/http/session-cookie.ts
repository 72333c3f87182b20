import { parseCookie, stringifySetCookie } from 'cookie';

/** The cookie with the state of a sign-in at a provider. It is not strict, because another site redirects back. */
export class DepartureCookie {
  private readonly name: string;
  private readonly secure: boolean;

  constructor(
    publicUrl: string,
    private readonly maxAge: number,
  ) {
    this.secure = publicUrl.startsWith('https:');
    this.name = this.secure ? '__Host-tl_departure' : 'tl_departure';
  }

  read(header: string | undefined): string | undefined {
    return header === undefined ? undefined : parseCookie(header)[this.name];
  }

  set(note: string): string {
    return this.with(note, this.maxAge);
  }

  clear(): string {
    return this.with('', 0);
  }

  private with(value: string, maxAge: number): string {
    const { name, secure } = this;
    return stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, secure, sameSite: 'lax' });
  }
}

/** The cookie with the token of a session. It ends with the browser's session. The session itself also expires. */
export class SessionCookie {
  readonly name: string;
  private readonly secure: boolean;

  /** `publicUrl` determines the name, because browsers accept the prefix and its required attribute only over https. */
  constructor(publicUrl: string) {
    this.secure = publicUrl.startsWith('https:');
    this.name = this.secure ? '__Host-tl_session' : 'tl_session';
  }

  /** The token in a Cookie header. */
  readonly read = (header: string | undefined): string | undefined => {
    const token = header === undefined ? undefined : parseCookie(header)[this.name];
    return token === '' ? undefined : token;
  };

  /** The Set-Cookie header of a new session. */
  set(token: string): string {
    return stringifySetCookie({ name: this.name, value: token, ...this.attributes() });
  }

  /** The Set-Cookie header that removes the cookie. */
  clear(): string {
    return stringifySetCookie({ name: this.name, value: '', maxAge: 0, ...this.attributes() });
  }

  private attributes() {
    return { path: '/', httpOnly: true, secure: this.secure, sameSite: 'strict' } as const;
  }
}
