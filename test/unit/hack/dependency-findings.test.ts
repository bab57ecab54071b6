import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  advisoryFindings,
  type AllowedDependencies,
  auditDependencies,
  exceptionFindings,
  licenceFindings,
  readAudit,
} from '../../../hack/dependencies/dependency-findings.ts';
import { idleConnections } from '../../idle-connections.ts';

const allowed: AllowedDependencies = {
  licences: ['MIT', 'Apache-2.0'],
  otherLicences: [{ package: 'judge', licence: 'MPL-2.0', reason: 'tests use it' }],
  advisories: [],
};
const advisory = { id: 'GHSA-aaaa', package: 'left', severity: 'high', title: 'writes anywhere' };

describe('the audit of dependencies', () => {
  it('refuses licences that are not allowed, and those of tests in what is published', () => {
    const packages = {
      '': {},
      'node_modules/a': { license: 'MIT' },
      'node_modules/b': { license: '(MIT OR GPL-3.0)' },
      'node_modules/c': { license: 'MIT AND GPL-3.0' },
      'node_modules/a/node_modules/@x/d': {},
      'node_modules/judge': { license: 'MPL-2.0', dev: true },
      'node_modules/e/node_modules/judge': { license: 'MPL-2.0' },
    };
    assert.deepEqual(licenceFindings({ packages }, allowed), [
      'c: the licence MIT AND GPL-3.0 is not allowed',
      '@x/d: the lock file names no licence',
      'judge: the licence MPL-2.0 is not allowed',
    ]);
  });

  it('refuses exceptions that have ended, have no reason, or are not needed', () => {
    const exception = { id: 'GHSA-aaaa', reason: 'no input reaches it', until: '2026-11-30' };
    const findings = (changes: Partial<typeof exception>, today = '2026-11-30'): readonly string[] =>
      exceptionFindings({ ...allowed, advisories: [{ ...exception, ...changes }] }, today);
    assert.deepEqual(findings({}), []);
    assert.deepEqual(findings({}, '2026-12-01'), ['GHSA-aaaa: the exception has ended on 2026-11-30']);
    assert.deepEqual(findings({ reason: '' }), ['GHSA-aaaa: no reason for the exception']);
    assert.deepEqual(findings({ until: 'soon' }), ['GHSA-aaaa: the end of the exception is no date: soon']);
    const excepted = { ...allowed, advisories: [exception] };
    assert.deepEqual(advisoryFindings([advisory], allowed), ['left: high: writes anywhere (GHSA-aaaa)']);
    assert.deepEqual(advisoryFindings([advisory], excepted), []);
    assert.deepEqual(advisoryFindings([], excepted), ['GHSA-aaaa: an exception that nothing needs any more']);
  });

  it('asks the registry, and says in a line why a registry did not answer', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'audit-'));
    let isMirror = false;
    const registry = createServer(idleConnections, (request, response) => {
      request.resume();
      const isAudit = request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk';
      if (isAudit && isMirror) response.writeHead(405);
      else response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isAudit ? bulk : packument));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    // A server that listens on an address has its port.
    const { port } = registry.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const flags = [`--registry=${url}`, `--cache=${directory}/cache`, '--no-update-notifier'];
    const dependencies = { left: '1.0.0' };
    await writeFile(
      path.join(directory, 'package.json'),
      JSON.stringify({ name: 'x', version: '1.0.0', dependencies }),
    );
    await writeFile(
      path.join(directory, 'package-lock.json'),
      JSON.stringify({
        name: 'x',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: {
          '': { name: 'x', version: '1.0.0', dependencies },
          'node_modules/left': { version: '1.0.0', resolved: `${url}left/-/left-1.0.0.tgz`, integrity: 'sha512-AA==' },
        },
      }),
    );
    try {
      assert.deepEqual(await auditDependencies(directory, flags), { advisories: [advisory] });
      isMirror = true;
      const audit = await auditDependencies(directory, flags);
      assert.deepEqual(audit, { unreachable: '405 Method Not Allowed - POST the registry' });
    } finally {
      registry.closeAllConnections();
      registry.close();
      await rm(directory, { recursive: true });
    }
    assert.deepEqual(readAudit('', 'npm was not found\nat x'), { unreachable: 'npm was not found' });
  });
});

const bulk = {
  left: [
    {
      id: 1,
      url: 'https://advisories.invalid/GHSA-aaaa',
      title: 'writes anywhere',
      severity: 'high',
      vulnerable_versions: '<=1.0.0',
      cwe: [],
      cvss: { score: 7, vectorString: null },
    },
  ],
};

const packument = {
  name: 'left',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'left', version: '1.0.0', dist: { tarball: 'x', integrity: 'sha512-AA==' } } },
};
