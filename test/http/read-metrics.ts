import assert from 'node:assert/strict';
import { request, type Target } from './http-client.ts';

/** The metrics of a server at this moment: the value of each series, by its name with its labels as they are written. */
export async function readMetrics(server: Target): Promise<ReadonlyMap<string, number>> {
  const { status, text } = await request(server, 'GET', '/metrics');
  assert.equal(status, 200, text);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, series = '', value = ''] = /^(\S+(?:\{.*\})?) (\S+)$/.exec(line) ?? assert.fail(line);
      return [series, Number(value)];
    }),
  );
}
