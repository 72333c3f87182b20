import type { ServerResponse } from 'node:http';
import type { Caller } from '../../core/access/caller.js';
import type { Authenticate } from '../../core/authentication/authenticate.js';
import { AppError } from '../../core/common/errors.js';
import { type Route, route, TakeOver } from '../route.js';
import type { Admission } from '../rtc/signaling.js';
import { requireHandshake } from '../rtc/upgrade.js';

export interface RtcOptions {
  /** Authenticates by a join token instead of an API key. */
  readonly seat: Authenticate;
  readonly publicUrl: () => string;
  readonly accept: (response: ServerResponse, admission: Admission) => void;
}

const scopes = ['rtc:write', 'calls:write'] as const;

/** The WebSocket of call signaling. */
export function rtcRoutes({ seat, publicUrl, accept }: RtcOptions): Route[] {
  return [
    route({
      method: 'GET',
      path: '/openapi/rtc',
      summary: 'Open the WebSocket of call signaling, with a key or a join token as subprotocol',
      tag: 'Calls',
      scopes,
      oauth: null,
      ownCredential: seat,
      success: 101,
      handler: async ({ caller, header, isStillValid }) => {
        refuseForeign(header('origin'), publicUrl(), caller);
        requireHandshake(header);
        return new TakeOver((response) => accept(response, { caller, isStillValid }));
      },
    }),
  ];
}

/** Refuses other origins, because their pages could otherwise use credentials of the browser. */
function refuseForeign(origin: string | undefined, publicUrl: string, caller: Caller): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new AppError('access_denied', 'Pages of this origin may not connect.', {
    required: [...scopes],
    provided: [...caller.scopes].sort(),
  });
}
