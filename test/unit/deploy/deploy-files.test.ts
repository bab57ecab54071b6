import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { programChecks } from '../../../hack/docs/program-flags.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { clusterAuthorities, planCertificates } from '../../../src/pki/cluster/plan-certificates.ts';
import { yamlLibrary } from '../../../src/codec/yaml-library.ts';

const run = promisify(execFile);

/** What the build of the image makes, which is not in the repository. */
const built = new Set(['dist/bundle', 'node_modules']);

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
}
interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: readonly string[];
}

async function instructionsOf(dockerfile: string): Promise<readonly (readonly [name: string, rest: string])[]> {
  const lines = (await readFile(dockerfile, 'utf8')).split('\n').filter((line) => /^[A-Z]/.test(line));
  return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

describe('the image', () => {
  it('is built from files that are there, into places from which they are copied', async () => {
    const copied: string[] = [];
    for (const [name, rest] of await instructionsOf('deploy/Dockerfile')) {
      if (name !== 'COPY') continue;
      const words = rest.split(' ');
      const fromBuild = words[0] === '--from=build';
      for (const source of words.slice(fromBuild ? 1 : 0, -1)) {
        const file = fromBuild ? path.posix.relative('/src', source) : source;
        assert.ok(built.has(file) || existsSync(file), `COPY ${source}`);
        copied.push(file);
      }
    }
    assert.ok(copied.includes('.') && copied.includes('dist/bundle'), copied.join());
    const ignored = (await readFile('.dockerignore', 'utf8')).split('\n');
    for (const folder of ['node_modules', 'dist', '.git', '.cl']) assert.ok(ignored.includes(folder), folder);
  });

  it('starts the API server as another user than root, with the settings of its memory', async () => {
    const instructions = await instructionsOf('deploy/Dockerfile');
    const last = (name: string): string => instructions.findLast(([each]) => each === name)?.[1] ?? '';
    const { bin } = JSON.parse(await readFile('package.json', 'utf8')) as { bin: Record<string, string> };
    const [node, file] = JSON.parse(last('ENTRYPOINT')) as [string, string];
    assert.deepEqual([node, `./${file}`], ['node', bin['cl-apiserver']]);
    assert.equal(last('USER'), 'node');
    assert.match(last('ENV'), /^MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072$/);
  });
});

describe('the compose file', () => {
  it('has flags that its programs know, and names only what it defines', async () => {
    const text = await readFile('deploy/compose.yaml', 'utf8');
    const { services, secrets, volumes } = yamlLibrary().parse(text) as ComposeFile;
    const { apiserver, etcd } = services;
    assert.ok(apiserver && etcd);
    assert.equal(await programChecks['cl-apiserver']?.(apiserver.command), undefined);
    for (const service of Object.values(services)) {
      const named = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
      for (const name of named) assert.ok(name in volumes, name);
      for (const name of service.secrets ?? []) assert.ok(name in secrets, name);
      for (const name of service.depends_on ?? []) assert.ok(name in services, name);
    }
    const [server] = apiserver.command.flatMap((flag) => /^--etcd-servers=http:\/\/(\w+):/.exec(flag)?.[1] ?? []);
    assert.ok(server !== undefined && server in services, server);
  });
});

describe('the files of a cluster', () => {
  it('have flags that their programs know, and certificates that cl certs makes', async () => {
    const text = await readFile('deploy/cluster/compose.yaml', 'utf8');
    const { services, volumes } = yamlLibrary().parse(text, { merge: true }) as ComposeFile;
    const programs = { 'api-1': 'cl-apiserver', 'api-2': 'cl-apiserver', controllers: 'cl-controller-manager' };
    for (const [name, program] of Object.entries(programs)) {
      assert.equal(await programChecks[program]?.(services[name]?.command ?? ['']), undefined, name);
    }
    const [, members = ''] = /--etcd-members=(\S+)/.exec(text) ?? [];
    const etcdMembers = members.split(',').map((name) => ({ name, names: [] }));
    const planned = planCertificates({ identifiers: identifiersOf('cluster'), names: [], nodes: [], etcdMembers });
    const made = new Set([...clusterAuthorities, ...planned].map(({ name }) => name).concat('service-account'));
    const paths = [
      ...text.matchAll(/\.\/pki\/([\w-]+)\.(?:crt|key)/g),
      ...text.matchAll(/=\/pki\/([\w-]+)\.(?:crt|key)/g),
    ];
    for (const [path_, name = ''] of paths) assert.ok(made.has(name), path_);
    for (const service of Object.values(services)) {
      for (const name of service.depends_on ?? []) assert.ok(name in services, name);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        assert.ok(source.startsWith('./') || source in volumes, source);
      }
    }
    const balanced = [
      ...(await readFile('deploy/cluster/haproxy.cfg', 'utf8')).matchAll(/^ {2}server (\S+) \1:6443$/gm),
    ];
    assert.deepEqual(
      balanced.map(([, name]) => name),
      ['api-1', 'api-2'],
    );
  });
});

describe('the units of systemd', () => {
  let units: readonly string[];
  let hasSystemd: boolean;
  before(async () => {
    units = (await readdir('deploy/systemd')).map((name) => path.join('deploy/systemd', name));
    hasSystemd = await run('systemd-analyze', ['--version']).then(
      () => true,
      () => false,
    );
  });

  it('start programs of the package with flags that these know', async () => {
    for (const unit of units.filter((file) => !file.endsWith('cl-etcd.service'))) {
      const [, command = ''] = /^ExecStart=\/usr\/bin\/env (.*)$/m.exec(await readFile(unit, 'utf8')) ?? [];
      const [program = '', ...args] = command.split(' ');
      assert.equal(program, path.basename(unit, '.service'));
      const flags = args.filter((arg) => arg !== '$FLAGS');
      assert.equal(await programChecks[program]?.(flags), undefined, unit);
    }
  });

  it('are understood by systemd, and leave their programs few rights', async () => {
    // Other systems than Linux, and small images, have none.
    if (!hasSystemd) return console.log('the units are not verified: there is no systemd-analyze');
    const { stdout, stderr } = await run('systemd-analyze', ['verify', ...units]);
    assert.equal(stdout + stderr, '');
    // Tenths of the level of exposure, of which less than 20 is called OK.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', ...units]);
  });
});
