import type { FeedState } from '../server/follow.ts';

const stateTexts: Readonly<Record<FeedState, string>> = {
  loading: 'loading',
  live: 'live',
  still: 'read now and then',
  lost: 'connection lost, trying again',
  refused: 'refused',
};

/** The worst state of several connections comes first. */
const worst: readonly FeedState[] = ['refused', 'lost', 'loading', 'still', 'live'];

interface Connection {
  readonly state: FeedState;
  readonly error: string;
}

/** The state of the connections of a view, which is said aloud when it changes. */
export function ConnectionState({ feeds }: { readonly feeds: readonly Connection[] }) {
  const state = worst.find((each) => feeds.some((feed) => feed.state === each)) ?? 'loading';
  const error = feeds.find((feed) => feed.state === state)?.error ?? '';
  return (
    <span class={`state ${state}`} role="status" title={error}>
      {state === 'refused' ? error : stateTexts[state]}
    </span>
  );
}
