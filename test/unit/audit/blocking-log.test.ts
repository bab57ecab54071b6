import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AuditEvent } from '../../../src/audit/audit-event.ts';
import { AuditFile } from '../../../src/audit/audit-file.ts';
import { createAuditMetrics } from '../../../src/audit/audit-metrics.ts';
import { BlockingLog } from '../../../src/audit/blocking-log.ts';
import { LostEvents } from '../../../src/audit/lost-events.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { until } from '../../http/until.ts';
import { sampleEvent } from './sample-event.ts';

const event = sampleEvent({ stage: 'RequestReceived' });

describe('BlockingLog', () => {
  let directory: string;
  let file: string;
  let log: BlockingLog;

  const content = (): string => readFileSync(file, 'utf8');
  const open = (isStrict: boolean): void => {
    const fail = (error: unknown): never => {
      throw error;
    };
    const lostEvents = new LostEvents('log', createAuditMetrics(new MetricsRegistry()), { error: fail, info: fail });
    const rotation = { maxMegabytes: 1, maxAgeDays: 0, maxBackups: 0, compress: false };
    const lineOf = ({ stage }: AuditEvent): string => `${stage}\n`;
    log = new BlockingLog({ file: new AuditFile(file, rotation, fail), lineOf, isStrict, lostEvents });
  };

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-audit-log-'));
    file = path.join(directory, 'audit.log');
  });
  afterEach(async () => {
    await log.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('writes the arrival of a request with its end, before the response', async () => {
    open(false);
    void log.send(event);
    assert.equal(content(), '');
    void log.send({ ...event, stage: 'ResponseComplete' });
    log.flush();
    assert.equal(content(), 'RequestReceived\nResponseComplete\n');
  });

  it('writes the arrivals of requests that take longer soon, again and again', async () => {
    open(false);
    for (const count of [1, 2, 3]) {
      void log.send(event);
      await until(`line ${count} is written`, () => content() === 'RequestReceived\n'.repeat(count));
    }
  });

  it('writes each event at once if strict', async () => {
    open(true);
    assert.equal(log.send(event), true);
    assert.equal(content(), 'RequestReceived\n');
  });
});
