import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { logComponents } from '../../../src/config/flags/log-components.ts';
import { defaultServerOptions, type ServerOptions } from '../../../src/config/server-options.ts';
import { cpuMsOf } from '../cpu-time.ts';
import { componentVerbosity } from '../../../src/flags/component-verbosity.ts';
import { createLog } from '../../../src/log/create-log.ts';

const verbosity = componentVerbosity(logComponents);

/** A log whose lines are kept. */
function keptLog(options: Partial<ServerOptions> = {}) {
  const lines: string[] = [];
  const file = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLog({ ...defaultServerOptions, logLevel: 'info', ...options }, file) };
}

describe('the log of a program', () => {
  it('has the fields of the JSON log of Kubernetes, and the component', () => {
    const { lines, log } = keptLog();
    log.of('storage').info({ revision: 7 }, 'compacted');
    log.of('storage').error({ err: new Error('no answer') }, 'failed');
    const [first, second] = lines.map((line) => JSON.parse(line));
    const { ts, ...fields } = first;
    assert.deepEqual(fields, { level: 'info', v: 0, logger: 'storage', revision: 7, msg: 'compacted' });
    assert.ok(new Date(ts).getFullYear() >= 2026);
    assert.equal(second.v, undefined);
    assert.equal(second.err.message, 'no answer');
  });

  it('is lines of klog with --logging-format=text', () => {
    const { lines, log } = keptLog({ loggingFormat: 'text' });
    log.of('admission').warn({ webhook: 'a', count: 2, err: new Error('no "answer"') }, 'failed calling webhook');
    log.of('requests').info({ auditId: 'x' }, 'Trace[1]: "Get"\nTrace[1]: END');
    log.of('requests').info({ user: 'a\u009b2J\u007f' }, 'two\nlines');
    const head = /^W\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ admission\] /;
    assert.match(lines[0] ?? '', head);
    assert.equal(lines[0]?.replace(head, ''), '"failed calling webhook" webhook="a" count=2 err="no \\"answer\\""\n');
    assert.match(lines[1] ?? '', /requests\] Trace\[1\]: "Get"\nTrace\[1\]: END auditId="x"\n$/);
    assert.match(
      lines[2] ?? '',
      /requests\] "two\\nlines" user="a\ufffd2J\ufffd"\n$/,
      'nothing for a terminal to obey',
    );
  });

  it('has details of the components alone whose verbosity is 4 or more', () => {
    const { lines, log } = keptLog({ logVerbosityByComponent: verbosity.parse('storage=4,requests=3') });
    for (const component of ['storage', 'requests', 'audit'] as const) log.of(component).debug({}, component);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['storage'],
    );
    assert.throws(() => verbosity.parse('storage=11'), /use <component>=<0 to 10>/);
    assert.throws(() => verbosity.parse('zork=1'), /requests, start, storage/);
  });

  it('suppresses repeated lines, and reports how many', async () => {
    const { lines, log } = keptLog();
    const clock = Object.assign(globalThis.setTimeout);
    let endWindow: (() => void) | undefined;
    globalThis.setTimeout = ((run: () => void) => {
      endWindow = run;
      return { unref: () => ({}) };
    }) as unknown as typeof setTimeout;
    try {
      for (let index = 0; index < 25; index++) log.of('storage').warn({ index }, 'no answer');
      log.of('storage').warn({}, 'another');
    } finally {
      globalThis.setTimeout = clock;
    }
    assert.equal(lines.length, 11);
    endWindow?.();
    const { logger, suppressed, text } = JSON.parse(lines.at(-1) ?? '{}');
    assert.deepEqual([logger, suppressed, text], ['storage', 15, 'no answer']);
    log.of('storage').warn({}, 'no answer');
    assert.equal(lines.length, 13);
  });

  it('says how many lines were left out, by component, also when the program ends before the window', () => {
    const module = JSON.stringify(new URL('../../../src/log/create-log.js', import.meta.url));
    const program = `
      import { createLog } from ${module};
      const options = { logLevel: 'info', loggingFormat: 'json', logVerbosity: 0, logVerbosityByComponent: {} };
      const log = createLog(options, { write: (line) => process.stdout.write(line) });
      for (let index = 0; index < 13; index++) for (const part of ['a', 'b']) log.of(part).warn('no answer');
      log.of('b').warn('no answer');
      process.exit(3);`;
    const run = (): string =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    let out = '';
    assert.throws(run, (error: { readonly status: number; readonly stdout: string }) => {
      out = error.stdout;
      return error.status === 3;
    });
    const last = out
      .trim()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      last.map(({ logger, suppressed, text }) => [logger, suppressed, text]),
      [
        ['a', 3, 'no answer'],
        ['b', 4, 'no answer'],
      ],
    );
  });

  it('stays well-formed whatever clients write, in linear time', async () => {
    const { lines, log } = keptLog({ loggingFormat: 'text' });
    const begin = '-----BEGIN PRIVATE KEY-----';
    log.of('requests').warn({ err: new Error(begin), user: 'alice' }, begin.replace('BEGIN', 'END'));
    assert.match(lines[0] ?? '', /user="alice"/);
    const costs = async (characters: number): Promise<number> => {
      const url = ['a.', 'a-', 'eyJ-'].map((part) => part.repeat(characters / part.length));
      return cpuMsOf(() =>
        url.forEach((part, index) => log.of('requests').info({ url: part }, `${characters} ${index}`)),
      );
    };
    await costs(2_000);
    assert.ok((await costs(200_000)) < 60 * Math.max(5, await costs(20_000)));
  });

  for (const [text, shown] of [
    ['got Authorization: Bearer abcdef123456', 'got Authorization: Bearer <masked>'],
    ['etcd at http://root:hunter2@db:2379', 'etcd at http://<masked>@db:2379'],
    ['Get https://x/?a=b&access_token=abc: EOF', 'Get https://x/?a=b&access_token=<masked> EOF'],
    ['token eyJhbGciOiJSUzI1.eyJzdWIiOiJhIn0.c2lnbmF0dXJl is bad', 'token <masked> is bad'],
  ] as const) {
    it(`masks what is secret in ${text}`, () => {
      const { lines, log } = keptLog();
      log.of('access').warn({ err: new Error(text) }, text);
      assert.equal(JSON.parse(lines[0] ?? '{}').msg, shown);
      assert.ok(!/abcdef123456|hunter2|=abc|c2lnbmF0dXJl/.test(lines[0] ?? ''));
    });
  }
});
