import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, start, until } from '../processes.mjs';

const CHANNEL = '#lobby';
const PASSWORD = 'open-sesame';

/** Starts ngIRCd, with one person and the settings of the connection. */
export async function ircStage(folder) {
  const port = await freePort();
  const file = join(folder, 'ngircd.conf');
  await writeFile(
    file,
    `[Global]
Name = irc.example.test
Info = Examples
AdminEMail = admin@example.test
Listen = 127.0.0.1
Ports = ${port}
Password = ${PASSWORD}
[Options]
DNS = no
Ident = no
PAM = no
`,
  );
  start('/usr/sbin/ngircd', ['-n', '-f', file]);
  const person = await until('ngIRCd accepts a client', () => enter(port).catch(() => undefined));
  return {
    platform: 'irc',
    connection: {
      name: 'ngIRCd',
      credentials: { nick: 'bridge', password: PASSWORD },
      settings: { api_base_url: `tcp://127.0.0.1:${port}`, channels: CHANNEL, rate_per_second: 5 },
    },
    externalId: CHANNEL,
    address: 'grace',
    ...person,
  };
}

/** A person whose client reads and writes single lines. */
async function enter(port) {
  const lines = [];
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.on('error', () => undefined);
  const write = (line) => socket.write(`${line}\r\n`);
  createInterface({ input: socket }).on('line', (line) => {
    lines.push(line);
    if (line.startsWith('PING')) write(line.replace('PING', 'PONG'));
  });
  for (const line of [`PASS ${PASSWORD}`, 'NICK grace', 'USER grace 0 * :Grace', `JOIN ${CHANNEL}`])
    write(line);
  await until(
    'Grace is in the channel',
    () => lines.some((line) => line.includes(` 366 grace ${CHANNEL} `)),
    3_000,
  );
  return {
    sender: 'grace',
    say: (text) => write(`PRIVMSG ${CHANNEL} :${text}`),
    heard: (text) => lines.some((line) => line.startsWith(':bridge!') && line.endsWith(`:${text}`)),
    copies: (text) => lines.filter((line) => line.includes('PRIVMSG') && line.includes(text)).length,
    leave: () => socket.destroy(),
  };
}
