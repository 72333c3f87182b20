import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { client, xml } from '@xmpp/client';
import { freePort, run, start, until } from '../processes.mjs';

const HOST = 'localhost';
const ROOM = `lobby@rooms.${HOST}`;
const PASSWORD = 'open-sesame';

/** Starts Prosody, with one person and the settings of the connection. */
export async function xmppStage(folder) {
  const port = await freePort();
  const data = join(folder, 'prosody');
  const file = join(folder, 'prosody.cfg.lua');
  await mkdir(data, { recursive: true });
  await writeFile(
    file,
    `run_as_root = true
data_path = "${data}"
pidfile = "${data}/prosody.pid"
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
modules_enabled = { "roster", "saslauth", "disco", "ping" }
modules_disabled = { "s2s", "tls" }
authentication = "internal_plain"
log = { info = "*console" }
VirtualHost "${HOST}"
Component "rooms.${HOST}" "muc"
  restrict_room_creation = false
  muc_room_locking = false
`,
  );
  for (const name of ['bridge', 'grace']) {
    await run('prosodyctl', ['--config', file, 'register', name, HOST, PASSWORD]);
  }
  start('prosody', ['--config', file, '-F']);
  const person = await until('Prosody lets a person in', () => enter(port).catch(() => undefined));
  return {
    platform: 'xmpp',
    connection: {
      name: 'Prosody',
      credentials: { jid: `bridge@${HOST}`, password: PASSWORD },
      settings: { api_base_url: `tcp://127.0.0.1:${port}`, rooms: ROOM },
    },
    externalId: ROOM,
    address: `grace@${HOST}`,
    ...person,
  };
}

async function enter(port) {
  const heard = [];
  const person = client({
    service: `xmpp://127.0.0.1:${port}`,
    domain: HOST,
    username: 'grace',
    password: PASSWORD,
  });
  person.on('error', () => undefined);
  person.on('stanza', (stanza) => {
    const body = stanza.is('message') && stanza.getChildText('body');
    if (body) heard.push({ from: stanza.attrs.from, body });
  });
  try {
    await person.start();
  } catch (error) {
    person.reconnect.stop();
    throw error;
  }
  // A client without presence gets no direct messages.
  await person.send(xml('presence'));
  await person.send(
    xml('presence', { to: `${ROOM}/grace` }, xml('x', { xmlns: 'http://jabber.org/protocol/muc' })),
  );
  return {
    sender: 'grace',
    say: (text) =>
      person.send(
        xml('message', { to: ROOM, type: 'groupchat', id: `g${Date.now()}` }, xml('body', {}, text)),
      ),
    heard: (text) => heard.some(({ from, body }) => from === `${ROOM}/Trunkline` && body === text),
    copies: (text) => heard.filter(({ body }) => body.includes(text)).length,
    leave: () => person.stop(),
  };
}
