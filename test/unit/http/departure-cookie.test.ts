import { expect, it } from 'vitest';
import { DepartureCookie } from '../../../src/http/session-cookie.js';

it('the departure cookie is bound to the host if the service is reached over https', () => {
  const cookie = new DepartureCookie('https://bridge.example', 600);
  expect(cookie.set('note')).toBe(
    '__Host-tl_departure=note; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(cookie.read('tl_departure=forged; __Host-tl_departure=note')).toBe('note');
  expect(cookie.clear()).toContain('Max-Age=0');
});
