import type { Strategy } from '../../../registry/strategy.ts';
import { numberAt, objectAt } from '../../../meta/read-field.ts';
import { checkStatusCounts } from '../../rules/workloads/workload.ts';
import { defaultJob, labelAsPods, selectByUid } from './default.ts';
import { validateJob, validateJobUpdate } from './validate.ts';

/** The strategy of Jobs. */
export const strategy: Strategy = {
  templatePath: ['spec', 'template'],
  default: defaultJob,
  prepareForCreate: selectByUid,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  subresources: {
    status: {
      default: labelAsPods,
      validateUpdate: (job) => checkStatusCounts(job, ['active', 'succeeded', 'failed'], []),
    },
  },
  // Jobs are older than the garbage collector, so their dependents are orphaned by default.
  dependents: () => 'orphan',
  selectableFields: ['status.successful'],
  fieldsOf: (job) => ({ 'status.successful': String(numberAt(objectAt(job, 'status'), 'succeeded') ?? 0) }),
};
