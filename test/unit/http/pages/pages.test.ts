import { describe, expect, it } from 'vitest';
import { html } from '../../../../src/http/pages/html.js';
import { returnPath } from '../../../../src/http/pages/return-path.js';
import { SessionCookie } from '../../../../src/http/session-cookie.js';

describe('html', () => {
  it('escapes values, and leaves HTML as it is', () => {
    const inner = html`<b>${'<&>"\''}</b>`;
    expect(html`<p>${inner}${'$&'}</p>`.text).toBe('<p><b>&lt;&amp;&gt;&quot;&#39;</b>$&amp;</p>');
  });

  it('joins the HTML of a list', () => {
    expect(html`<ul>${['a', '<'].map((text) => html`<li>${text}</li>`)}</ul>`.text).toBe(
      '<ul><li>a</li><li>&lt;</li></ul>',
    );
  });
});

describe('the path to return to', () => {
  it.each([
    ['/', '/'],
    ['/a/b?c=d&e=%2F#f', '/a/b?c=d&e=%2F#f'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
  ])('%s is accepted', (asked, path) => expect(returnPath(asked)).toBe(path));

  it.each([
    undefined,
    ['/a'],
    '',
    'a',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a/..//evil.example',
    '/./\\evil.example',
    '/\n/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    ` /a`,
    `/${'a'.repeat(8_192)}`,
  ])('%j is refused', (asked) => expect(returnPath(asked)).toBeUndefined());
});

describe('the session cookie', () => {
  it('is read among others', () => {
    const cookie = new SessionCookie('http://localhost');
    expect(cookie.read('a=b; tl_session=token; c=d')).toBe('token');
    expect([cookie.read(undefined), cookie.read('a=b'), cookie.read('tl_session=')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has the name that its URL requires, and is not read under the other name', () => {
    const secure = new SessionCookie('https://bridge.example');
    expect(secure.set('t')).toBe('__Host-tl_session=t; Path=/; HttpOnly; Secure; SameSite=Strict');
    expect(secure.read('tl_session=t')).toBeUndefined();
    expect(secure.clear()).toMatch(/^__Host-tl_session=; Max-Age=0; /);
  });
});
