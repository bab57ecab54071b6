import { pause, type Scenario } from '../scenario.ts';

/** No fault at all: traffic alone, on one server. */
export const quiet: Scenario = {
  name: 'when nothing fails',
  given: {},
  rate: 250,
  met: ({ operations, watches }) => {
    const documents = watches.flatMap((watch) => watch.documents);
    const bookmarks = documents.filter(({ type }) => type === 'BOOKMARK');
    const paged = operations.some(({ list }) => (list?.revisions.length ?? 0) > 2);
    return paged && bookmarks.some((one) => one.endsInitialState) && bookmarks.some((one) => !one.endsInitialState);
  },
  fault: ({ scale }) => pause(20_000 * scale),
};
