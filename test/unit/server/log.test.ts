import assert from 'node:assert/strict';
import { componentVerbosity } from '../../../src/config/flags/log-components.ts';
import { defaultServerOptions, type ServerOptions } from '../../../src/config/server-options.ts';
import { cpuMsOf } from '../cpu-time.ts';
import { createLog } from '../../../src/server/log/create-log.ts';

/** A log whose lines are kept. */
function keptLog(options: Partial<ServerOptions> = {}) {
  const lines: string[] = [];
  const file = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLog({ ...defaultServerOptions, logLevel: 'info', ...options }, file) };
}

describe('the log of a server', () => {
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
    const { lines, log } = keptLog({ logVerbosityByComponent: componentVerbosity.parse('storage=4,requests=3') });
    for (const component of ['storage', 'requests', 'audit'] as const) log.of(component).debug({}, component);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['storage'],
    );
    assert.throws(() => componentVerbosity.parse('storage=11'), /use <component>=<0 to 10>/);
    assert.throws(() => componentVerbosity.parse('zork=1'), /requests, start, storage/);
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
    const { suppressed, text } = JSON.parse(lines.at(-1) ?? '{}');
    assert.deepEqual([suppressed, text], [15, 'no answer']);
    log.of('storage').warn({}, 'no answer');
    assert.equal(lines.length, 13);
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
