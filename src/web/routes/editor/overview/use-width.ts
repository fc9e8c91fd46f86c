import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

const BEFORE_MEASURED = 640;

/** How many pixels wide the place of a drawing is, so that its words are as large as others. */
export function useWidth(): { readonly ref: RefObject<HTMLDivElement | null>; readonly width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(BEFORE_MEASURED);
  useLayoutEffect(() => {
    const place = ref.current;
    if (!place) return;
    const measure = () => setWidth(Math.max(240, Math.floor(place.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
