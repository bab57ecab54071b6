import assert from 'node:assert/strict';
import { checkWatchOptions, parseListOptions, watchStartOf } from '../../../src/api/options/list-options.ts';
import { defaultListFeatures, type ListFeatures } from '../../../src/api/request/list-features.ts';
import { StatusError } from '../../../src/status/status-error.ts';

/** A combination of options; '' is an option that is not given. */
interface WatchCell {
  readonly version: '' | '0' | '7';
  readonly match: '' | 'Exact' | 'NotOlderThan' | 'Bogus';
  readonly initial: '' | 'true' | 'false';
  readonly continueToken: '' | 'x';
  readonly bookmarks: boolean;
  /** False for the deprecated paths of watches, which have the options of lists. */
  readonly watch: boolean;
  readonly gate: 'enabled' | 'disabled';
}

const cells: readonly WatchCell[] = (['', '0', '7'] as const).flatMap((version) =>
  (['', 'Exact', 'NotOlderThan', 'Bogus'] as const).flatMap((match) =>
    (['', 'true', 'false'] as const).flatMap((initial) =>
      (['', 'x'] as const).flatMap((continueToken) =>
        [true, false].flatMap((bookmarks) =>
          [true, false].flatMap((watch) =>
            (['enabled', 'disabled'] as const).map(
              (gate): WatchCell => ({ version, match, initial, continueToken, bookmarks, watch, gate }),
            ),
          ),
        ),
      ),
    ),
  ),
);

/** The reasons why a combination is refused from release 1.27 on, in their order, in few words. */
function refusals(cell: WatchCell): readonly RegExp[] {
  const { version, match, initial, continueToken, watch, gate } = cell;
  const reasons: [boolean, RegExp][] = watch
    ? [
        [initial !== '' && match !== 'NotOlderThan', /requires setting resourceVersionMatch to NotOlderThan/],
        [initial !== '' && gate === 'disabled', /unless the WatchList feature gate is enabled/],
        [initial === '' && match !== '', /forbidden for watch unless sendInitialEvents is provided/],
        [match === 'Exact' || match === 'Bogus', /Unsupported value: "\w+": supported values: "NotOlderThan"/],
        [(match !== '' || isListByDefault(cell)) && continueToken !== '', /forbidden when continue is provided/],
      ]
    : [
        [match !== '' && version === '', /forbidden unless resourceVersion is provided/],
        [match !== '' && continueToken !== '', /forbidden when continue is provided/],
        [match === 'Bogus', /Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan"/],
        [match === 'Exact' && version === '0', /"exact\\?" is forbidden for resourceVersion/],
        [initial !== '', /sendInitialEvents is forbidden for list/],
      ];
  return reasons.filter(([holds]) => holds).map(([, reason]) => reason);
}

/** True for a watch that begins with the state anyway, and so is a watch list without asking. */
function isListByDefault({ version, match, initial, watch, gate }: WatchCell): boolean {
  return initial === '' && match === '' && watch && gate === 'enabled' && version !== '7';
}

/** The state or the changes that a watch begins with, and the bookmark after the state. */
function startOf(cell: WatchCell): string {
  const { version, initial, bookmarks } = cell;
  const asked = initial === 'true' || isListByDefault(cell);
  if (initial === 'false') return version === '7' ? 'after' : 'now';
  if (asked) return bookmarks ? 'state, end' : 'state';
  return version === '7' ? 'after' : 'state';
}

function found(cell: WatchCell): readonly string[] | string {
  const features: ListFeatures = { ...defaultListFeatures, watchLists: cell.gate };
  const query = new URLSearchParams({
    ...(cell.version ? { resourceVersion: cell.version } : {}),
    ...(cell.match ? { resourceVersionMatch: cell.match } : {}),
    ...(cell.initial ? { sendInitialEvents: cell.initial } : {}),
    ...(cell.continueToken ? { continue: cell.continueToken } : {}),
    ...(cell.bookmarks ? { allowWatchBookmarks: '1' } : {}),
    ...(cell.watch ? { watch: '1' } : {}),
  });
  const options = parseListOptions(query);
  try {
    checkWatchOptions(options, { features, apiDomain: 'k8s.io' });
  } catch (error) {
    assert.ok(error instanceof StatusError && error.code === 422);
    return (error.details?.causes ?? []).map(({ message = '' }) => message);
  }
  const start = watchStartOf(options, features);
  return start.kind === 'state' && start.bookmarkAfterState ? 'state, end' : start.kind;
}

describe('the options of watches from release 1.27 on, in all combinations', () => {
  it(`are refused or followed as in kube-apiserver (${cells.length} cells)`, () => {
    for (const cell of cells) {
      const wanted = refusals(cell);
      const result = found(cell);
      const text = JSON.stringify({ cell, result });
      if (wanted.length === 0) assert.equal(result, startOf(cell), text);
      else {
        assert.ok(typeof result !== 'string' && result.length === wanted.length, text);
        for (const [index, reason] of wanted.entries()) assert.match(result[index] ?? '', reason, text);
      }
    }
  });
});
