import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { iceServers } from '../../../../src/core/calls/ice-servers.js';

const NOW = Date.parse('2026-01-01T00:00:00.700Z');
const turn = { turnUrls: ['turn:t.example:3478', 'turns:t.example:5349'], turnSecret: 'north' };

describe('ICE servers', () => {
  it('are empty when none is configured', () => {
    const none = { stunUrls: [], turnUrls: [], turnSecret: undefined };
    expect(iceServers(none, 'u', NOW)).toEqual({ ice_servers: [], expires_at: null });
  });

  it('need no credentials for STUN', () => {
    const stun = { stunUrls: ['stun:s.example'], turnUrls: [], turnSecret: undefined };
    expect(iceServers(stun, 'u', NOW)).toEqual({
      ice_servers: [{ urls: ['stun:s.example'] }],
      expires_at: null,
    });
  });

  it('have credentials in the format of coturn: expiry and user, and their HMAC-SHA1', () => {
    const username = '1767226200:ann';
    const credential = createHmac('sha1', 'north').update(username).digest('base64');
    expect(iceServers({ stunUrls: [], ...turn }, 'ann', NOW)).toEqual({
      ice_servers: [{ urls: turn.turnUrls, username, credential }],
      expires_at: '2026-01-01T00:10:00.000Z',
    });
  });
});
