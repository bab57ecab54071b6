import assert from 'node:assert/strict';
import { compileSchedule } from '../../../src/controllers/cronjobs/cron-schedule.ts';
import { planCronJob } from '../../../src/controllers/cronjobs/plan-cron-job.ts';
import type { CronJob } from '../../../src/controllers/kinds/cron-job.ts';
import type { Job } from '../../../src/controllers/kinds/job.ts';

const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', name: 'c' };
const after = (schedule: string, time: string, zone = 'UTC'): string | undefined => {
  const next = compileSchedule(schedule, zone).next(Date.parse(time));
  return next === undefined ? undefined : new Date(next).toISOString().slice(0, 16);
};
const times: readonly (readonly [schedule: string, after: string, next: string | undefined, zone?: string])[] = [
  ['* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01'],
  ['*/15 9-17 * * mon-fri', '2026-01-02T17:50:00Z', '2026-01-05T09:00'],
  ['5/20 * * * *', '2026-01-01T00:26:00Z', '2026-01-01T00:45'],
  ['0 0 1,15 * *', '2026-01-01T00:00:00Z', '2026-01-15T00:00'],
  // Days of the month and of the week are alternatives where both are limited.
  ['0 0 13 * fri', '2026-01-10T00:00:00Z', '2026-01-13T00:00'],
  ['0 0 13 * fri', '2026-01-14T00:00:00Z', '2026-01-16T00:00'],
  ['0 0 29 feb *', '2026-01-01T00:00:00Z', '2028-02-29T00:00'],
  ['0 0 30 2 *', '2026-01-01T00:00:00Z', undefined],
  ['@daily', '2026-01-01T00:00:00Z', '2026-01-02T00:00'],
  ['@every 90m', '2026-01-01T00:00:00Z', '2026-01-01T01:30'],
  ['0 12 * * *', '2026-07-01T00:00:00Z', '2026-07-01T10:00', 'Europe/Berlin'],
  ['TZ=Asia/Tokyo 0 12 * * *', '2026-07-01T00:00:00Z', '2026-07-01T03:00'],
];

describe('schedules', () => {
  for (const [schedule, time, next, zone] of times) {
    it(`${schedule} is next at ${next} after ${time}`, () => assert.equal(after(schedule, time, zone), next));
  }

  const nowMs = Date.parse('2026-01-01T02:00:30Z');
  const cronJobOf = (spec: Partial<CronJob['spec']> = {}, status: CronJob['status'] = {}): CronJob => ({
    metadata: stored,
    spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: {} } }, ...spec },
    status,
  });
  const jobOf = (name: string, type?: string, startTime = stored.creationTimestamp): Job => ({
    metadata: { ...stored, name, uid: name },
    spec: { template: {} },
    status: { startTime, conditions: type ? [{ type, status: 'True' }] : [] },
  });
  const plan = (cronJob: CronJob, jobs: readonly Job[] = []) => {
    const { start, deletions, events, requeueAfterMs } = planCronJob({
      cronJob,
      jobs,
      schedule: compileSchedule('0 * * * *', 'UTC'),
      nowMs,
    });
    return {
      start: start && new Date(start).toISOString().slice(11, 16),
      deleted: deletions.map(({ metadata }) => metadata.name).join(),
      events: events.map(({ reason }) => reason).join(),
      requeueAfterMs,
    };
  };
  const requeueAfterMs = 3_570_100;

  it('start the last of missed times', () => {
    assert.deepEqual(plan(cronJobOf()), { start: '02:00', deleted: '', events: '', requeueAfterMs });
  });

  it('start nothing twice, and nothing while suspended', () => {
    const done = cronJobOf({}, { lastScheduleTime: '2026-01-01T02:00:00Z' });
    assert.deepEqual(plan(done), { start: undefined, deleted: '', events: '', requeueAfterMs });
    assert.deepEqual(plan(cronJobOf({ suspend: true })).start, undefined);
  });

  it('follow the policy for Jobs that still run', () => {
    const running = [jobOf('c-1')];
    const forbidding = plan(cronJobOf({ concurrencyPolicy: 'Forbid' }), running);
    assert.deepEqual([forbidding.start, forbidding.events], [undefined, 'JobAlreadyActive']);
    const replacing = plan(cronJobOf({ concurrencyPolicy: 'Replace' }), running);
    assert.deepEqual([replacing.start, replacing.deleted], ['02:00', 'c-1']);
  });

  it('delete the oldest finished Jobs', () => {
    const ended = [1, 2, 3].map((hour) => jobOf(`c-${hour}`, 'Complete', `2026-01-01T0${hour}:00:00Z`));
    assert.equal(plan(cronJobOf({ successfulJobsHistoryLimit: 1 }), ended).deleted, 'c-1,c-2');
  });
});
