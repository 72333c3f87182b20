import { describe, expect, it } from 'vitest';
import { type Guide, GuideError, XmltvReader } from '../../../../../src/core/extras/tv/xmltv.js';
import { countryOf, readXmltvTime } from '../../../../../src/core/extras/tv/xmltv-values.js';

/** The parsed guide, read in chunks of this length. */
function read(body: string, length = 7): Guide {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE tv SYSTEM "xmltv.dtd"><tv>${body}</tv>`;
  const reader = new XmltvReader();
  for (let at = 0; at < xml.length; at += length) reader.write(xml.slice(at, at + length));
  reader.end();
  return reader.take();
}

const one = (inside: string, attributes = 'start="20260101060000 +0100" stop="20260101070000 +0100"') =>
  read(`<programme channel="a" ${attributes}>${inside}</programme>`).programmes;

describe('a channel', () => {
  it('is a network with its first name and all its languages', () => {
    const { networks } = read(`<channel id="one.bbc.co.uk">
      <display-name lang="en">BBC &amp; One</display-name><display-name lang="cy">BBC Un</display-name>
      <display-name>1</display-name><icon src="https://example.com/1.png" width="9"/><url>https://example.com</url>
    </channel><channel id="plain"/><channel id=""/><channel><display-name>x</display-name></channel>`);
    expect(networks).toEqual([
      {
        id: 'one.bbc.co.uk',
        name: 'BBC & One',
        languages: ['en', 'cy'],
        country: 'GB',
        icon_url: 'https://example.com/1.png',
      },
      { id: 'plain', name: 'plain', languages: [], country: null, icon_url: null },
    ]);
  });

  it.each([
    ['arte.de', 'DE'],
    ['BBCOne.uk@SD', 'GB'],
    ['retro.tv', undefined],
    ['x.zz', undefined],
    ['hgtv.com', undefined],
  ])('with the id %s has the country %s', (id, country) => expect(countryOf(id)).toBe(country));
});

describe('a programme', () => {
  it('has an id made of its network and start', () => {
    expect(
      one(`<title lang="de">Die <![CDATA[<Show>]]></title><title lang="en">The show</title>
        <sub-title>x</sub-title><desc>Line one
          and two</desc><credits><director>D</director></credits><category>News</category><category>News</category>
        <category lang="de">Politik</category><icon src="ftp://x/y"/>`),
    ).toEqual([
      {
        id: 'a@20260101T050000Z',
        network_id: 'a',
        title: 'Die <Show>',
        start_at: '2026-01-01T05:00:00.000Z',
        end_at: '2026-01-01T06:00:00.000Z',
        categories: ['News', 'Politik'],
        description: 'Line one and two',
        icon_url: null,
      },
    ]);
  });

  it.each([
    ['no title', '', undefined],
    ['no start', '<title>x</title>', 'stop="20260101070000"'],
    ['a wrong start', '<title>x</title>', 'start="20260231070000"'],
    ['an end before its start', '<title>x</title>', 'start="20260101070000" stop="20260101060000"'],
  ])('with %s is left out', (_what, inside, attributes) => expect(one(inside, attributes)).toEqual([]));

  it('may have no end', () => {
    expect(one('<title>x</title>', 'start="202601010700"')).toMatchObject([{ end_at: null }]);
  });

  it('may contain HTML entities, which stay unchanged', () => {
    expect(one('<title>A&nbsp;B</title>')).toMatchObject([{ title: 'A&nbsp;B' }]);
  });
});

describe('a guide', () => {
  it.each([
    ['cut off', '<programme channel="a" start="20260101070000"><title>x'],
    ['not well-formed', '<channel id="a"></programme>'],
    ['with a strange character', '<channel id="a">\u0000</channel>'],
  ])('that is %s is refused', (_what, body) => expect(() => read(body)).toThrow(GuideError));

  it('with another root element is refused', () => {
    const reader = new XmltvReader();
    expect(() => reader.write('<html><body/>')).toThrow('Expected tv, found html.');
  });
});

describe('a time', () => {
  it.each([
    ['20260101060000 +0100', '2026-01-01T05:00:00.000Z'],
    ['20260101060000 -0330', '2026-01-01T09:30:00.000Z'],
    ['20260101060000', '2026-01-01T06:00:00.000Z'],
    ['20260101060000 UTC', '2026-01-01T06:00:00.000Z'],
    ['2026010106', '2026-01-01T06:00:00.000Z'],
    ['20261301', undefined],
    ['20260101250000', undefined],
    ['tomorrow', undefined],
    ['', undefined],
  ])('%s is %s', (text, iso) => expect(readXmltvTime(text)?.toISOString()).toBe(iso));
});
