import assert from 'node:assert/strict';
import { parseArguments } from '../../../src/flags/parse-arguments.ts';
import { serverFlagRules } from '../../../src/config/server-flag-rules.ts';
import { serverFlags } from '../../../src/config/server-options.ts';

const errorsOf = (flag: string) => parseArguments(serverFlags, serverFlagRules, [flag]).errors;

describe('the version of audit events', () => {
  for (const flag of ['--audit-log-version', '--audit-webhook-version']) {
    it(`can be given with ${flag}, and is v1`, () => {
      assert.deepEqual(errorsOf(`${flag}=audit.cl.io/v1`), []);
      const [error = '', ...others] = errorsOf(`${flag}=audit.cl.io/v1beta1`);
      assert.deepEqual(others, []);
      assert.match(error, /only version v1 of the group audit is written/);
    });
  }
});
