/** A programme of a guide; times are ISO 8601. */
export interface MadeProgramme {
  readonly channel: string;
  readonly start: Date;
  readonly minutes?: number;
  readonly title: string;
  readonly category?: string;
}

/** An XMLTV guide. Programmes without minutes have no end. */
export function xmltv(channels: readonly string[], programmes: readonly MadeProgramme[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv>',
    ...channels.map((id) => `<channel id="${id}"><display-name lang="en">The ${id}</display-name></channel>`),
    ...programmes.map(
      ({ channel, start, minutes, title, category }) =>
        `<programme channel="${channel}" start="${time(start)}"${
          minutes === undefined ? '' : ` stop="${time(new Date(start.getTime() + minutes * 60_000))}"`
        }><title>${title}</title>${category === undefined ? '' : `<category>${category}</category>`}</programme>`,
    ),
    '</tv>',
  ].join('\n');
}

const time = (at: Date) => `${at.toISOString().replace(/[-:T]|\.\d+Z/g, '')} +0000`;
