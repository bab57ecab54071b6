import assert from 'node:assert/strict';
import { withReleaseMessages } from '../../../src/scheme/with-release-messages.ts';
import { invalid, tooLong, tooMany } from '../../../src/status/field-error.ts';

const label = 'a lowercase RFC 1123 label must consist of lower case alphanumeric characters (e.g. ...)';
const errors = [
  tooLong('message', 9),
  tooLong('key', 1),
  tooMany('items', 3, 1),
  invalid('port', '1', 'must contain at least one letter or number (a-z, 0-9)'),
  invalid('name', 'a.b', label),
  invalid('name', 'a..b', label),
  invalid('metadata.labels', 'x', 'must be no more than 63 characters'),
  invalid('host', 'x', 'must be no more than 63 characters'),
  invalid('metadata.ownerReferences.uid', '', 'uid must not be empty'),
  invalid('spec.schedule', 'x y', 'Expected exactly 5 fields, found 2: x y'),
  invalid('spec.schedule', '@x', 'Unrecognized descriptor: @x'),
];

describe('the error messages of a release', () => {
  it('are unchanged up to release 1.24', () => {
    for (const release of ['1.15', '1.23', '1.24']) assert.equal(withReleaseMessages(release, errors), errors);
  });

  it('change from release to release up to the newest', () => {
    assert.deepEqual(
      withReleaseMessages('1.36', errors).map(({ message }) => message),
      [
        'Too long: may not be more than 9 bytes',
        'Too long: may not be more than 1 byte',
        'Too many: 3: must have at most 1 item',
        'Invalid value: "1": must contain at least one letter (a-z)',
        'Invalid value: "a.b": must not contain dots',
        `Invalid value: "a..b": ${label}`,
        'Invalid value: "x": must be no more than 63 bytes',
        'Invalid value: "x": must be no more than 63 characters',
        'Invalid value: "": must not be empty',
        'Invalid value: "x y": expected exactly 5 fields, found 2: [x y]',
        'Invalid value: "@x": unrecognized descriptor: @x',
      ],
    );
    assert.deepEqual(
      withReleaseMessages('1.32', errors.slice(0, 3)).map(({ message }) => message),
      [
        'Too long: may not be more than 9 bytes',
        'Too long: may not be more than 1 bytes',
        'Too many: 3: must have at most 1 items',
      ],
    );
  });
});
