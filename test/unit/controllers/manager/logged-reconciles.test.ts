import assert from 'node:assert/strict';
import { loggedReconcile } from '../../../../src/controllers/manager/logged-reconciles.ts';
import { parseFlags } from '../../../../src/controllers/manager/controller-manager-flags.ts';
import { createLog } from '../../../../src/log/create-log.ts';

describe('lines about the steps of a controller', () => {
  it('name the object, the failures before and the outcome, for controllers with a verbosity of 4', async () => {
    const flags = parseFlags(['--kubeconfig=x', '--vmodule=job-controller=4', '--logging-format=json']);
    const lines: string[] = [];
    const logs = createLog(
      {
        logLevel: flags['log-level'],
        loggingFormat: flags['logging-format'],
        logVerbosity: flags.v,
        logVerbosityByComponent: flags.vmodule,
      },
      { write: (line) => void lines.push(line) },
    );
    assert.equal(logs.of('podgc-controller').isLevelEnabled('debug'), false);
    const log = logs.of('job-controller');
    assert.equal(log.isLevelEnabled('debug'), true);
    const request = { namespace: 'a', name: 'b', failures: 2, object: undefined, signal: new AbortController().signal };
    const outcome = { requeueAfterMs: 5 };
    assert.equal(await loggedReconcile(log, 'job', async () => outcome)(request), outcome);
    const failure = new Error('no answer');
    await assert.rejects(
      loggedReconcile(log, 'job', async () => {
        throw failure;
      })(request),
      failure,
    );
    const records = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      records.map((record) => ({ ...record, ts: undefined, ms: undefined })),
      [false, true].map((failed) => ({
        level: 'debug',
        v: 4,
        logger: 'job-controller',
        loop: 'job',
        namespace: 'a',
        name: 'b',
        failures: 2,
        failed,
        msg: 'reconciled',
        ts: undefined,
        ms: undefined,
      })),
    );
  });
});
