import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-ports.ts';
import { programFile } from '../program-file.ts';

describe('control planes of cl up with names', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'cl-planes-'));
  });
  after(async () => {
    await cl('up down --name=one');
    await rm(home, { recursive: true });
  });

  async function cl(line: string, input?: string): Promise<{ code: number; out: string; err: string }> {
    const run = promisify(execFile)(process.execPath, [programFile('cl'), ...line.split(' ')], {
      cwd: home,
      env: { ...process.env, HOME: home },
    });
    if (input !== undefined) run.child.stdin?.end(input);
    try {
      const { stdout, stderr } = await run;
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  }

  it('run in the background with flags of the server, of the controllers and of a file', async () => {
    const config = {
      name: 'one',
      store: 'memory',
      'emulated-release': 1.2,
      'feature-gates': ['ServerSideApply=true'],
      nodes: 1,
    };
    await writeFile(join(home, 'up.json'), JSON.stringify(config));
    const port = await freePort();
    // The flag of the line wins over that of the file.
    const started = await cl(
      `up --detach --config=up.json --secure-port=${port} --emulated-release=1.21 --concurrent-namespace-syncs=3 --audit-log-path=audit.log`,
    );
    assert.equal(started.code, 0, started.err);
    assert.match(started.out, /^It runs as process \d+; stop it with "cl up down --name=one"\.$/m);

    const admin = join(home, '.cl', 'planes', 'one', 'admin.clientconfig');
    assert.match((await cl(`--clientconfig ${admin} version`)).out, /^server v1\.21\./m);
    assert.match((await cl(`--clientconfig ${admin} get nodes`)).out, /Ready/);

    const status = await cl('up status --name=one');
    assert.match(status.out, /^apiserver +\d+ +running$/m);
    assert.match(status.out, /^controllers +\d+ +running$/m);
    assert.match((await cl('up list')).out, new RegExp(`^one +process \\d+ +https://127\\.0\\.0\\.1:${port} `, 'm'));
    assert.match((await cl('up logs controllers --name=one --tail=1')).out, /^controllers \| .+\n$/);

    // A policy was written for the log, which has none of its own.
    const audited = await cl('audit tail --name=one --user=admin --verb=list --resource=nodes --tail=1');
    assert.match(audited.out, /^\S+Z +200 +\d+ +admin +list +- +nodes$/m, audited.err);
    assert.equal((await cl('up kubeconfig --name=one --merge --use')).code, 0);
    assert.match((await cl('get nodes')).out, /Ready/);

    const found = await cl('doctor --name=one');
    assert.match(found.out, /^ok +the parts of the control plane run: apiserver, controllers$/m, found.err);
    assert.match(found.out, /^ok +the server is ready$/m);
    const refused = await cl('up reset --name=one --yes');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^error: it runs as process \d+ \(stop it first with "cl up down --name=one"\)$/m);
  });

  it('stop, and are deleted when that is confirmed', async () => {
    assert.match((await cl('up --name=one')).err, /\(stop it with "cl up down --name=one", or use/);
    assert.equal((await cl('up down --name=one')).code, 0);
    assert.equal((await cl('up status --name=one')).code, 1);
    const away = await cl('doctor --name=one -q');
    assert.match(away.out, /^error +no control plane runs on .*\n +-> start it with "cl up --name=one"$/m);
    assert.match(away.out, /^error +cannot reach /m);
    assert.match((await cl('up list')).out, /^one +stopped /m);
    assert.match((await cl('up reset --name=one', 'n\n')).err, /error: nothing was deleted/);
    assert.match((await cl('up reset --name=one', 'y\n')).out, /^deleted .*pki/);
    assert.equal((await cl('up list')).err, 'No control planes found.\n');
  });

  it('are refused with the flag that is wrong, before anything is made', async () => {
    const cases: Readonly<Record<string, RegExp>> = {
      'up --name=two --emulatd-release=1.21': /unknown flag --emulatd-release; did you mean --emulated-release\?/,
      'up --name=two --emulated-release=0.1': /--emulated-release: "0\.1" is not valid/,
      'up --name=../two': /"\.\.\/two" is no name of a control plane/,
      'up --name=two --config=none.yaml': /none\.yaml/,
    };
    for (const [line, message] of Object.entries(cases)) {
      const { code, err } = await cl(line);
      assert.equal(code, 1, line);
      assert.match(err, message);
    }
    assert.equal((await cl('up list')).out, '');
  });
});
