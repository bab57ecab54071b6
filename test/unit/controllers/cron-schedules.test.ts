import assert from 'node:assert/strict';
import { compileSchedule } from '../../../src/controllers/cronjobs/cron-schedule.ts';
import { planCronJob } from '../../../src/controllers/cronjobs/plan-cron-job.ts';
import { timeInZone } from '../../../src/controllers/cronjobs/time-in-zone.ts';
import type { CronJob, Job } from '../../../src/controllers/resources.ts';

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
  // A time of the hour that clocks repeat is found again in its second half.
  ['45 2 * * *', '2026-10-25T00:50:00Z', '2026-10-25T01:45', 'Europe/Berlin'],
  ['*/30 * * * *', '2026-03-29T00:45:00Z', '2026-03-29T01:00', 'Europe/Berlin'],
  ['TZ=Asia/Tokyo 0 12 * * *', '2026-07-01T00:00:00Z', '2026-07-01T03:00'],
];

describe('schedules', () => {
  for (const [schedule, time, next, zone] of times) {
    it(`${schedule} is next at ${next} after ${time}`, () => assert.equal(after(schedule, time, zone), next));
  }

  it('write their times in their zone', () => {
    const timeMs = Date.parse('2026-07-01T22:30:00Z');
    assert.deepEqual(
      ['UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) => timeInZone(timeMs, zone)),
      ['2026-07-01T22:30:00Z', '2026-07-02T07:30:00+09:00', '2026-07-01T18:30:00-04:00'],
    );
  });

  it('find the next minute without looking at each one of the day', () => {
    const schedule = compileSchedule('* * * * *', 'Europe/Berlin');
    const start = process.cpuUsage();
    for (let minute = 0; minute < 100; minute++) schedule.next(minute * 60_000);
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 3_000_000, `100 times took ${user + system} microseconds`);
  });

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
    const { start, deletions, events, active, requeueAfterMs } = planCronJob({
      cronJob,
      jobs,
      schedule: compileSchedule('0 * * * *', 'UTC'),
      nowMs,
    });
    return {
      start: start && new Date(start).toISOString().slice(11, 16),
      deleted: deletions.map(({ metadata }) => metadata.name).join(),
      events: events.map(({ reason }) => reason).join(),
      active,
      requeueAfterMs,
    };
  };
  const requeueAfterMs = 3_570_100;
  const reference = { apiVersion: 'batch/v1', kind: 'Job', name: 'c-1', uid: 'c-1', resourceVersion: '1' };
  const listing = { active: [reference] };

  it('start the last of missed times', () => {
    assert.deepEqual(plan(cronJobOf()), { start: '02:00', deleted: '', events: '', active: [], requeueAfterMs });
  });

  it('start nothing twice, and nothing while suspended', () => {
    const done = cronJobOf({}, { lastScheduleTime: '2026-01-01T02:00:00Z' });
    assert.deepEqual(plan(done), { start: undefined, deleted: '', events: '', active: [], requeueAfterMs });
    assert.deepEqual(plan(cronJobOf({ suspend: true })).start, undefined);
  });

  it('follow the policy for Jobs that still run', () => {
    const running = [jobOf('c-1')];
    const forbidding = plan(cronJobOf({ concurrencyPolicy: 'Forbid' }, listing), running);
    assert.deepEqual([forbidding.start, forbidding.events], [undefined, 'JobAlreadyActive']);
    const replacing = plan(cronJobOf({ concurrencyPolicy: 'Replace' }, listing), running);
    assert.deepEqual([replacing.start, replacing.deleted], ['02:00', 'c-1']);
  });

  it('report a Job that no schedule has started, and neither count, list nor replace it', () => {
    for (const concurrencyPolicy of ['Forbid', 'Replace']) {
      const { start, deleted, events, active } = plan(cronJobOf({ concurrencyPolicy }), [jobOf('by-hand')]);
      assert.deepEqual(
        { start, deleted, events, active },
        { start: '02:00', deleted: '', events: 'UnexpectedJob', active: [] },
      );
    }
    assert.equal(plan(cronJobOf(), [jobOf('by-hand', 'Complete')]).events, '');
  });

  it('keep the reference to a running Job when the Job changes', () => {
    const changed = { ...jobOf('c-1'), metadata: { ...jobOf('c-1').metadata, resourceVersion: '99' } };
    assert.deepEqual(plan(cronJobOf({ suspend: true }, listing), [changed]).active, listing.active);
  });

  it('drop Jobs that have ended or are gone from the status, and report them', () => {
    const ended = plan(cronJobOf({ suspend: true }, listing), [jobOf('c-1', 'Complete')]);
    assert.deepEqual([ended.active, ended.events], [[], 'SawCompletedJob']);
    const gone = plan(cronJobOf({ suspend: true }, listing));
    assert.deepEqual([gone.active, gone.events], [[], 'MissingJob']);
  });

  it('report too many missed times, and start the last one', () => {
    const minutes = compileSchedule('* * * * *', 'UTC');
    const missing = (lastScheduleTime: string) =>
      planCronJob({ cronJob: cronJobOf({}, { lastScheduleTime }), jobs: [], schedule: minutes, nowMs });
    const { start, events } = missing('2025-12-31T23:00:00Z');
    const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    const message = `too many missed start times: 180. ${advice}`;
    assert.deepEqual(events, [{ type: 'Warning', reason: 'TooManyMissedTimes', message }]);
    assert.equal(new Date(start ?? 0).toISOString().slice(11, 16), '02:00');
    assert.deepEqual(missing('2026-01-01T00:20:00Z').events, []);
  });

  it('delete the oldest finished Jobs', () => {
    const ended = [1, 2, 3].map((hour) => jobOf(`c-${hour}`, 'Complete', `2026-01-01T0${hour}:00:00Z`));
    assert.equal(plan(cronJobOf({ successfulJobsHistoryLimit: 1 }), ended).deleted, 'c-1,c-2');
  });
});
