import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeRule } from '../../../src/authz/rbac/describe-rule.ts';
import { readRules } from '../../../src/authz/rbac/policy-rule.ts';
import { identifierSets, identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { labelsOf, nameOf } from '../../../src/meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { packageRoot } from '../../../src/package/package-root.ts';
import {
  type DefaultObject,
  defaultObjects,
} from '../../../src/resources/rbac.authorization/defaults/default-objects.ts';

/** An object as lines of text: its name, labels and role, then a line for each rule and subject. */
function describeObject({ resource, namespace, object }: DefaultObject): string {
  const labels = Object.keys(labelsOf(object)).filter((label) => !label.endsWith('/bootstrapping'));
  const roleRef = objectAt(object, 'roleRef');
  const head = [resource, namespace, nameOf(object), ...labels, stringAt(roleRef, 'kind'), stringAt(roleRef, 'name')];
  const subjects = objectsAt(object, 'subjects').map((subject) =>
    ['kind', 'namespace', 'name'].map((field) => stringAt(subject, field)).filter(Boolean),
  );
  return [
    head.filter(Boolean).join(' '),
    ...readRules(object).map(describeRule),
    ...subjects.map((one) => one.join(' ')),
  ]
    .join('\n  ')
    .concat('\n');
}

describe('the default roles and bindings', () => {
  for (const set of identifierSets) {
    it(`are those of release 1.23 (${set})`, () => {
      const file = path.join(packageRoot(), `test/golden/default-roles.${set}.txt`);
      const text = defaultObjects(identifiersOf(set), { selfReviews: true }).map(describeObject).join('');
      if (process.env['UPDATE_GOLDEN']) writeFileSync(file, text);
      assert.equal(text, readFileSync(file, 'utf8'));
    });
  }
});
