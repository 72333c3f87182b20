import { useEffect } from 'react';
import { playTones } from '../../kit/tones';

const EVERY_MS = 3_000;
const TONES = [440, 554];
const SECONDS = 0.9;

/** Plays the ring tone while a call rings. Browsers allow sounds only after a click on the page. */
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
  if (audio.state === 'running') playTones(audio, TONES, SECONDS);
}
