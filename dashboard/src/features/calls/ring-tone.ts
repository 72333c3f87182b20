import { useEffect } from 'react';

const EVERY_MS = 3_000;
const TONES = [440, 554];
const SECONDS = 0.9;
const LOUDNESS = 0.05;

/** Rings while something is ringing. A browser allows the sound once the person has clicked on the page. */
export function useRingTone(isRinging: boolean): void {
  useEffect(() => {
    if (!isRinging || typeof AudioContext === 'undefined') return;
    const audio = new AudioContext();
    ring(audio);
    const timer = setInterval(() => ring(audio), EVERY_MS);
    return () => {
      clearInterval(timer);
      void audio.close();
    };
  }, [isRinging]);
}

function ring(audio: AudioContext): void {
  if (audio.state !== 'running') return;
  const volume = audio.createGain();
  volume.gain.value = LOUDNESS;
  volume.connect(audio.destination);
  for (const [index, frequency] of TONES.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(audio.currentTime + (index * SECONDS) / 2);
    tone.stop(audio.currentTime + ((index + 1) * SECONDS) / 2);
  }
}
