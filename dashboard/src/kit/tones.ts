const LOUDNESS = 0.05;

/** Plays the tones in sequence, each for the given number of seconds. Consecutive tones overlap by half. */
export function playTones(audio: AudioContext, frequencies: readonly number[], seconds: number): void {
  const volume = audio.createGain();
  volume.gain.value = LOUDNESS;
  volume.connect(audio.destination);
  for (const [index, frequency] of frequencies.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(audio.currentTime + (index * seconds) / 2);
    tone.stop(audio.currentTime + ((index + 1) * seconds) / 2);
  }
}

const MESSAGE_TONES = [660, 880];
const MESSAGE_SECONDS = 0.3;

let shared: AudioContext | undefined;

/** Plays the message sound. Returns false if the browser plays nothing: it allows sounds only after a click on the page. */
export async function playMessageTone(): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  shared ??= new AudioContext();
  // Without a click the audio context stays suspended, and the promise may never settle.
  if (shared.state !== 'running' && navigator.userActivation?.hasBeenActive !== false) await shared.resume();
  if (shared.state !== 'running') return false;
  playTones(shared, MESSAGE_TONES, MESSAGE_SECONDS);
  return true;
}
