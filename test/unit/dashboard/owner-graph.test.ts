import assert from 'node:assert/strict';
import type { OwnedObject } from '../../../src/cli/commands/inspect/tree/read-owners.ts';
import { graphLayout } from '../../../src/dashboard/graph/graph-layout.ts';
import { type OwnerNode, ownerTrees } from '../../../src/dashboard/graph/owner-tree.ts';

const made = (uid: string, kind: string, ...owners: readonly string[]): OwnedObject => ({
  resource: {
    group: '',
    version: 'v1',
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced: true,
    singular: '',
    shortNames: [],
    categories: [],
    verbs: [],
  },
  name: uid,
  namespace: 'default',
  uid,
  owners: owners.map((owner) => ({ kind: 'Owner', name: `named-${owner}`, uid: owner })),
});

/** A node with its children in parentheses. */
const textOf = ({ name, children }: OwnerNode): string =>
  children.length === 0 ? name : `${name}(${children.map(textOf).join(' ')})`;

const treesOf = (uid: string, all: readonly OwnedObject[]): string => ownerTrees(uid, all).map(textOf).join(' ');

describe('graphs of owners', () => {
  it('show the way to the topmost owners, and all that is below the object', () => {
    const all = [
      made('deployment', 'Deployment'),
      made('old', 'ReplicaSet', 'deployment'),
      made('new', 'ReplicaSet', 'deployment'),
      made('a', 'Pod', 'new'),
      made('b', 'Pod', 'new'),
      made('other', 'Pod', 'old'),
    ];
    assert.equal(treesOf('new', all), 'deployment(new(a b))');
    assert.equal(treesOf('deployment', all), 'deployment(new(a b) old(other))');
    assert.equal(treesOf('a', all), 'deployment(new(a))');
  });

  it('name owners that are gone, and draw an object of two owners once', () => {
    const all = [made('one', 'A'), made('child', 'B', 'one', 'lost')];
    const trees = ownerTrees('child', all);
    assert.equal(trees.map(textOf).join(' '), 'one(child) named-lost');
    assert.equal(trees[1]?.object, undefined);
    assert.deepEqual(trees[0]?.children[0]?.otherOwners, ['lost']);
    assert.equal(graphLayout(trees).edges.length, 2);
  });

  it('end with objects that own each other, or themselves', () => {
    assert.equal(treesOf('a', [made('a', 'A', 'b'), made('b', 'A', 'a')]), 'a(b)');
    assert.equal(treesOf('a', [made('a', 'A', 'a')]), 'a');
  });

  it('count the dependents that they do not draw, also of long rows of owners', () => {
    const many = Array.from({ length: 500 }, (_, index) => made(`p${String(index).padStart(3, '0')}`, 'Pod', 'set'));
    assert.match(treesOf('set', [made('set', 'Set'), ...many]), /^set\(p000 .* p007 492 more\)$/);
    const nine = many.slice(0, 9);
    assert.match(treesOf('set', [made('set', 'Set'), ...nine]), / p008\)$/);
    const row = Array.from({ length: 1000 }, (_, index) => made(`r${index}`, 'Row', `r${index - 1}`));
    assert.match(treesOf('r0', row), /r148\(1 more\)+$/);
  });

  it('are placed from left to right without nodes on each other', () => {
    const all = [made('d', 'D'), made('r', 'R', 'd'), made('s', 'R', 'd'), made('a', 'P', 'r'), made('b', 'P', 'r')];
    const { nodes, edges, width, height } = graphLayout(ownerTrees('d', all));
    const places = new Map(nodes.map(({ node, x, y }) => [node.name, [x, y]]));
    assert.deepEqual(places.get('r'), [248, 27]);
    assert.deepEqual(places.get('a'), [496, 0]);
    assert.deepEqual(places.get('s'), [248, 108]);
    assert.equal(new Set([...places.values()].map(String)).size, 5);
    assert.equal(edges.length, 4);
    assert.deepEqual([width, height], [696, 152]);
  });
});
