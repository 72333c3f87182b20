import { xmltv } from '../support/xmltv.js';
import { ODD_TEXTS } from './oddities.js';
import { Random } from './random.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const CHANNEL = '<channel id="odd"><display-name>Odd</display-name></channel>';
const lols = (levels: number) =>
  Array.from({ length: levels }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');

type Spoil = (random: Random) => string | Buffer;

/** Malicious or defective TV guides. */
const SPOILS: readonly Spoil[] = [
  () =>
    `${HEAD}<!DOCTYPE tv [<!ENTITY l0 "lol">${lols(9)}]><tv><channel id="a"><display-name>&l9;</display-name></channel></tv>`,
  () =>
    `${HEAD}<!DOCTYPE tv [<!ENTITY a "${'a'.repeat(100_000)}">]><tv><channel id="a"><display-name>${'&a;'.repeat(100_000)}</display-name></channel></tv>`,
  () =>
    `${HEAD}<!DOCTYPE tv [<!ENTITY x SYSTEM "file:///etc/passwd">]><tv><channel id="a"><display-name>&x;</display-name></channel></tv>`,
  () => `${HEAD}<!DOCTYPE tv [<!ENTITY % p SYSTEM "http://127.0.0.1:1/evil.dtd">%p;]><tv>${CHANNEL}</tv>`,
  () => `${HEAD}<!DOCTYPE tv [<!ENTITY a "&b;"><!ENTITY b "&a;">]><tv><channel id="&a;"/></tv>`,
  () => `${HEAD}<tv>${'<a>'.repeat(200_000)}`,
  () => `${HEAD}<tv>${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}</tv>`,
  () => `${HEAD}<tv><channel id="${'i'.repeat(2_000_000)}"/></tv>`,
  () => `${HEAD}<tv><channel ${Array.from({ length: 20_000 }, (_, at) => `a${at}="1"`).join(' ')}/></tv>`,
  () =>
    `${HEAD}<tv>${CHANNEL}<programme channel="odd" start="20260101000000 +0000"><title>${'t'.repeat(5_000_000)}</title></programme></tv>`,
  (random) => guideOf(random, () => random.pick(ODD_TEXTS).replace(/[<&"]/g, ' ')),
  (random) => guideOf(random, () => '&#0;&#xD800;&#x110000;'),
  (random) => guideOf(random, () => '&nbsp;&lol;&#x1F600;'),
  (random) =>
    guideOf(random, () =>
      random.pick(['20260230000000', '99999999999999 +9999', '-1', '', '2026', '20260101000000 NaN']),
    ),
  (random) => garbled(Buffer.from(guideOf(random, () => 'News')), random),
  () =>
    Buffer.concat([
      Buffer.from(`${HEAD}<tv>`),
      Buffer.from([0, 0xff, 0xfe, 0xc0, 0xaf]),
      Buffer.from('</tv>'),
    ]),
  () => Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?><tv>${CHANNEL}</tv>`, 'utf16le'),
  () => '<?xml version="9.9" encoding="nope"?><tv/>',
  () => '<html><body>Not a guide</body></html>',
  () => '',
];

/** How many sources one run has. */
export const GUIDE_COUNT = SPOILS.length;

/** The response of a source to the n-th request. */
export function spoiltGuide(seed: number, source: number, times: number): Buffer {
  const random = new Random(`guide:${seed}:${source}:${times}`);
  const spoil = times === 0 ? SPOILS[source % SPOILS.length] : random.pick(SPOILS);
  return Buffer.from(spoil?.(random) ?? '');
}

export const GOOD_CHANNEL = 'one.example.uk';

export function goodGuide(now: Date): string {
  const show = { channel: GOOD_CHANNEL, start: now, minutes: 60, title: 'News' };
  return xmltv([GOOD_CHANNEL], [show]);
}

function guideOf(random: Random, text: () => string): string {
  const programmes = Array.from(
    { length: random.int(1, 60) },
    () =>
      `<programme channel="${text()}" start="${text()}" stop="${text()}"><title>${text()}</title><category>${text()}</category></programme>`,
  );
  return `${HEAD}<tv><channel id="${text()}"><display-name lang="${text()}">${text()}</display-name><icon src="${text()}"/></channel>${programmes.join('')}</tv>`;
}

function garbled(bytes: Buffer, random: Random): Buffer {
  for (let times = 0; times < 5; times += 1) bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  return bytes;
}
