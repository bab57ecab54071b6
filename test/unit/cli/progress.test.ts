import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, withProgress } from '../../../src/cli/progress.ts';
import { until } from '../../http/until.ts';

const clear = '\r\u001b[K';

function output(isTTY: boolean): { readonly stderr: PassThrough; readonly text: () => string } {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  return { stderr, text: () => String(stderr.read() ?? '') };
}

describe('progress of work', () => {
  it('is in one line of the terminal after a second, and is gone at the end', async () => {
    const { stderr, text } = output(true);
    let seen = '';
    const result = await withProgress({ stderr }, async (report) => {
      report('1 of 9');
      await until('the line', () => (seen += text()) !== '');
      report('2 of 9');
      await until('the next', () => (seen += text()).includes('2'));
      return 'done';
    });
    assert.equal(result, 'done');
    assert.equal(seen + text(), `${clear}1 of 9${clear}2 of 9${clear}`);
  });

  it('is cleared before the error of work that fails', async () => {
    const { stderr, text } = output(true);
    const failing = withProgress({ stderr }, async (report) => {
      report('1 of 9');
      await until('the line', () => stderr.readableLength > 0);
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.equal(text(), `${clear}1 of 9${clear}`);
  });

  it('is not shown for short work, nor in a pipe', async () => {
    const terminal = output(true);
    await withProgress(terminal, async (report) => report('1 of 9'));
    assert.equal(terminal.text(), '');
    const pipe = output(false);
    await withProgress(pipe, async (report) => {
      report('1 of 9');
      await sleep(1_500);
    });
    assert.equal(pipe.text(), '');
  });

  it('counts what passes', async () => {
    const counts: number[] = [];
    const passed: string[] = [];
    const items = (async function* () {
      yield* ['a', 'b'];
    })();
    for await (const item of counted(items, (count) => counts.push(count))) passed.push(item);
    assert.deepEqual(
      [passed, counts],
      [
        ['a', 'b'],
        [1, 2],
      ],
    );
  });
});
