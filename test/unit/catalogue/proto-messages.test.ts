import assert from 'node:assert/strict';
import { type MessageRow, messageRows } from '../../../src/gen/schema.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';

/** Messages that no built-in resource leads to: payloads, options in queries, lists of any kind, versions that were removed, and what is only read. */
const others: readonly RegExp[] = [
  /^api\.(?:admission|apiextensions|authentication|imagepolicy|meta|runtime)\./,
  /^api\.core\.v1\.(?:List|\w+Options)$/,
  /^api\.(?:apps\.v1beta[12]|extensions\.v1beta1)\./,
  // The shape of those of other versions.
  /^api\.autoscaling\.v1\./,
  // Published, so that their files can be read, and served by no release.
  /^api\.(?:apidiscovery\.v2(?:beta1)?|(?:flowcontrol|node|rbac_authorization|scheduling|storage)\.v1alpha1)\./,
  /^api\.core\.v1\.(?:PodStatusResult|RangeAllocation|SerializedReference)$/,
];

function servedMessages(): readonly string[] {
  return builtInDefinitions(identifiersOf('cluster'))
    .flatMap(({ versions, storage }) => [
      ...versions.map(({ schema }) => schema().name),
      ...versions.flatMap(({ subresources }) =>
        subresources.flatMap(({ kind }) => kind?.versions ?? []).map((one) => one.schema().name),
      ),
      ...(storage ? [storage.schema().name] : []),
    ])
    .filter((name) => name !== undefined);
}

/** Adds what a message leads to. */
function follow(name: string, reached: Set<string>): void {
  const text = messageRows[name];
  if (text === undefined || reached.has(name)) return;
  reached.add(name);
  const row = JSON.parse(text) as MessageRow;
  for (const { message } of row.fields) if (message) follow(message, reached);
}

describe('the messages of proto/', () => {
  it('are those of built-in resources, and few others', () => {
    const reached = new Set<string>();
    for (const name of servedMessages()) {
      follow(name, reached);
      follow(`${name}List`, reached);
    }
    const unknown = Object.keys(messageRows).filter(
      (name) => !reached.has(name) && !others.some((other) => other.test(name)),
    );
    assert.deepEqual(unknown, []);
  });
});
