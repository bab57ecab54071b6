import assert from 'node:assert/strict';
import { mergeGroups } from '../../../../src/aggregator/peers/merge-groups.ts';

const resource = (name: string, verbs: string[], subresources: string[] = []) => ({
  resource: name,
  verbs,
  ...(subresources.length > 0
    ? { subresources: subresources.map((one) => ({ subresource: one, verbs: ['get'] })) }
    : {}),
});
const version = (name: string, ...resources: ReturnType<typeof resource>[]) => ({
  version: name,
  resources,
  freshness: 'Current',
});

describe('the groups of several servers in one list', () => {
  it('have the versions, resources, verbs and sub-resources of all', () => {
    const one = [
      { name: 'apps', versions: [version('v1', resource('sets', ['list', 'get'], ['status']))] },
      { name: 'z', versions: [version('v1')] },
    ];
    const other = [
      { name: 'apps', versions: [version('v1', resource('sets', ['get', 'watch'], ['scale'])), version('v2')] },
      { name: 'new', versions: [version('v1', resource('things', ['get']))] },
    ];
    assert.deepEqual(mergeGroups([one, other]), [
      {
        name: 'apps',
        versions: [version('v1', resource('sets', ['get', 'list', 'watch'], ['scale', 'status'])), version('v2')],
      },
      { name: 'new', versions: [version('v1', resource('things', ['get']))] },
      { name: 'z', versions: [version('v1')] },
    ]);
  });
});
