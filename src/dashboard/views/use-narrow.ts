import { useEffect, useState } from 'preact/hooks';

/** Follows whether the window is narrow; the same limit as in the style sheet. */
export function useNarrow(): boolean {
  const [query] = useState(() => matchMedia('(max-width: 700px)'));
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => setNarrow(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, [query]);
  return isNarrow;
}
