import { useEffect, useState } from 'preact/hooks';

/** The heights of rows in pixels, as in the style sheet; on narrow screens they have two lines. */
export const rowHeights = { wide: 28, narrow: 44 } as const;

/** Rows beyond the visible ones, so that scrolling shows no gap. */
const spare = 12;

/** The rows of a scrolled list that are drawn: from `start` to before `end`. */
export function useVisibleRows(box: { readonly current: HTMLElement | null }, count: number, rowHeight: number) {
  const [view, setView] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const read = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const resized = new ResizeObserver(read);
    resized.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    read();
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, [box.current]);
  const start = Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spare);
  return { start: Math.min(start, end), end };
}
