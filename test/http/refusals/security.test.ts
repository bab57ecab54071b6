import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation } from './check-refusals.ts';

const at = 'spec.containers[0].securityContext';
const pod = (securityContext: JsonObject): JsonObject => ({
  spec: { containers: [{ name: 'c', image: 'i', securityContext }] },
});
const user = (runAsUserName: string): JsonObject => ({ windowsOptions: { runAsUserName } });
const wrongUser = (shown: string, why: string): string =>
  `${at}.windowsOptions.runAsUserName: Invalid value: ${shown}: runAsUserName${why}`;

const rows: readonly (readonly [what: string, security: JsonObject, errors: readonly string[]])[] = [
  [
    'a profile outside of its place',
    { seccompProfile: { type: 'Localhost', localhostProfile: '../a' } },
    [
      'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/c: Invalid value: "../a": must not contain \'..\'',
      `${at}.seccompProfile.localhostProfile: Invalid value: "../a": must not contain '..'`,
    ],
  ],
  ['a user of a domain', user('A b\\c.'), []],
  ['a user without a name', user(''), [wrongUser('""', ' cannot be an empty string')]],
  ['a user of control characters', user('a\tb'), [wrongUser('"a\\tb"', ' cannot contain control characters')]],
  ['a user of two domains', user('a\\b\\c'), [wrongUser('"a\\\\b\\\\c"', ' cannot contain more than one backslash')]],
  ['nobody of a domain', user('a\\'), [wrongUser('"a\\\\"', "'s User cannot be empty")]],
  [
    'a user of no domain',
    user('.a\\b'),
    [wrongUser('".a\\\\b"', "'s Domain doesn't match the NetBios nor the DNS format")],
  ],
  ['a user of periods', user('...'), [wrongUser('"..."', "'s User cannot contain only periods or spaces")]],
  [
    'a user with a slash',
    user('a/b'),
    [wrongUser('"a/b"', '\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')],
  ],
  [
    'credentials of nothing',
    { windowsOptions: { gmsaCredentialSpec: '' } },
    [`${at}.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string`],
  ],
];

checkRefusals(
  'options for Windows',
  rows.map(([what, security, errors]): Creation => ['pods', what, pod(security), errors]),
);
