import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../../free-ports.ts';
import { until } from '../../http/until.ts';

/** One series of the result of a query. */
export interface QueriedSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** A Prometheus on loopback. */
export interface RunningPrometheus extends AsyncDisposable {
  /** The series of a query; a scalar is one without labels. */
  query(query: string): Promise<readonly QueriedSeries[]>;
  /** Reads a part of its API. */
  get(path: string): Promise<unknown>;
}

/** Starts the program of a folder with a configuration file; its data are in `data` beside that file. */
export async function startPrometheus(programs: string, config: string): Promise<RunningPrometheus> {
  const address = `127.0.0.1:${await freePort()}`;
  const folder = path.dirname(config);
  const flags = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${path.join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=error',
  ];
  const child = spawn(path.join(programs, 'prometheus'), flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const ended = once(child, 'exit');
  await until('Prometheus is ready', async () => {
    assert.equal(child.exitCode, null, errors);
    const answer = await fetch(`http://${address}/-/ready`).catch(() => undefined);
    return answer?.status === 200;
  });
  const get = async (place: string): Promise<unknown> => {
    const answer = await fetch(`http://${address}/api/v1/${place}`);
    const body = (await answer.json()) as { readonly status: string; readonly error?: string; readonly data: unknown };
    assert.equal(body.status, 'success', `${place}: ${body.error}`);
    return body.data;
  };
  return {
    get,
    async query(query) {
      const data = (await get(`query?query=${encodeURIComponent(query)}`)) as {
        readonly resultType: string;
        readonly result: readonly QueriedSeries[];
      };
      assert.equal(data.resultType, 'vector', query);
      return data.result;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
