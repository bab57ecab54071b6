import { useRef } from 'preact/hooks';

/**
 * Numbers for the items of a list, which stay theirs when items move and go, so that the text that
 * is written in an item and its folds do, too. Items are added and cut at the end.
 */
export function useItemIds(count: number) {
  const state = useRef<{ next: number; ids: readonly number[] }>({ next: 0, ids: [] });
  const { ids, next } = state.current;
  const more = Math.max(0, count - ids.length);
  if (ids.length !== count) {
    const added = Array.from({ length: more }, (_, index) => next + index);
    state.current = { next: next + more, ids: [...ids.slice(0, count), ...added] };
  }
  const set = (change: (known: readonly number[]) => readonly number[]): void => {
    state.current = { ...state.current, ids: change(state.current.ids) };
  };
  return {
    ids: state.current.ids,
    removed: (index: number): void => set((known) => known.toSpliced(index, 1)),
    movedUp: (index: number): void =>
      set((known) => known.toSpliced(index, 1).toSpliced(index - 1, 0, ...known.slice(index, index + 1))),
  };
}
