import { useEffect, useState } from 'preact/hooks';

/**
 * Follows a text that may change often: at most one change in `pauseMs`, and the last one always.
 * With `everyMs` the text also changes from time to time, so that what is read by it is read again.
 */
export function usePaced(text: string, pauseMs: number, everyMs?: number): string {
  const [state, setState] = useState({ text, turn: 0, atMs: 0 });
  useEffect(() => {
    if (state.text === text) return undefined;
    const show = (): void => setState(({ turn }) => ({ text, turn, atMs: performance.now() }));
    const timer = setTimeout(show, Math.max(0, state.atMs + pauseMs - performance.now()));
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const again = (): void => {
      if (!document.hidden) setState((known) => ({ ...known, turn: known.turn + 1 }));
    };
    const timer = setInterval(again, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return `${state.text} ${state.turn}`;
}
