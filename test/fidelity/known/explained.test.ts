import assert from 'node:assert/strict';
import { compareResponses } from '../compare-responses.ts';
import type { SequenceStep } from '../sequence.ts';
import { knownDifferences } from './known-differences.ts';
import { applyStories } from './stories/apply-stories.ts';
import { customStories } from './stories/custom-stories.ts';
import { referenceStories } from './stories/reference-stories.ts';
import { releaseStories } from './stories/release-stories.ts';
import { reportedStories } from './stories/reported-stories.ts';
import { type Story, subjectOf } from './stories/story.ts';

const get: SequenceStep = { method: 'GET', path: '/' };

/** Rows that explain the difference of two answers; `undefined` where something is left that none explains. */
function rowsOf(story: Story): readonly string[] | undefined {
  const { kind, step = {}, reference, ours, definition, met = [], before = [] } = story;
  const subject = subjectOf(kind);
  const earlier = before.map((each) => ({ ...each, step: { ...get, ...each.step }, subject }));
  const past = { met, earlier, definition };
  const { unexplained, known } = compareResponses({ ...get, ...step }, subject, { reference, ours }, past);
  return unexplained.length === 0 ? [...new Set(known.map(({ row }) => row))] : undefined;
}

const stories = [...applyStories, ...customStories, ...referenceStories, ...releaseStories];

describe('A difference', () => {
  for (const story of stories) {
    it(`is ${story.rows ? 'explained' : 'reported'}: ${story.name}`, () => assert.deepEqual(rowsOf(story), story.rows));
  }
  for (const story of reportedStories) {
    it(`is reported: ${story.name}`, () => assert.equal(rowsOf(story), undefined));
  }

  it('is shown by a story for each row that matches', () => {
    const shown = new Set(stories.flatMap(({ rows }) => rows ?? []));
    const matching = new Set(knownDifferences.filter(({ matches }) => matches).map(({ row }) => row));
    assert.deepEqual(
      [...matching].filter((row) => !shown.has(row)),
      [],
    );
  });
});
