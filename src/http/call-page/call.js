// Joins a call: a WebSocket for signaling, and a peer connection to each other participant. Who is in the call already
// offers to who comes new, so that no two offers cross.

const root = document.getElementById('call');
const { callId, type, url, places } = JSON.parse(root.dataset.call);
const people = document.getElementById('people');
const status = document.getElementById('status');
const names = new Map(places.map(({ userId, name }) => [userId, name]));
const RECONNECT_MS = 1_000;

/** @type {Map<string, { connection: RTCPeerConnection, figure: HTMLElement, waiting: object[] }>} */
const peers = new Map();
let place;
let media;
let socket;
let over = false;

for (const button of root.querySelectorAll('[data-place]')) {
  button.addEventListener('click', () => start(places[Number(button.dataset.place)]));
}
document.getElementById('leave').addEventListener('click', leave);
document.getElementById('mute').addEventListener('click', mute);

async function start(chosen) {
  place = chosen;
  document.getElementById('places').hidden = true;
  try {
    media = await navigator.mediaDevices.getUserMedia({ audio: true, video: type === 'video' });
  } catch (error) {
    say(`The microphone${type === 'video' ? ' or the camera' : ''} can't be used: ${error.message}`);
    document.getElementById('places').hidden = false;
    return;
  }
  people.hidden = false;
  document.getElementById('controls').hidden = false;
  show(figureOf(place.name, true), media);
  connect();
}

function connect() {
  say('Connecting…');
  socket = new WebSocket(url, ['trunkline.rtc.v1', `trunkline.token.${place.token}`]);
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
  socket.addEventListener('close', ({ code }) => lost(code));
}

/** A restart of the service or a gap in the network: what was agreed between browsers goes on meanwhile. */
function lost(code) {
  if (over) return;
  if (code === 1006 || code < 4000) setTimeout(connect, RECONNECT_MS);
  else finish('The connection has ended. Open the link again to come back.');
}

function send(frame) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ call_id: callId, ...frame }));
}

async function receive(frame) {
  if (frame.call_id !== undefined && frame.call_id !== callId) return;
  switch (frame.type) {
    case 'ready':
      send({ type: 'join', ref: 'join' });
      break;
    case 'ack':
      say('You are in the call.');
      break;
    case 'error':
      finish(frame.message);
      break;
    case 'ping':
      send({ type: 'pong' });
      break;
    case 'joined':
      await offer(frame.user_id);
      break;
    case 'offer':
      await answer(frame.from, frame.payload);
      break;
    case 'answer':
      await settle(frame.from, frame.payload);
      break;
    case 'candidate':
      await addCandidate(frame.from, frame.payload);
      break;
    case 'left':
    case 'declined':
      forget(frame.user_id);
      break;
    case 'ended':
      if (frame.call.id === callId) finish('The call is over.');
      break;
  }
}

function open(userId) {
  forget(userId);
  const connection = new RTCPeerConnection({ iceServers: place.iceServers });
  const peer = { connection, figure: figureOf(names.get(userId) ?? 'Participant', false), waiting: [] };
  peers.set(userId, peer);
  for (const track of media.getTracks()) connection.addTrack(track, media);
  connection.addEventListener('track', ({ streams }) => show(peer.figure, streams[0]));
  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate !== null) send({ type: 'candidate', to: userId, payload: candidate.toJSON() });
  });
  return peer;
}

async function offer(userId) {
  const { connection } = open(userId);
  await connection.setLocalDescription();
  send({ type: 'offer', to: userId, payload: connection.localDescription.toJSON() });
}

async function answer(userId, description) {
  const peer = open(userId);
  await settlePeer(peer, description);
  await peer.connection.setLocalDescription();
  send({ type: 'answer', to: userId, payload: peer.connection.localDescription.toJSON() });
}

async function settle(userId, description) {
  const peer = peers.get(userId);
  if (peer?.connection.signalingState === 'have-local-offer') await settlePeer(peer, description);
}

async function settlePeer(peer, description) {
  await peer.connection.setRemoteDescription(description);
  for (const candidate of peer.waiting.splice(0)) await peer.connection.addIceCandidate(candidate);
}

/** A candidate may come before the description that it belongs to. */
async function addCandidate(userId, candidate) {
  const peer = peers.get(userId);
  if (peer === undefined) return;
  if (peer.connection.remoteDescription === null) peer.waiting.push(candidate);
  else await peer.connection.addIceCandidate(candidate);
}

function forget(userId) {
  const peer = peers.get(userId);
  peers.delete(userId);
  peer?.connection.close();
  peer?.figure.remove();
}

function leave() {
  send({ type: 'leave' });
  finish('You have left the call.');
}

function mute({ currentTarget: button }) {
  const muted = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', String(muted));
  button.textContent = muted ? 'Unmute' : 'Mute';
  for (const track of media.getAudioTracks()) track.enabled = !muted;
}

function finish(message) {
  over = true;
  for (const userId of [...peers.keys()]) forget(userId);
  for (const track of media?.getTracks() ?? []) track.stop();
  socket?.close();
  people.hidden = true;
  document.getElementById('controls').hidden = true;
  say(message);
}

function figureOf(name, own) {
  const figure = document.createElement('figure');
  const video = document.createElement('video');
  video.autoplay = true;
  video.playsInline = true;
  video.muted = own;
  video.classList.toggle('voice', type === 'voice');
  const caption = document.createElement('figcaption');
  caption.textContent = own ? `${name} (you)` : name;
  figure.append(video, caption);
  people.append(figure);
  return figure;
}

function show(figure, stream) {
  figure.querySelector('video').srcObject = stream;
}

function say(text) {
  status.textContent = text;
}
