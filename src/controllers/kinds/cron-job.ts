import type { ApiObject, ObjectMetadata } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Job } from './job.ts';
import type { StoredMetadata } from './workload.ts';

/** A reference to a running Job. */
export interface ActiveJob {
  apiVersion: string;
  kind: string;
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion?: string;
}

/** A CronJob that a server has stored. */
export interface CronJob extends ApiObject {
  metadata: StoredMetadata;
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate: { metadata?: ObjectMetadata; spec: Job['spec'] };
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status?: { active?: ActiveJob[]; lastScheduleTime?: string; lastSuccessfulTime?: string };
}

/** The resource of CronJobs. */
export const cronJobs: ResourceReference<CronJob> = { group: 'batch', version: 'v1', resource: 'cronjobs' };
