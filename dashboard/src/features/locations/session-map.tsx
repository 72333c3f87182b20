import { useEffect, useRef, useState } from 'react';
import type { DrawnMap, MapContent } from './map';
import { messages as t } from './messages';

interface SessionMapProps extends MapContent {
  readonly onChoose: (id: string) => void;
}

/** The map of the sessions. The adjacent list shows the same data to users who do not see the map. */
export function SessionMap({ sessions, chosen, track, onChoose }: SessionMapProps) {
  const place = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<DrawnMap>();
  const [isMissing, setIsMissing] = useState(false);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let drawn: DrawnMap | undefined;
    let isGone = false;
    const draw = async () => {
      const { drawMap } = await import('./map');
      drawn = await drawMap(element, (id) => choose.current(id));
      if (isGone) drawn.remove();
      else setMap(drawn);
    };
    draw().catch(() => setIsMissing(true));
    return () => {
      isGone = true;
      drawn?.remove();
      setMap(undefined);
    };
  }, []);
  useEffect(() => map?.show({ sessions, chosen, track }), [map, sessions, chosen, track]);
  return (
    <div className="-order-1 relative h-72 lg:order-none overflow-hidden rounded-lg border border-line bg-canvas lg:h-full lg:min-h-96">
      <div
        ref={place}
        role="img"
        aria-label={t('mapLabel')}
        data-ready={map !== undefined}
        className="h-full"
      />
      {isMissing && (
        <p
          role="alert"
          className="absolute inset-0 flex items-center justify-center p-6 text-center text-muted"
        >
          {t('noMap')}
        </p>
      )}
    </div>
  );
}
