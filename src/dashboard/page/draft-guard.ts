import { useEffect, useLayoutEffect } from 'preact/hooks';
import { fragmentOf, type Route } from './route.ts';

/** The question before a draft is discarded, and the action of each answer. */
export interface DraftQuestion {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** The draft of the page, and a way to ask before it is lost. */
export const draftGuard = {
  isUnsaved: false,
  /** Called to show the question. */
  onQuestion: (_question: DraftQuestion): void => {},
};

/** Leaves a draft: at once if nothing is lost, else after the question. */
export function leaveDraft(leave: () => void, stay: () => void = () => {}): void {
  if (!draftGuard.isUnsaved) return leave();
  const discard = (): void => {
    draftGuard.isUnsaved = false;
    leave();
  };
  draftGuard.onQuestion({ leave: discard, stay });
}

/** Guards the draft of a component: in the page, and by the question of the browser. */
export function useDraftGuard(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    draftGuard.isUnsaved = isUnsaved;
    return () => {
      draftGuard.isUnsaved = false;
    };
  }, [isUnsaved]);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: Event): void => {
      if (draftGuard.isUnsaved) event.preventDefault();
    };
    globalThis.addEventListener('beforeunload', ask);
    return () => globalThis.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
}

/** Reports whether the editor of a route is also in another one. */
export function keepsDraft(one: Route, other: Route): boolean {
  return editorOf(one) === editorOf(other);
}

/** The tabs that share an editor, and the namespaces that it does not depend on, are left out. */
function editorOf(route: Route): string {
  const tab = ['yaml', 'form'].includes(route.tab) ? '' : route.tab;
  return fragmentOf({ ...route, tab, namespaces: route.page === 'create' ? route.namespaces.slice(0, 1) : [] });
}
