const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export interface TwimlMessage {
  readonly to: string | undefined;
  readonly from: string | undefined;
  readonly body: string;
  readonly mediaUrls: readonly string[];
}

const MAX_LENGTH = 65_536;
const MAX_MESSAGES = 10;

/** The messages in a webhook response (https://www.twilio.com/docs/messaging/twiml/message). */
export function messagesIn(twiml: string): TwimlMessage[] {
  if (twiml.length > MAX_LENGTH || !twiml.includes('<Response')) return [];
  return twiml
    .split('<Message')
    .slice(1, MAX_MESSAGES + 1)
    .flatMap((piece) => {
      const head = piece.indexOf('>');
      if (head < 0 || piece[head - 1] === '/') return [];
      const inner = until(piece.slice(head + 1), '</Message>');
      const attributes = piece.slice(0, head);
      const bodies = tagged(inner, 'Body');
      return [
        {
          to: attribute(attributes, 'to'),
          from: attribute(attributes, 'from'),
          body: plain(bodies[0] ?? until(inner, '<')).trim(),
          mediaUrls: tagged(inner, 'Media').map((url) => plain(url).trim()),
        },
      ];
    });
}

const until = (text: string, mark: string): string => {
  const end = text.indexOf(mark);
  return end < 0 ? text : text.slice(0, end);
};

const tagged = (text: string, name: string): string[] =>
  text
    .split(`<${name}>`)
    .slice(1)
    .map((piece) => until(piece, `</${name}>`));

function attribute(text: string, name: string): string | undefined {
  const start = text.indexOf(` ${name}="`);
  return start < 0 ? undefined : plain(until(text.slice(start + name.length + 3), '"'));
}

function plain(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
