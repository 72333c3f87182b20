/** Pieces whose repetition makes a scanner read the same text repeatedly, and what may follow them. */
const PIECES: readonly string[] = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    'a',
    'ab ',
    '1',
    '9,',
    ',',
    ':',
    ';',
    '%',
    '%4',
    '%41',
    '=',
    '&',
    '+',
    '.',
    '@',
    '#',
  ],
  ...[
    '(',
    '[',
    '{',
    '<',
    '>',
    '"',
    "'",
    '`',
    '``',
    '```',
    '|',
    '\\',
    '\\"',
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '||',
  ],
  ...[
    'a*',
    '*a ',
    ' *a',
    '*a* ',
    '_*a',
    '*_a_* ',
    '**a ',
    '_a ',
    '~a ',
    '`a ',
    '``a`',
    '```\n',
    '*<',
    '<a',
    '<!',
    '<@',
    '<!--',
  ],
  ...[
    '<https://a.example|',
    '<https://a.example|b> ',
    '<@U1> ',
    '<@1> ',
    '<:a:1>',
    ':a',
    ':a:',
    '&lt;',
    '&gt;',
    '&amp',
    '&#1;',
  ],
  ...[
    '> ',
    '>',
    '&gt; a\n',
    '> a\n\n',
    '- ',
    '- a\n',
    '  - a\n',
    '1. a\n',
    '# a\n',
    '![',
    '![a](',
    '[a](b)',
    '[a]: b\n',
    '[a][',
    '](',
  ],
  ...[
    '| a ',
    '|-',
    '| a | b |\n',
    '{{',
    '{{a}}',
    '{{a',
    '}}',
    '\u0301',
    'a\u0301',
    '\u200d',
    '👩\u200d',
    '🇩',
    '\u00ad',
    '\u202a',
    '🙂',
  ],
  ...[
    'https://a.example/',
    'a@b',
    'www.',
    '//',
    '/',
    '../',
    '-',
    '---\n',
    '===\n',
    '$',
    '^',
    '?',
    '!',
    'and ',
    'or ',
    'not (',
  ],
];

/** Text before and after the repeats: it opens what never closes, or makes the whole invalid at its end. */
const FRAMES: readonly (readonly [string, string])[] = [
  ['', ''],
  ['*', 'x'],
  ['<', '\u2028'],
  ['"', '"'],
];

/** A text of one kind in any size. */
export interface Repeat {
  readonly name: string;
  /** At most `bytes` in UTF-8. */
  readonly ofSize: (bytes: number) => string;
}

function repeat(piece: string, [before, behind]: readonly [string, string]): Repeat {
  const room = Buffer.byteLength(before + behind);
  const each = Buffer.byteLength(piece);
  return {
    name: JSON.stringify(`${before}${piece}${piece}…${behind}`),
    ofSize: (bytes) => before + piece.repeat(Math.max(1, Math.floor((bytes - room) / each))) + behind,
  };
}

/** Half of one piece and half of another: the first opens brackets, and the second causes searches for their ends. */
function halves(first: string, second: string): Repeat {
  const half = (piece: string, bytes: number) =>
    piece.repeat(Math.max(1, Math.floor(bytes / 2 / Buffer.byteLength(piece))));
  return {
    name: JSON.stringify(`${first}${first}…${second}${second}…`),
    ofSize: (bytes) => half(first, bytes) + half(second, bytes),
  };
}

export const repeats: readonly Repeat[] = [
  ...PIECES.map((piece) => repeat(piece, ['', ''])),
  ...FRAMES.slice(1).flatMap((frame) => PIECES.map((piece) => repeat(piece, frame))),
  ...[
    ['<', '>'],
    ['*a ', '_a '],
    ['[', ']'],
    ['(', ')'],
    ['{{', '}}'],
    ['`', '``'],
    ['*_~', '~_*'],
    ['> ', '- '],
    ['a ', '\u0301'],
  ].map(([first = '', second = '']) => halves(first, second)),
];
